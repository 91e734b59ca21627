import { expect, test } from 'vitest'
import { undoneGitText } from '../../../src/contract/words/git.ts'

const COMMIT = '71e27b7aa0b1'

test('[GT-2] [GT-4] an undone restore says what is there now', () => {
  const item = { kind: 'branch', name: 'refs/heads/spike', from: COMMIT, to: '', result: 'done' } as const
  expect(undoneGitText(item)).toBe('Undid the restore of refs/heads/spike: deleted it, it pointed to 71e27b7aa0')
  expect(undoneGitText({ ...item, from: '', to: COMMIT })).toMatch(/it points to 71e27b7aa0 again$/)
  expect(undoneGitText({ ...item, kind: 'repository', name: '.git' })).toContain(
    'the restored repository is kept aside'
  )
})
