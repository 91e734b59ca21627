/** Whether this is the first run: agents are here, none is connected, and nobody said "not now". Once begun, it stays until it is over. */
import { useRef, useState } from 'react'
import { useDriftline } from '../../client/context.tsx'
import { useQuery } from '../../client/use-query.ts'
import { agentStatus } from '../agents/agent-words.ts'
import type { Agents } from '../agents/use-agents.ts'

const DONE = 'ui.first-run'

export interface FirstRun {
  readonly on: boolean
  /** Never again. */
  end(): void
}

/** `begun`: a folder is being added. */
export function useFirstRun({ agents }: Agents, begun: boolean): FirstRun {
  const { client } = useDriftline()
  const settings = useQuery('settings.get', {}, { workspace: null, on: [] })
  const [ended, setEnded] = useState(false)
  const kept = useRef(false)
  const fresh =
    settings.data !== null &&
    settings.data.values[DONE] !== 'done' &&
    agents?.some((view) => agentStatus(view) === 'found') &&
    agents.every(({ connectedIn }) => connectedIn === null)
  if (begun && fresh) kept.current = true
  return {
    on: !ended && (fresh || kept.current),
    end: () => {
      setEnded(true)
      client.call('settings.set', { key: DONE, value: 'done' }).catch(() => {
        // Disconnected: asked again another time, which does no harm.
      })
    }
  }
}
