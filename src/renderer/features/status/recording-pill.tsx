/** The recording state in the header, with a menu of related actions. */

import type { WorkspaceStatus } from '../../../contract/status.ts'
import { agentIdentity } from '../../../contract/words/agents.ts'
import { plural } from '../../../contract/words/numbers.ts'
import { elapsed } from '../../../contract/words/times.ts'
import type { ConnectionState } from '../../client/connection.ts'
import { MenuButton } from '../../ui/menu.tsx'

export interface RecordingIndicator {
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
  if (connection.downSince !== null && now - connection.downSince >= RECONNECTING_MS) {
    return {
      tone: 'warn',
      led: 'off',
      text: 'Reconnecting…',
      explanation: 'Not connected to the recorder. Recording continues if it is still running.'
    }
  }
  if (!status) return { tone: '', led: '', text: 'Loading…', explanation: 'Reading the folder status.' }
  if (status.folder === 'missing') {
    return {
      tone: 'warn',
      led: 'off',
      text: 'Not recording',
      explanation: 'Folder not found. Recording resumes when it is back.'
    }
  }
  if (status.disk.low) return { tone: 'warn', led: 'off', text: 'Not recording', explanation: status.disk.why }
  const { watcher } = status
  const why = watcher.why
  if (!status.recording || watcher.state === 'off') {
    return {
      tone: 'warn',
      led: 'warn',
      text: 'Not watching',
      explanation:
        why ||
        'Changes are found at the next check instead of as they happen. Runs of connected agents are still recorded.'
    }
  }
  const run = status.activeRuns[0]
  if (run) {
    return {
      tone: 'live',
      led: 'live',
      text: workingText(run.agent, status.activeRuns.length - 1),
      explanation: `“${run.title || 'A run'}” for ${elapsed(now - run.startedAt)}.`
    }
  }
  if (watcher.state === 'starting') {
    return {
      tone: '',
      led: '',
      text: 'Starting…',
      explanation: why || 'Starting to watch. Changes made in between are found.'
    }
  }
  if (watcher.state === 'scanning') {
    return {
      tone: '',
      led: 'ok',
      text: 'Checking periodically',
      explanation: why || 'The folder is checked at regular intervals.'
    }
  }
  const covered = plural(status.covered.files, 'file')
  return {
    tone: '',
    led: 'ok',
    text: 'Recording',
    explanation: why || `Changes to ${covered} are recorded as they happen.`
  }
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
  return (
    <MenuButton
      label={indicator.text}
      named
      align="right"
      className={['pill', indicator.tone].filter(Boolean).join(' ')}
      items={[
        { id: 'why', label: indicator.text, disabled: indicator.explanation, run: () => {} },
        'separator',
        { id: 'check', label: 'Check for outside changes now', icon: 'drift', disabled: offline, run: onCheck },
        { id: 'coverage', label: 'Show coverage', icon: 'shield', disabled: offline, run: onCoverage },
        ...(watching
          ? [
              {
                id: 'watch',
                label: watching.on ? 'Pause recording' : 'Resume recording',
                icon: watching.on ? ('stop' as const) : ('redo' as const),
                disabled: offline,
                run: () => watching.set(!watching.on)
              }
            ]
          : [])
      ]}
    >
      <span className={['led', indicator.led].filter(Boolean).join(' ')} />
      {indicator.text}
    </MenuButton>
  )
}
