/** The recording state in the header, with a menu of related actions. */
import type { WorkspaceStatus } from '../../../contract/status.ts'
import { agentIdentity } from '../../../contract/words/agents.ts'
import { deletionText, stoppedText } from '../../../contract/words/brake.ts'
import { hostAwayText, hostStateText } from '../../../contract/words/hosts.ts'
import { plural } from '../../../contract/words/numbers.ts'
import { capitalized } from '../../../contract/words/text.ts'
import { elapsed } from '../../../contract/words/times.ts'
import { DISK_FULL_TEXT, unwatchedText, watchHandlesText } from '../../../contract/words/watching.ts'
import type { ConnectionState } from '../../client/connection.ts'
import { MenuButton, type MenuEntry } from '../../ui/menu.tsx'

interface RecordingIndicator {
  readonly tone: '' | 'live' | 'warn'
  readonly led: '' | 'ok' | 'live' | 'warn' | 'off'
  readonly text: string
  /** Details in a sentence. */
  readonly explanation: string
}

/** Shorter interruptions are not shown. */
const RECONNECTING_MS = 1000

export function recordingIndicator(
  status: WorkspaceStatus | null,
  connection: ConnectionState,
  now: number
): RecordingIndicator {
  const indicator = (
    tone: RecordingIndicator['tone'],
    led: RecordingIndicator['led'],
    text: string,
    explanation: string
  ): RecordingIndicator => ({ tone, led, text, explanation })
  if (connection.downSince !== null && connection.refused)
    return indicator('warn', 'off', 'Disconnected', 'Driftline was restarted: this tab has an old address.')
  const { away } = connection
  if (connection.downSince !== null && away && now - connection.downSince >= RECONNECTING_MS) {
    const { lead, rest } = hostAwayText(away, now)
    return indicator('warn', 'off', capitalized(hostStateText(away, now)), `${lead}${rest}`)
  }
  if (connection.downSince !== null && now - connection.downSince >= RECONNECTING_MS) {
    const explanation = 'Not connected to the recorder. Recording continues if it is still running.'
    return indicator('warn', 'off', 'Reconnecting…', explanation)
  }
  if (!status) return indicator('', '', 'Loading…', 'Reading the folder status.')
  if (status.watcher.why?.code === 'bundle') return indicator('', 'off', 'Read-only', unwatchedText(status.watcher.why))
  if (status.folder === 'missing')
    return indicator('warn', 'off', 'Not recording', 'Folder not found. Recording resumes when it is back.')
  if (status.disk.low) return indicator('warn', 'off', 'Not recording', DISK_FULL_TEXT)
  const { state } = status.watcher
  const why = unwatchedText(status.watcher.why)
  if (status.host.watching === 'paused') return indicator('warn', 'warn', 'Paused', why)
  if (!status.recording || state === 'off') {
    const explanation =
      'Changes are found at the next check instead of as they happen. Runs of connected agents are still recorded.'
    return indicator('warn', 'warn', 'Not watching', why || explanation)
  }
  const [run, ...more] = status.activeRuns
  const stopped = status.stopped.find(({ live }) => live)
  if (stopped) {
    const explanation = `${deletionText(stopped)}. ${stoppedText(stopped)}`
    return indicator('warn', 'warn', stoppedRunText(stopped.agent), explanation)
  }
  if (run) {
    const explanation = `“${run.title || 'A run'}” for ${elapsed(now - run.startedAt)}.`
    return indicator('live', 'live', workingText(run.agent, more.length), explanation)
  }
  if (state === 'starting')
    return indicator('', '', 'Starting…', why || 'Starting to watch. Changes made in between are found.')
  if (state === 'scanning')
    return indicator('', 'ok', 'Checking periodically', why || 'The folder is checked at regular intervals.')
  const covered = plural(status.covered.files, 'file')
  const handles = watchHandlesText(status.watcher)
  const recorded = `Changes to ${covered} are recorded as they happen${handles && ` (${handles})`}.`
  return indicator('', 'ok', 'Recording', why || recorded)
}

function stoppedRunText(agent: string): string {
  return agent === 'command' ? 'A command is stopped' : `${agentIdentity(agent).name} is stopped`
}

function workingText(agent: string, more: number): string {
  const name = agent === 'command' ? 'A command' : agentIdentity(agent).name
  if (more > 0) return `${name} and ${more} more are working`
  return agent === 'command' ? 'A command is running' : `${name} is working`
}

interface RecordingPillProps {
  readonly indicator: RecordingIndicator
  readonly offline: string | null
  /** Whether watching is on; null if this host never watches. */
  readonly watching: { readonly on: boolean; set(on: boolean): void } | null
  readonly onCheck: () => void
  readonly onCoverage: () => void
}

export function RecordingPill({ indicator, offline, watching, onCheck, onCoverage }: RecordingPillProps) {
  const { tone, led, text, explanation } = indicator
  const items: MenuEntry[] = [
    { id: 'why', label: text, disabled: explanation, run: () => {} },
    'separator',
    { id: 'check', label: 'Check for outside changes now', icon: 'drift', disabled: offline, run: onCheck },
    { id: 'coverage', label: 'Show coverage', icon: 'shield', disabled: offline, run: onCoverage }
  ]
  if (watching) {
    const run = () => watching.set(!watching.on)
    const label = watching.on ? 'Pause recording' : 'Resume recording'
    items.push({ id: 'watch', label, icon: watching.on ? 'stop' : 'redo', disabled: offline, run })
  }
  return (
    <MenuButton label={text} named align="right" className="pill" tone={tone} items={items}>
      <span className="led" data-tone={led} />
      {text}
    </MenuButton>
  )
}
