import { expect, test } from 'vitest'
import {
  gitItemText,
  gitOutcomeText,
  gitPartText,
  hasLostGit,
  runGitText,
  undoneGitText
} from '../../../src/contract/words/git.ts'

const COMMIT = '71e27b7aa0b1'

test('[GT-2] [GT-4] an undone restore says what is there now', () => {
  const item = { kind: 'branch', name: 'refs/heads/spike', from: COMMIT, to: '', result: 'done' } as const
  expect(undoneGitText(item)).toBe('Undid the restore of refs/heads/spike: deleted it, it pointed to 71e27b7aa0')
  expect(undoneGitText({ ...item, from: '', to: COMMIT })).toMatch(/it points to 71e27b7aa0 again$/)
  expect(undoneGitText({ ...item, kind: 'repository', name: '.git' })).toContain(
    'the restored repository is kept aside'
  )
})

const at = { from: '', to: COMMIT, lost: false, chosen: true }

test.each([
  [{ ...at, item: 'heads/spike', kind: 'branch', name: 'spike', lost: true }, 'branch spike, lost (at 71e27b7aa0)'],
  [
    { ...at, item: 'heads/spike', kind: 'branch', name: 'spike', from: COMMIT, to: '' },
    'branch spike, which is removed (at 71e27b7aa0)'
  ],
  [{ ...at, item: 'HEAD', kind: 'head', name: 'HEAD', from: 'ref: refs/heads/a/b' }, 'HEAD: a/b → 71e27b7aa0'],
  [{ ...at, item: 'stash@71e2', kind: 'stash', name: 'On main: wip' }, 'stash “On main: wip”'],
  [
    { ...at, item: 'api:heads/spike', folder: 'api', kind: 'branch', name: 'spike', lost: true },
    'api: branch spike, lost (at 71e27b7aa0)'
  ],
  [
    { ...at, item: 'api/.git', folder: 'api', kind: 'repository', name: '.git', to: '' },
    'the repository in api/.git as a whole'
  ]
] as const)('[GT-7] an item of git in a plan is said in words: $1', (item, text) => {
  expect(gitItemText(item)).toBe(text)
})

test('[GT-7] an item that failed has its reason, and a part says what is selected', () => {
  const item = { ...at, item: 'index', kind: 'index', name: 'index' } as const
  expect(gitOutcomeText({ ...item, result: 'failed', reason: 'Git has it locked.' })).toBe(
    'the index: what was staged: not restored. Git has it locked.'
  )
  expect(gitPartText([item], false)).toMatch(/^Git stays as it is\./)
  expect(gitPartText([{ ...item, lost: true }], false)).toMatch(/^The items that git lost are selected\./)
})

test('[GT-5] a run names the first things that it did to git, and counts the others', () => {
  const tags = Array.from({ length: 10 }, (_, n) => ({ kind: 'tag-deleted', name: `v${n}`, commits: 0 }) as const)
  expect(runGitText(tags.slice(0, 2))).toBe('Git: deleted tag v0, deleted tag v1.')
  expect(runGitText(tags)).toMatch(/deleted tag v7, and 2 more\.$/)
})

test('[GT-5] what git may have lost is listed only after a change that takes something away', () => {
  const created = { kind: 'branch-created', name: 'fix', commits: null } as const
  expect(hasLostGit([created, { kind: 'file-changed', name: 'config' }])).toBe(false)
  expect(hasLostGit([created, { kind: 'stashes-dropped', commits: 1 }])).toBe(true)
})
