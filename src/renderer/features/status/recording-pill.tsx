/** Whether changes are being recorded at this moment, truthfully, with what to do about it. */
import type { WorkspaceStatus } from '../../../contract/status.ts'
import type { ConnectionState } from '../../client/connection.ts'
import { agentLook } from '../../ui/agent.tsx'
import { elapsed, plural } from '../../ui/format.ts'
import { MenuButton } from '../../ui/menu.tsx'

export interface RecordingLook {
  readonly tone: '' | 'live' | 'warn'
  readonly led: '' | 'ok' | 'live' | 'warn' | 'off'
  readonly text: string
  /** The whole truth in a sentence. */
  readonly why: string
}

/** A lost connection is shown after a second: most are shorter. */
const RECONNECTING_MS = 1000

export function recordingLook(status: WorkspaceStatus | null, connection: ConnectionState, now: number): RecordingLook {
  if (connection.downSince !== null && now - connection.downSince >= RECONNECTING_MS) {
    return {
      tone: 'warn',
      led: 'off',
      text: 'Reconnecting…',
      why: 'Not connected to the recorder. Recording goes on if it is still running.'
    }
  }
  if (!status) return { tone: '', led: '', text: 'Looking…', why: 'The state of the folder is being read.' }
  if (status.folder === 'missing') {
    return { tone: 'warn', led: 'off', text: 'Not recording', why: 'The folder is not there. Recording waits.' }
  }
  if (status.disk.low) return { tone: 'warn', led: 'off', text: 'Not recording', why: status.disk.why }
  const { watcher } = status
  const why = watcher.why
  if (!status.recording || watcher.state === 'off') {
    return {
      tone: 'warn',
      led: 'warn',
      text: 'Not watching',
      why:
        why || 'Changes are found at the next check, not as they happen. Runs of connected agents are still recorded.'
    }
  }
  const run = status.activeRuns[0]
  if (run) {
    return {
      tone: 'live',
      led: 'live',
      text: workingText(run.agent, status.activeRuns.length - 1),
      why: `“${run.title || 'A run'}” for ${elapsed(now - run.startedAt)}.`
    }
  }
  if (watcher.state === 'starting') {
    return { tone: '', led: '', text: 'Starting…', why: why || 'Watching begins. Changes made meanwhile are found.' }
  }
  if (watcher.state === 'scanning') {
    return { tone: '', led: 'ok', text: 'Recording by checks', why: why || 'The folder is checked at intervals.' }
  }
  const covered = plural(status.covered.files, 'file')
  return { tone: '', led: 'ok', text: 'Recording', why: why || `Every change to ${covered} is noticed as it happens.` }
}

function workingText(agent: string, others: number): string {
  const who = agent === 'command' ? 'A command' : agentLook(agent).name
  if (others > 0) return `${who} and ${others} more are working`
  return agent === 'command' ? 'A command is running' : `${who} is working`
}

interface RecordingPillProps {
  readonly look: RecordingLook
  readonly offline: string | null
  /** Whether folders are watched, and how to stop or start that; null where this host never does. */
  readonly watching: { readonly on: boolean; set(on: boolean): void } | null
  readonly onCheck: () => void
  readonly onCoverage: () => void
}

export function RecordingPill({ look, offline, watching, onCheck, onCoverage }: RecordingPillProps) {
  return (
    <MenuButton
      label={look.text}
      named
      align="right"
      className={['pill', look.tone].filter(Boolean).join(' ')}
      items={[
        { id: 'why', label: look.text, disabled: look.why, run: () => {} },
        'separator',
        { id: 'check', label: 'Check for outside changes now', icon: 'drift', disabled: offline, run: onCheck },
        { id: 'coverage', label: 'Show what is covered', icon: 'shield', disabled: offline, run: onCoverage },
        ...(watching
          ? [
              {
                id: 'watch',
                label: watching.on ? 'Pause recording' : 'Go on recording',
                icon: watching.on ? ('stop' as const) : ('redo' as const),
                disabled: offline,
                run: () => watching.set(!watching.on)
              }
            ]
          : [])
      ]}
    >
      <span className={['led', look.led].filter(Boolean).join(' ')} />
      {look.text}
    </MenuButton>
  )
}
