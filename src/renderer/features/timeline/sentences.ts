/** What timeline rows say: the two lines people see, and the whole row as a sentence for assistive technology. */
import type { Checkpoint } from '../../../contract/checkpoint.ts'
import type { Turn } from '../../../contract/conversation.ts'
import type { DriftEntry, RestoreEntry, RunEntry, TimelineEntry } from '../../../contract/timeline.ts'
import { agentLook } from '../../ui/agent.tsx'
import { baseName, clock, curly, dayInText, elapsed, plural } from '../../ui/format.ts'

/** Second line, left. */
export function whoLine(entry: TimelineEntry): string {
  switch (entry.kind) {
    case 'run':
      return runLine(entry)
    case 'checkpoint':
      return entry.reason === 'manual' ? 'Pinned by you' : REASONS[entry.reason]
    case 'restore':
      return restoreLine(entry)
    case 'drift':
      return entry.note || names(entry)
  }
}

export const REASONS = {
  run_start: 'Before a run',
  pre_write: 'Before a turn',
  end_of_turn: 'After a turn',
  compact: 'Before the agent shortened its context',
  plan_mode: 'When plan mode changed',
  manual: 'Pinned by you',
  pre_restore_guard: 'Before a restore',
  pre_run_drift: 'Outside changes before a run'
} as const

/** A restore point by its name, or by why it was made. */
export function checkpointTitle({ label, reason }: Pick<Checkpoint, 'label' | 'reason'>): string {
  return label || REASONS[reason]
}

/** What a restore went back to, or whose changes it took back. */
function restoreLine(entry: RestoreEntry): string {
  if (entry.title === '') return ''
  const title = curly(entry.title)
  return entry.act === 'restore' ? `to ${title}` : entry.act === 'undo-run' ? `of ${title}` : title
}

function runLine(run: RunEntry): string {
  const { name } = agentLook(run.agent)
  const parts = [name]
  if (run.agent === 'command' && run.files > 0 && run.added + run.deleted > 0) parts.push(plural(run.files, 'file'))
  if (run.incomplete) parts.push('may lack originals')
  return parts.join(' · ')
}

/** Up to two file names and the number of the rest. */
export function names(drift: DriftEntry): string {
  const shown = drift.paths.slice(0, 2).map(baseName).join(', ')
  const rest = drift.count - Math.min(2, drift.paths.length)
  return rest > 0 && shown ? `${shown} and ${rest} more` : shown
}

/** First line. */
export function titleOf(entry: TimelineEntry): string {
  if (entry.kind === 'drift') return `${plural(entry.count, 'file')} changed outside`
  if (entry.kind === 'restore') return restoreTitle(entry)
  return entry.title || (entry.kind === 'run' ? 'Run without a prompt' : 'Pinned checkpoint')
}

const DONE: Readonly<Record<RestoreEntry['act'], (files: string) => string>> = {
  restore: (files) => `Restored ${files}`,
  'undo-run': (files) => `Took back ${files}`,
  undo: (files) => `Undid a restore of ${files}`,
  redo: (files) => `Redid a restore of ${files}`,
  drift: (files) => `Put back ${files}`,
  recover: (files) => `Settled a restore of ${files}`
}

const TALK = 'the conversation'

function restoreTitle(entry: RestoreEntry): string {
  const talk = entry.conversation !== null
  const files = !talk
    ? plural(entry.files, 'file')
    : entry.files === 0
      ? TALK
      : `${plural(entry.files, 'file')} and ${TALK}`
  switch (entry.state) {
    case 'done':
      return DONE[entry.act](files)
    case 'partial':
      return `Restored ${files}, not all`
    case 'failed':
      return 'Restore failed'
    case 'refused':
      return 'Restore refused, nothing written'
    case 'nothing-to-do':
      return 'Restore found nothing to do'
    case 'interrupted':
      return 'Restore stopped half way'
  }
}

export const DRIFT_STATES: Readonly<Record<DriftEntry['state'], string>> = {
  open: 'to review',
  accepted: 'accepted',
  'put-back': 'put back'
}

/** The row as one sentence. */
export function entrySentence(entry: TimelineEntry, now: number): string {
  const when =
    entry.kind === 'run' && entry.state === 'live' ? `live for ${elapsed(now - entry.at)}` : whenText(entry.at, now)
  switch (entry.kind) {
    case 'run': {
      const changed =
        entry.files === 0
          ? 'no changes'
          : entry.added + entry.deleted === 0
            ? plural(entry.files, 'file')
            : `${plural(entry.files, 'file')}, ${entry.added} added, ${entry.deleted} removed`
      const end = entry.takenBack
        ? ', taken back'
        : entry.state === 'ended'
          ? ', ended'
          : entry.state === 'interrupted'
            ? ', interrupted'
            : ''
      return `Run, ${agentLook(entry.agent).name}, ${titleOf(entry)}, ${when}, ${changed}${end}.`
    }
    case 'checkpoint':
      return `Checkpoint, ${titleOf(entry)}, ${when}.`
    case 'restore':
      return `${titleOf(entry)}, ${restoreLine(entry)}, ${when}${entry.undone ? ', undone since' : ''}.`
    case 'drift':
      return `${titleOf(entry)}, ${names(entry)}, ${when}, ${entry.state === 'open' ? 'not reviewed' : DRIFT_STATES[entry.state]}.`
  }
}

export function turnSentence(turn: Turn | null, now: number): string {
  if (!turn) return 'Turn, loading.'
  return `Turn, ${turn.prompt || 'no prompt'}, ${whenText(turn.at, now)}, ${plural(turn.files, 'file')}.`
}

function whenText(at: number, now: number): string {
  const day = dayInText(at, now)
  return day === 'today' ? clock(at) : `${day} ${clock(at)}`
}
