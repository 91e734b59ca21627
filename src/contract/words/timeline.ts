/** The words of timeline rows: the two visible lines, and the whole row as one sentence for screen readers. Pure. */
import type { Turn } from '../conversation.ts'
import type { DriftEntry, RestoreEntry, RunEntry, TimelineEntry } from '../timeline.ts'
import { agentIdentity } from './agents.ts'
import { CHECKPOINT_REASONS } from './checkpoints.ts'
import { driftCauseText, driftTitle } from './drift.ts'
import { filesAndConversation, plural } from './numbers.ts'
import { baseName } from './paths.ts'
import { testsSentence } from './tests.ts'
import { firstLine, withCurlyQuotes } from './text.ts'
import { clockInText, elapsed } from './times.ts'

/** Left half of the second line. */
export function entryAuthor(entry: TimelineEntry): string {
  switch (entry.kind) {
    case 'run':
      return runLine(entry)
    case 'checkpoint':
      return entry.reason === 'manual' ? 'Pinned by you' : CHECKPOINT_REASONS[entry.reason]
    case 'restore':
      return restoreLine(entry)
    case 'drift':
      return driftCauseText(entry) || changedFileNames(entry)
  }
}

/** The position a restore restored, or the run that it undid. */
function restoreLine(entry: RestoreEntry): string {
  if (entry.title === '') return ''
  const title = withCurlyQuotes(entry.title)
  return entry.act === 'restore' ? `to ${title}` : entry.act === 'undo-run' ? `of ${title}` : title
}

function runLine(run: RunEntry): string {
  const { name } = agentIdentity(run.agent)
  // Without lines the number of files is the state at the right.
  return run.files > 0 && run.added + run.deleted > 0 ? `${name} · ${plural(run.files, 'file')}` : name
}

/** Of a run that began before recording was ready, or was cut short. */
export const INCOMPLETE = 'originals may be missing'

/** Up to two file names and the number of further files. */
function changedFileNames(drift: DriftEntry): string {
  const shown = drift.paths.slice(0, 2).map(baseName).join(', ')
  const rest = drift.count - Math.min(2, drift.paths.length)
  return rest > 0 && shown ? `${shown} and ${rest} more` : shown
}

/** First line. */
export function entryTitle(entry: TimelineEntry): string {
  if (entry.kind === 'drift') return driftTitle(entry.count)
  if (entry.kind === 'restore') return restoreTitle(entry)
  return entry.title || (entry.kind === 'run' ? 'Run without a prompt' : 'Pinned checkpoint')
}

const DONE_TITLES: Readonly<Record<RestoreEntry['act'], (files: string) => string>> = {
  restore: (files) => `Restored ${files}`,
  'undo-run': (files) => `Undid a run in ${files}`,
  undo: (files) => `Undid a restore of ${files}`,
  redo: (files) => `Redid a restore of ${files}`,
  drift: (files) => `Undid outside changes in ${files}`,
  recover: (files) => `Recovered a restore of ${files}`,
  apply: (files) => `Applied a bundle to ${files}`,
  worktree: (files) => `Restored ${files} of a removed worktree`
}

const OTHER_TITLES = {
  failed: 'Restore failed',
  refused: 'Restore refused; nothing written',
  'nothing-to-do': 'Nothing to restore',
  interrupted: 'Restore interrupted'
} as const

function restoreTitle({ files, conversation, state, act, selected, path }: RestoreEntry): string {
  const restored = filesAndConversation(files, conversation !== null)
  if (state === 'done' && act === 'undo-run' && selected)
    return `Undid changes in ${path === null ? restored : baseName(path)}`
  if (state === 'done') return DONE_TITLES[act](restored)
  return state === 'partial' ? `Partly restored ${restored}` : OTHER_TITLES[state]
}

export const DRIFT_STATES: Readonly<Record<DriftEntry['state'], string>> = {
  open: 'to review',
  unreviewed: 'not reviewed',
  accepted: 'accepted',
  'put-back': 'undone'
}

/** The row as one sentence for screen readers. */
export function entrySentence(entry: TimelineEntry, now: number): string {
  const when =
    entry.kind === 'run' && entry.state === 'live' ? `live for ${elapsed(now - entry.at)}` : clockInText(entry.at, now)
  switch (entry.kind) {
    case 'run': {
      const lines = entry.added + entry.deleted === 0 ? '' : `, ${entry.added} added, ${entry.deleted} removed`
      const changed = entry.files === 0 ? 'no changes' : `${plural(entry.files, 'file')}${lines}`
      const end = entry.undone ? ', undone' : entry.state === 'live' ? '' : `, ${entry.state}`
      const missing = entry.incomplete ? `, ${INCOMPLETE}` : ''
      const note = entry.userNote === '' ? '' : ', with a note'
      const about = `${changed}${testsSentence(entry.tests)}${end}${missing}${note}`
      return `Run, ${agentIdentity(entry.agent).name}, ${entryTitle(entry)}, ${when}, ${about}.`
    }
    case 'checkpoint':
      return `Checkpoint, ${entryTitle(entry)}, ${when}${testsSentence(entry.tests)}.`
    case 'restore':
      return `${entryTitle(entry)}, ${restoreLine(entry)}, ${when}${entry.undone ? ', undone' : ''}.`
    case 'drift':
      return `${entryTitle(entry)}, ${changedFileNames(entry)}, ${when}, ${DRIFT_STATES[entry.state]}.`
  }
}

export function turnSentence(turn: Turn | null, now: number): string {
  if (!turn) return 'Turn, loading.'
  return `Turn, ${firstLine(turn.prompt) || 'no prompt'}, ${clockInText(turn.at, now)}, ${plural(turn.files, 'file')}.`
}
