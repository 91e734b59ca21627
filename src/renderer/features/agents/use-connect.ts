/** Connecting, testing and disconnecting one agent: what would change, what was done, and what went wrong. */
import { useEffect, useState } from 'react'
import type { AgentChange, AgentTest } from '../../../contract/agents.ts'
import { type ErrorShape, toErrorShape } from '../../../contract/errors.ts'
import { useDriftline } from '../../client/context.tsx'
import { agentLook } from '../../ui/agent.tsx'
import { announce } from '../../ui/live-region.tsx'

export type Verb = 'connect' | 'disconnect'

export interface Preview {
  /** null while it is worked out. */
  readonly change: AgentChange | null
  readonly error: ErrorShape | null
}

/** What `verb` would change; `project`: that folder's settings instead of the person's. `again` asks anew. */
export function usePreview(verb: Verb, agent: string, project: string | null, again: number): Preview {
  const { client } = useDriftline()
  const [preview, setPreview] = useState<Preview>({ change: null, error: null })
  // biome-ignore lint/correctness/useExhaustiveDependencies: `again` is the wish to ask anew.
  useEffect(() => {
    let stale = false
    client.call(`agents.${verb}`, { agent, dryRun: true, ...(project ? { project } : {}) }).then(
      (change) => stale || setPreview({ change, error: null }),
      (thrown: unknown) => stale || setPreview({ change: null, error: toErrorShape(thrown) })
    )
    return () => {
      stale = true
    }
  }, [client, verb, agent, project, again])
  return preview
}

export interface AgentActs {
  /** Per agent: the newest test, and which act runs now. */
  readonly tests: Readonly<Record<string, AgentTest | 'running'>>
  readonly busy: string | null
  readonly problem: { readonly agent: string; readonly error: ErrorShape } | null
  /** Writes our entries, then sends a test event. Resolves false when nothing was written. */
  connect(agent: string, project: string | null): Promise<boolean>
  disconnect(agent: string, project: string | null): Promise<boolean>
  test(agent: string, project: string | null): Promise<void>
}

export function useAgentActs(refetch: () => void): AgentActs {
  const { client } = useDriftline()
  const [tests, setTests] = useState<AgentActs['tests']>({})
  const [busy, setBusy] = useState<string | null>(null)
  const [problem, setProblem] = useState<AgentActs['problem']>(null)

  const change = async (verb: Verb, agent: string, project: string | null): Promise<boolean> => {
    setBusy(agent)
    setProblem(null)
    try {
      await client.call(`agents.${verb}`, { agent, dryRun: false, ...(project ? { project } : {}) })
      announce(`${agentLook(agent).name} is ${verb === 'connect' ? 'connected' : 'not connected any more'}.`)
      return true
    } catch (thrown) {
      setProblem({ agent, error: toErrorShape(thrown) })
      return false
    } finally {
      setBusy(null)
      refetch()
    }
  }

  const test = async (agent: string, project: string | null): Promise<void> => {
    const put = (result: AgentTest | 'running') => setTests((all) => ({ ...all, [agent]: result }))
    put('running')
    try {
      const result = await client.call('agents.test', { agent, ...(project ? { project } : {}) })
      put(result)
      announce(
        result.recorded
          ? `Test: sent, received in ${result.receivedMs} milliseconds, recorded. ${result.problem}`.trim()
          : `Test failed. ${result.problem}`
      )
    } catch (thrown) {
      put({ sent: false, receivedMs: null, recorded: false, problem: toErrorShape(thrown).message })
    } finally {
      refetch()
    }
  }

  return {
    tests,
    busy,
    problem,
    connect: async (agent, project) => {
      const done = await change('connect', agent, project)
      if (done) await test(agent, project)
      return done
    },
    disconnect: async (agent, project) => {
      const done = await change('disconnect', agent, project)
      if (done) setTests(({ [agent]: _gone, ...others }) => others)
      return done
    },
    test
  }
}
