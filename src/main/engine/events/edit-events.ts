/** The event of an edit: of a tool, of a command, or made outside. */
import type { NamedEvent, NamedEventOf } from '../../../contract/events.ts'
import { changeKind, linesOf } from '../diff/describe-changes.ts'
import { looksSecret } from '../files/secret-path.ts'
import type { authorsBetween } from '../store/edit-calls.ts'
import type { NamedEditRow } from '../store/edits.ts'
import type { Store } from '../store/open-store.ts'

type EditAuthor = ReturnType<typeof authorsBetween>[number]
type Change = Pick<NamedEventOf<'drift.found'>, 'path' | 'change' | 'kind' | 'secret'>

/** None for an edit of a restore, which has one event for all of them. */
export function editEvents(
  store: Store,
  workspace: string,
  edit: NamedEditRow,
  authors: readonly EditAuthor[]
): NamedEvent[] {
  const { seq, at, path, drift, attribution } = edit
  const envelope = { workspace, seq, at }
  const before = store.records.version(edit.before)
  const after = store.records.version(edit.after)
  const change: Change = { path, ...howChanged(before, after), secret: looksSecret(path) }
  if (edit.origin === 'outside') return drift === null ? [] : [{ event: 'drift.found', ...envelope, drift, ...change }]
  const [first, ...others] = authors
  if (!first || attribution === 'none') return []
  const { run, turn, call, tool } = first
  const author = { run, turn, call, tool, attribution, sharedWith: others.map((also) => also.run) }
  if (attribution !== 'declared') return [{ event: 'shell.side-effect', ...envelope, ...author, ...change }]
  const compared = { path, before, after, attribution, interleaved: false } as const
  const { added, deleted } = linesOf(store, compared) ?? { added: null, deleted: null }
  return [{ event: 'tool.diff', ...envelope, ...author, ...change, added, deleted }]
}

type Sides = Parameters<typeof changeKind>[0]

function howChanged(before: Sides['before'], after: Sides['after']): Pick<Change, 'change' | 'kind'> {
  const change = changeKind({ before, after })
  const { kind } = after.kind === 'absent' ? before : after
  return {
    // Without an old path there is no rename; ends that are provably equal were recorded for their stat.
    change: change === 'none' || change === 'renamed' ? 'modified' : change,
    kind: kind === 'absent' ? 'unknown' : kind
  }
}
