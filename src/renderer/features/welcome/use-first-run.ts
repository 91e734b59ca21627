/**
 * Whether the first run is active: agents are installed, none is connected, and it was not dismissed. Once started, it
 * stays active until it ends.
 */
import { useRef, useState } from 'react'
import { agentStatus } from '../../../contract/words/agent-status.ts'
import { useDriftline } from '../../client/context.tsx'
import { useQuery } from '../../client/use-query.ts'
import type { Agents } from '../agents/use-agents.ts'

const DONE = 'ui.first-run'

export interface FirstRun {
  readonly on: boolean
  /** Ends the first run for good. */
  end(): void
}

/** `begun`: whether a folder is being added. */
export function useFirstRun({ agents }: Agents, begun: boolean): FirstRun {
  const { client } = useDriftline()
  const settings = useQuery('settings.get', {})
  const [ended, setEnded] = useState(false)
  const started = useRef(false)
  const fresh =
    settings.data !== null &&
    settings.data.values[DONE] !== 'done' &&
    agents?.some((view) => agentStatus(view) === 'found') &&
    agents.every(({ connectedIn }) => connectedIn === null)
  if (begun && fresh) started.current = true
  return {
    on: !ended && (fresh || started.current),
    end: () => {
      setEnded(true)
      client.call('settings.set', { key: DONE, value: 'done' }).catch(() => {
        // Disconnected: the first run shows again another time.
      })
    }
  }
}
