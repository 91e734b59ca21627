/** Notices below the entry bar of a run. Pure. */
import type { WorkspaceStatus } from '../status.ts'
import type { EntryDetail, RunEntry, RunNote, RunNoteCode, RunWarning } from '../timeline.ts'
import { agentIdentity } from './agents.ts'
import { checkpointCauseText } from './checkpoints.ts'
import { interruptedActionText } from './interrupted-run.ts'
import { plural } from './numbers.ts'
import { runWarningText } from './run-warnings.ts'
import { asSentence } from './text.ts'
import { clockSeconds } from './times.ts'

interface RunNotice {
  readonly icon: 'half' | 'info' | 'shield' | 'warn'
  readonly tone: 'warn' | 'info'
  readonly text: string
  /** Shell command that resumes the session, null if there is none. */
  readonly command: string | null
}

/** Warnings that say how something was recorded. The others are about what cannot be restored. */
const FACTS: ReadonlySet<RunWarning['code']> = new Set(['all-changes', 'shared', 'transcript-not-read'])

/** `inBanner`: the banner in front says what the run was doing when it was interrupted. */
export function runNotices(
  run: RunEntry,
  detail: EntryDetail | null,
  status: WorkspaceStatus | null,
  now: number,
  inBanner = false
): readonly RunNotice[] {
  const notices: RunNotice[] = []
  const add = (icon: RunNotice['icon'], tone: RunNotice['tone'], text: string, command: string | null = null) =>
    notices.push({ icon, tone, text, command })
  if (run.state === 'interrupted' && !inBanner) {
    const interrupted = status?.interruptedRuns.find((candidate) => candidate.run === run.id)
    const action = interrupted ? interruptedActionText(interrupted) : ''
    if (action !== '') add('half', 'info', action, interrupted?.resume?.command ?? null)
  }
  const quiet = quietSince(run, status, now)
  if (quiet !== null) {
    const name = agentIdentity(run.agent).name
    add(
      'info',
      'info',
      `Files are changing, but ${name} has not reported anything since ${clockSeconds(quiet)}. Changes are recorded from the folder.`
    )
  }
  for (const note of run.notes) add('info', 'warn', asSentence(runNoteText(note)))
  const own = detail?.entry.id === run.id ? detail : null
  const warnings = own?.warnings ?? []
  for (const warning of warnings) {
    if (FACTS.has(warning.code)) add('info', 'info', runWarningText(warning))
    else add('shield', 'warn', runWarningText(warning))
  }
  if (run.incomplete && warnings.every(({ code }) => FACTS.has(code)))
    add(
      'shield',
      'warn',
      'Some originals may be missing: these files changed before they were covered. A restore lists what cannot be restored.'
    )
  const broken = own ? own.checkpoints.filter((checkpoint) => checkpoint.status === 'broken') : []
  if (broken.length > 0)
    add(
      'warn',
      'warn',
      `${plural(broken.length, 'checkpoint')} of this run cannot be restored: ${checkpointCauseText(broken[0]?.cause ?? null)}.`
    )
  return notices
}

const NOTES: Readonly<Record<RunNoteCode, string>> = {
  stopped: 'stopped before it finished',
  'stopped-with-command':
    'stopped before it finished; its command may have kept running, and later changes by it count as made outside',
  remembers: 'the agent still remembers what was undone',
  rewound: 'the conversation was rewound in the agent before this prompt',
  'found-later': 'some of its changes were found later and belong to it by their times'
}

/** A note without capital and full stop. */
export function runNoteText(note: RunNote): string {
  return note.code === 'text' ? note.text : NOTES[note.code]
}

/** A thinking agent sends no events either: the notice needs files that change after this silence. */
const QUIET_MS = 40_000
/** Edits of a tool call may be recorded slightly after its end event. */
const RECORD_DELAY_MS = 2000

/** Since when the agent has been silent while files changed, null if it has not. */
function quietSince(run: RunEntry, status: WorkspaceStatus | null, now: number): number | null {
  const since = status?.activeRuns.find((active) => active.run === run.id)?.quietSince ?? null
  if (since === null || now - since < QUIET_MS) return null
  return (status?.lastEditAt ?? 0) > since + RECORD_DELAY_MS ? since : null
}
