import { expect, it } from 'vitest'
import type { FileChange } from '../../../src/contract/diff.ts'
import { runReport } from '../../../src/contract/words/run-report.ts'

const FILE: FileChange = {
  path: 'src/sum.ts',
  change: 'modified',
  kind: 'text',
  added: 3,
  deleted: 1,
  hunks: 1,
  attribution: 'declared',
  interleaved: false,
  secret: false,
  counted: true
}
const RUN = {
  title: 'Add tax',
  prompt: 'Add tax',
  label: '',
  userNote: '',
  agent: 'claude-code',
  startedAt: Date.UTC(2026, 0, 2, 3, 4, 5),
  warnings: []
}

it('reports changes, line counts and content that is not stored', () => {
  const files: FileChange[] = [
    FILE,
    { ...FILE, path: 'b.ts', oldPath: 'a.ts', change: 'renamed', added: 0, deleted: 0, interleaved: true },
    { ...FILE, path: 'video.mp4', change: 'added', kind: 'large', added: 0, deleted: 0, notStored: 'too-large' }
  ]
  expect(
    runReport({
      ...RUN,
      endedAt: RUN.startedAt + 65_000,
      files,
      warnings: [{ code: 'mixed', paths: ['a.ts'], count: 1 }]
    })
  ).toBe(
    `# Add tax

- Agent: claude-code
- Started: 2026-01-02 03:04:05 UTC
- Ended: 2026-01-02 03:05:10 UTC (1 min 5 s)
- Changes: 3 files, +3 -1 lines

> **Note:** This diff includes changes of others that overlap with the run's: a.ts.

## Files

| File | Change | Added | Deleted | Notes |
| --- | --- | ---: | ---: | --- |
| \`src/sum.ts\` | modified | +3 | -1 |  |
| \`a.ts\` → \`b.ts\` | renamed | +0 | -0 | also changed by others |
| \`video.mp4\` | added |  |  | large, not stored |

## Not stored

The content of these files is not stored, so they are not in the patch:

- \`video.mp4\`: over the size limit
`
  )
})

it('[RN-3] names the prompt of a run with a label, and quotes the note about it', () => {
  const named = { ...RUN, title: 'Tax, first try', label: 'Tax, first try', userNote: 'Too slow.\n# Try again' }
  expect(runReport({ ...named, endedAt: null, files: [] })).toContain(
    '# Tax, first try\n\n> Too slow.\n> \\# Try again\n\n- Prompt: Add tax\n- Agent: claude-code\n'
  )
})

it('reports a run without changes and a run that is still active', () => {
  const report = runReport({ ...RUN, endedAt: null, files: [] })
  expect(report).toContain('This run changed no files.')
  expect(report).toContain('- Ended: still running')
})

it('keeps names and titles from becoming markup', () => {
  const title = '# <img src=x>\n| [a](b) `c`'
  const report = runReport({ ...RUN, title, endedAt: null, files: [{ ...FILE, path: 'a|b`c\n\u202ed👨‍👩‍👧' }] })
  expect(report).toContain('# \\# \\<img src=x\\> \\| \\[a\\](b) \\`c\\`\n')
  expect(report).toContain('| `` a\\|b`c\\u000a\\u202ed👨‍👩‍👧 `` |')
})
