/** Plans as the engine sends them, for tests of the dialog. */
import type { FileVersion } from '../../../src/contract/log.ts'
import type { Conflict, PlanItem, RestorePlan } from '../../../src/contract/restore.ts'

export const version = (hash: string, more: Partial<FileVersion> = {}): FileVersion => ({
  kind: 'file',
  size: 1,
  mode: 0o644,
  hash,
  target: null,
  notStored: null,
  ...more
})
export const item = (
  path: string,
  action: PlanItem['action'],
  note: PlanItem['note'] = null,
  before = 'a'
): PlanItem => ({
  path,
  action,
  note,
  before: version(before),
  after: version('b')
})
export const conflict = (path: string, more: Partial<Conflict> = {}): Conflict => ({
  path,
  cause: 'outside-after-target',
  unstorable: null,
  by: [],
  choices: ['keep', 'replace'],
  choice: 'keep',
  mergeable: false,
  deletes: false,
  ...more
})
export const plan = (items: PlanItem[], conflicts: Conflict[] = [], more: Partial<RestorePlan> = {}): RestorePlan => ({
  plan: 'p',
  act: 'restore',
  target: 'cp',
  title: 'start of "add tax"',
  targetAt: null,
  items,
  conflicts,
  warnings: [],
  unchanged: 0,
  live: [],
  mode: 'files',
  modes: [],
  conversation: null,
  git: [],
  ...more
})
export const base = plan(
  [
    item('a.ts', 'write'),
    item('b.ts', 'delete'),
    item('mine.ts', 'keep'),
    item('big.csv', 'keep', { code: 'not-stored', reason: 'too-large' })
  ],
  [conflict('mine.ts', { mergeable: true, choices: ['keep', 'merge', 'replace'] })]
)
