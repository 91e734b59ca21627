/** The sentences under a run's head. Pure. */
import type { WorkspaceStatus } from '../../../contract/status.ts'
import type { EntryDetail, RunEntry } from '../../../contract/timeline.ts'
import { agentIdentity } from '../../ui/agent.tsx'
import { clockSeconds, plural } from '../../ui/format.ts'
import type { IconName } from '../../ui/icon-sprite.tsx'
import { interruptedText } from '../banners/interrupted-run.ts'

export interface RunNotice {
  readonly icon: IconName
  readonly tone: 'warn' | 'info'
  readonly text: string
  /** Goes on with the run. */
  readonly command: string | null
}

export function runNotices(
  run: RunEntry,
  detail: EntryDetail | null,
  status: WorkspaceStatus | null,
  now: number
): readonly RunNotice[] {
  const notices: RunNotice[] = []
  const say = (icon: IconName, tone: RunNotice['tone'], text: string, command: string | null = null) =>
    notices.push({ icon, tone, text, command })
  if (run.state === 'interrupted') {
    const told = status?.interruptedRuns.find((interruptedRun) => interruptedRun.run === run.id)
    const { lead, rest } = told ? interruptedText(told) : { lead: 'This run was interrupted', rest: '.' }
    say('half', 'info', lead + rest, told?.resume?.command ?? null)
  }
  const quiet = quietSince(run, status, now)
  if (quiet !== null) {
    const who = agentIdentity(run.agent).name
    say(
      'info',
      'info',
      `Files are changing, but ${who} has not reported anything since ${clockSeconds(quiet)}. Changes are recorded from the folder.`
    )
  }
  if (run.note) say('info', 'warn', asSentence(run.note))
  const own = detail?.entry.id === run.id ? detail : null
  for (const warning of own?.warnings ?? []) say('shield', 'warn', warning)
  if (run.incomplete && !own?.warnings?.length)
    say(
      'shield',
      'warn',
      'Some originals may be missing: these files changed before they were covered. A restore lists what cannot be restored.'
    )
  const broken = own ? own.checkpoints.filter(({ status: is }) => is === 'broken') : []
  if (broken.length > 0)
    say(
      'warn',
      'warn',
      `${plural(broken.length, 'checkpoint')} of this run cannot be restored. ${broken[0]?.why ?? ''}`.trim()
    )
  return notices
}

/** An agent that thinks for long says nothing either: only files that change meanwhile are worth a word. */
const QUIET_MS = 40_000
/** What a tool wrote may be recorded a little after it told of its end. */
const AFTER_MS = 2000

function quietSince(run: RunEntry, status: WorkspaceStatus | null, now: number): number | null {
  const since = status?.activeRuns.find((active) => active.run === run.id)?.quietSince ?? null
  if (since === null || now - since < QUIET_MS) return null
  return (status?.lastEditAt ?? 0) > since + AFTER_MS ? since : null
}

function asSentence(text: string): string {
  const begun = `${text.charAt(0).toUpperCase()}${text.slice(1)}`
  return /[.!?]$/.test(begun) ? begun : `${begun}.`
}
