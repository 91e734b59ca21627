import { expect, test } from 'vitest'
import type { Checkpoint } from '../../../src/contract/checkpoint.ts'
import type { FileVersion } from '../../../src/contract/log.ts'
import type { RestorePlan, RestoreResult } from '../../../src/contract/restore.ts'
import type { WorkspaceStatus } from '../../../src/contract/status.ts'
import type { TimelineEntry } from '../../../src/contract/timeline.ts'
import { runReport } from '../../../src/contract/words/run-report.ts'
import { checkpointLines, logLines } from '../../../src/main/cli/commands/log.ts'
import { statusLines } from '../../../src/main/cli/commands/status.ts'
import { planDocument } from '../../../src/main/cli/documents.ts'
import { exportText, secretsNote } from '../../../src/main/cli/export-forms.ts'
import { plain } from '../../../src/main/cli/paint.ts'
import { planLines, planQuestion, resultLines } from '../../../src/main/cli/plan-text.ts'

const NOW = new Date(2026, 10, 20, 15, 0).getTime()
const file: FileVersion = { kind: 'file', size: 1, mode: 0o644, hash: 'h', target: null, notStored: null }

const plan: RestorePlan = {
  plan: 'abc',
  act: 'restore',
  target: 'cp_1',
  title: 'start of "add tax"',
  targetAt: NOW,
  items: [
    { path: 'a\u001b[2J.ts', action: 'write', note: null, before: file, after: file },
    {
      path: 'b.ts',
      action: 'keep',
      note: { code: 'conflict', cause: 'outside-after-target' },
      before: file,
      after: file
    }
  ],
  conflicts: [
    {
      path: 'b.ts',
      cause: 'outside-after-target',
      unstorable: null,
      by: [{ who: 'outside', title: '', at: NOW }],
      choices: ['keep', 'replace'],
      choice: 'keep',
      mergeable: false,
      deletes: false
    }
  ],
  warnings: [{ code: 'shared-edits', paths: ['a.ts', 'b.ts', 'c.ts'], count: 5 }],
  unchanged: 40,
  live: [],
  mode: 'files',
  modes: [],
  conversation: null,
  git: []
}

test('a plan lists written and kept files and its conflicts', () => {
  const text = planLines(plan, plain).join('\n')
  expect(text).toContain('write  a\\x1b[2J.ts')
  expect(text).toContain('keep   b.ts')
  expect(text).toContain('1 conflict:')
  expect(text).toContain('1 file to write, 40 paths unchanged. Plan abc')
  expect(planQuestion(plan)).toBe('Restore 1 file')
})

test('[RS-19] what was deleted with the recorded folder is counted, and only other conflicts are listed', () => {
  const [conflict] = plan.conflicts
  if (!conflict) throw new Error('The plan has no conflict.')
  const paths = ['b.ts', 'c.ts']
  const conflicts = paths.map((path) => ({ ...conflict, path, choice: 'replace' as const }))
  const warnings = [{ code: 'creates-folder', folder: '/p' }] as const
  const text = planLines({ ...plan, conflicts, warnings }, plain).join('\n')
  expect(text).toContain('2 paths were deleted with the folder.')
  expect(text).not.toContain('conflict')
  const items = [
    {
      path: 'b.ts',
      action: 'create',
      note: null,
      before: file,
      after: file,
      result: 'failed',
      reason: { code: 'denied' }
    }
  ]
  const result = {
    restore: 'rst_1',
    state: 'partial',
    guard: 'cp_2',
    refusal: '',
    conversation: null,
    git: [],
    items,
    conflicts,
    warnings
  }
  expect(resultLines('restore', result as unknown as RestoreResult, plain).join('\n')).toMatch(/failed +b\.ts/)
})

test('a plan document has the keys of the contract', () => {
  expect(planDocument(plan)).toMatchObject({
    plan: 'abc',
    target: 'cp_1',
    items: [
      { path: 'a\u001b[2J.ts', action: 'write' },
      { path: 'b.ts', action: 'keep', note: 'kept: changed outside after this point' }
    ],
    conflicts: [
      {
        path: 'b.ts',
        reason: 'changed outside after this point',
        by: [{ run: 'outside', at: NOW }],
        choices: ['keep', 'replace'],
        mergeable: false
      }
    ],
    warnings: [
      'Changed while several runs were active, so it is not known by which: a.ts, b.ts, c.ts and 2 more. Those changes are not undone.'
    ],
    unchanged: 40
  })
})

const run = { agent: 'qwen-code', startedAt: NOW - 600_000, mayWrite: true }

const status: WorkspaceStatus = {
  workspace: { id: 'ws_1', root: '/w/app', name: 'app' },
  folder: 'present',
  deletedBy: null,
  head: 3,
  rev: 1,
  recording: false,
  host: { watching: 'off', lastEnd: 'clean' },
  watcher: { state: 'off', why: null, handles: null },
  coverage: 'complete',
  copy: null,
  covered: { files: 1204, bytes: 5_000_000 },
  notCovered: [{ path: 'node_modules', reason: 'ignored' }],
  drift: [
    {
      id: 'dr_1',
      state: 'open',
      cause: 'edits',
      paths: ['x\u202ey'],
      count: 1,
      foundAt: NOW,
      seq: 4,
      branches: null,
      since: ''
    }
  ],
  activeRuns: [
    { ...run, run: 'run_1', title: 'thinks '.repeat(100), quietSince: NOW - 59_000 },
    { ...run, run: 'run_2', title: 'silent', quietSince: NOW - 600_000 }
  ],
  stopped: [],
  interruptedRuns: [],
  queuedRestores: [],
  interruptedRestore: { id: 'rst_1', written: 2, total: 6 },
  undo: null,
  redo: null,
  store: { bytes: 9, uniqueBytes: 9, headBytes: 5, historyBytes: 4, conversationBytes: 0, budget: 2_000_000_000 },
  disk: { free: 9e9, low: false },
  worktrees: [],
  worktreeMode: 'ask',
  removedWorktrees: [],
  branch: 'main',
  lastEditAt: null,
  checkedAt: NOW
}

test('status lists unprotected paths, outside changes, and how to recover an interrupted restore', () => {
  const text = statusLines(status, plain, NOW, 80).join('\n')
  expect(text).toContain('Protected  1,204 files, 5 MB')
  expect(text).toContain('1 path not protected:\n  node_modules  ignored')
  expect(text).toContain('1 file changed, found today 15:00: x\\u202ey')
  expect(text.match(/Running/g)).toHaveLength(2)
  expect(text).toContain('Running "thinks thinks thinks th…" (qwen-code) since')
  expect(text.match(/ {2}No events from its agent since .*/g)).toEqual([
    '  No events from its agent since today 14:50, and no tool is running. If the agent was stopped, its next prompt ends this run; so does closing the agent.'
  ])
  expect(text).toContain('A restore was interrupted after 2 of 6 files. Nothing is lost.')
  expect(text).toContain('driftline recover undo')
})

test('[DR-1] status says why a folder is out of reach, and offers to create only one that does not exist', () => {
  const missing = (code: 'gone' | 'unmounted') =>
    statusLines(
      { ...status, folder: 'missing', watcher: { state: 'off', why: { code }, handles: null } },
      plain,
      NOW
    ).join('\n')
  expect(missing('unmounted')).toMatch(/out of reach.*locate.*the disk it was on is not mounted/s)
  expect(missing('unmounted')).not.toContain('driftline restore')
  expect(missing('gone')).toContain('driftline restore seq:3')
})

test('log lines are aligned and escaped', () => {
  const base = { seq: 1, at: NOW }
  const entries: TimelineEntry[] = [
    {
      ...base,
      kind: 'run',
      id: 'run_1',
      title: 'add\n tax',
      prompt: 'add tax',
      label: 'add\n tax',
      userNote: 'slow',
      agent: 'command',
      session: null,
      conversation: '',
      state: 'interrupted',
      endedAt: null,
      turns: 1,
      files: 2,
      added: 3,
      deleted: 1,
      undone: true,
      incomplete: false,
      exitCode: null,
      attributed: 'tool-calls',
      notes: []
    },
    { ...base, kind: 'checkpoint', id: 'cp_22', title: 'before lunch', reason: 'manual', session: null }
  ]
  expect(logLines(entries, plain, NOW, 120)).toEqual([
    'today 15:00  run  run_1  add\\n tax     2 files, +3 -1, interrupted, undone, named, note',
    'today 15:00  pin  cp_22  before lunch  pinned'
  ])
})

test('[UI-15] checkpoints are grouped by reason, newest first, each with what it lost', () => {
  const made = (id: string, reason: Checkpoint['reason'], more: Partial<Checkpoint> = {}): Checkpoint => ({
    id,
    reason,
    seq: 3,
    status: 'available',
    restorable: true,
    cause: null,
    run: null,
    session: null,
    turn: null,
    label: '',
    at: NOW,
    files: 1,
    revision: null,
    ...more
  })
  const broken = { status: 'broken', cause: { code: 'broken', path: 'a\n.ts' } } as const
  const checkpoints = [
    made('cp_4', 'end_of_turn'),
    made('cp_3', 'run_start', { files: 12 }),
    made('cp_22', 'end_of_turn', broken),
    made('cp_1', 'manual', { label: 'before lunch' })
  ]
  expect(checkpointLines(checkpoints, plain, NOW)).toEqual([
    'After a turn (2)',
    '  today 15:00  cp_4   seq:3  1 path',
    '  today 15:00  cp_22  seq:3  1 path    broken · the stored content of a\\n.ts is damaged',
    'Before a run (1)',
    '  today 15:00  cp_3   seq:3  12 paths',
    'Pinned by you (1)',
    '  today 15:00  cp_1   seq:3  1 path    before lunch'
  ])
})

test('a plan that can write nothing because versions are lost says so', () => {
  const lost = { code: 'not-stored', reason: 'pruned' } as const
  const items = [{ path: 'a.ts', action: 'keep' as const, note: lost, before: file, after: file }]
  expect(planLines({ ...plan, items, conflicts: [], warnings: [], live: [] }, plain).at(-1)).toBe(
    'a.ts is no longer stored: over the history limits, or on the exclude list.'
  )
})

const exportedRun = {
  title: 't',
  prompt: 't',
  label: '',
  userNote: '',
  agent: 'codex',
  startedAt: 0,
  endedAt: 1,
  files: [],
  warnings: []
}

test('an exported patch cannot close its Markdown fence', () => {
  const exported = { title: 't', report: '# t\n', patch: '+```\n+````sh' }
  expect(exportText('x.md', { ...exported, run: exportedRun })).toBe('# t\n\n`````diff\n+```\n+````sh\n`````\n')
  expect(exportText('x.PATCH', { ...exported, run: exportedRun })).toBe(exported.patch)
  expect(JSON.parse(exportText('x.json', { ...exported, run: exportedRun }))).toEqual(exported)
})

test('[UI-14] an exported report shows control and bidirectional characters as escapes; patch and JSON keep them', () => {
  const exported = { title: 't', report: '# t\u001b[2J\n', patch: '+\u001b[31m red \u202e\n' }
  expect(exportText('x.md', { ...exported, run: exportedRun })).toBe(
    '# t\\x1b[2J\n\n```diff\n+\\x1b[31m red \\u202e\n```\n'
  )
  expect(exportText('x.patch', { ...exported, run: exportedRun })).toBe(exported.patch)
  expect(JSON.parse(exportText('x.json', { ...exported, run: exportedRun }))).toEqual(exported)
})

test('[SH-1] Markdown masks lines that may contain a secret, and the command says which files have them', () => {
  const secret = `ghp_${'a1'.repeat(20)}`
  const patch = `diff --git a/a b/a\n@@ -1 +1,2 @@\n-key ${secret}\n+after\n`
  const run = { ...exportedRun, title: `use ${secret}`, prompt: secret, label: 'l', userNote: secret }
  const exported = { title: 't', report: runReport(run), patch, run }
  const text = exportText('x.md', exported)
  expect(text).not.toContain('a1a1')
  expect(text).toContain('-(this line may contain a secret)\n+after\n')
  expect(secretsNote('x.md', patch)).toBe(
    '1 line that may contain a secret is masked. A .patch or .json file keeps them.'
  )
  expect(exportText('x.patch', exported)).toBe(patch)
  expect(secretsNote('x.patch', patch)).toBe(
    'The file contains 1 line that may contain a secret. A .md or .html file masks them.'
  )
  expect(secretsNote('x.md', '+after\n')).toBe('')
})

test('an incomplete restore reports what failed and how to finish or undo it', () => {
  const result = {
    restore: 'rst_1',
    state: 'interrupted' as const,
    guard: 'cp_2',
    items: [
      { ...plan.items[0]!, result: 'done' as const },
      {
        ...plan.items[1]!,
        action: 'write' as const,
        result: 'failed' as const,
        reason: { code: 'denied' } as const
      }
    ],
    conflicts: [],
    warnings: [],
    refusal: '',
    conversation: null,
    git: []
  }
  const text = resultLines('undo-run', result, plain).join('\n')
  expect(text).toMatch(/Interrupted: 1 file changed, 1 failed/)
  expect(text).toMatch(/failed +b\.ts +permission denied/)
  expect(text).toContain('`driftline recover finish` completes the restore, `driftline recover undo` undoes it')
  expect(text).not.toContain('`driftline undo`')
})

test('[UI-1] a restore of the conversation alone says nothing about files that it did not compare', () => {
  const conversation = {
    session: 's',
    revision: 2,
    superseded: 4,
    broughtBack: 0,
    prompt: '',
    resume: null,
    failure: null
  }
  const nothing = { restore: 'rst_1', state: 'done', guard: 'cp_2', items: [], conflicts: [], warnings: [] } as const
  const text = (result: Pick<RestoreResult, 'conversation'>) =>
    resultLines('restore', { ...nothing, refusal: '', git: [], ...result }, plain).join('\n')
  expect(text({ conversation })).toMatch(/^Done: no files changed\.\n/)
  expect(text({ conversation: null })).toMatch(/^Done: all files already match\./)
})

test('[RS-12] the result of a restore names each path that it kept, with the reason', () => {
  const lost = { ...plan.items[1]!, path: 'lost.ts', note: { code: 'not-stored', reason: 'damaged' } } as const
  const items = [lost, plan.items[1]!].map((item) => ({ ...item, result: 'kept' as const }))
  const nothing = {
    restore: 'rst_1',
    state: 'done',
    guard: 'cp_2',
    warnings: [],
    refusal: '',
    conversation: null,
    git: []
  } as const
  const lines = resultLines('restore', { ...nothing, items, conflicts: plan.conflicts }, plain)
  expect(lines.filter((line) => line.includes('kept '))).toEqual([
    '  kept  lost.ts  cannot be restored: its stored content is damaged'
  ])
  expect(lines.filter((line) => line.includes('b.ts'))).toHaveLength(1)
})
