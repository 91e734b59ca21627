/** Connecting, testing and disconnecting one agent: what would change, what was done, and what went wrong. */
import { useEffect, useState } from 'react'
import type { AgentChange, AgentTest } from '../../../contract/agents.ts'
import { type ErrorShape, toErrorShape } from '../../../contract/errors.ts'
import { useDriftline } from '../../client/context.tsx'
import { agentIdentity } from '../../ui/agent.tsx'
import { announce } from '../../ui/live-region.tsx'

export type Verb = 'connect' | 'disconnect'
/** What is put into an agent's settings: hooks that tell of its work, or our file tools. */
export type Integration = 'hooks' | 'tools'

export interface Preview {
  /** null while it is worked out. */
  readonly change: AgentChange | null
  readonly error: ErrorShape | null
}

interface IntegrationTarget {
  readonly agent: string
  readonly integration: Integration
  /** That folder's settings instead of the person's. */
  readonly project: string | null
}

const paramsOf = ({ agent, integration, project }: IntegrationTarget) => ({
  agent,
  ...(integration === 'tools' ? { mcp: true } : {}),
  ...(project ? { project } : {})
})

/** What `verb` would change; `project`: that folder's settings instead of the person's. `again` asks anew. */
export function useChangePreview(verb: Verb, { agent, integration, project }: IntegrationTarget, again: number): Preview {
  const { client } = useDriftline()
  const [preview, setPreview] = useState<Preview>({ change: null, error: null })
  // biome-ignore lint/correctness/useExhaustiveDependencies: `again` is the wish to ask anew.
  useEffect(() => {
    let stale = false
    client.call(`agents.${verb}`, { ...paramsOf({ agent, integration, project }), dryRun: true }).then(
      (change) => stale || setPreview({ change, error: null }),
      (thrown: unknown) => stale || setPreview({ change: null, error: toErrorShape(thrown) })
    )
    return () => {
      stale = true
    }
  }, [client, verb, agent, integration, project, again])
  return preview
}

export interface AgentActions {
  /** Per agent: the newest test, and which act runs now. */
  readonly tests: Readonly<Record<string, AgentTest | 'running'>>
  readonly busy: string | null
  readonly problem: { readonly agent: string; readonly integration: Integration; readonly error: ErrorShape } | null
  /** Writes our entries, then sends a test event. Resolves false when nothing was written. */
  connect(agent: string, project: string | null): Promise<boolean>
  disconnect(agent: string, project: string | null): Promise<boolean>
  /** Gives it our file tools, or takes them out again. Resolves false when nothing was written. */
  changeTools(verb: Verb, agent: string, project: string | null): Promise<boolean>
  test(agent: string, project: string | null): Promise<void>
}

export function useAgentActions(refetch: () => void): AgentActions {
  const { client } = useDriftline()
  const [tests, setTests] = useState<AgentActions['tests']>({})
  const [busy, setBusy] = useState<string | null>(null)
  const [problem, setProblem] = useState<AgentActions['problem']>(null)

  const change = async (verb: Verb, where: IntegrationTarget, said: string): Promise<boolean> => {
    const { agent, integration } = where
    setBusy(agent)
    setProblem(null)
    try {
      await client.call(`agents.${verb}`, { ...paramsOf(where), dryRun: false })
      announce(`${agentIdentity(agent).name} ${said}.`)
      return true
    } catch (thrown) {
      setProblem({ agent, integration, error: toErrorShape(thrown) })
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
      const done = await change('connect', { agent, integration: 'hooks', project }, 'is connected')
      if (done) await test(agent, project)
      return done
    },
    disconnect: async (agent, project) => {
      const done = await change('disconnect', { agent, integration: 'hooks', project }, 'is disconnected')
      if (done) setTests(({ [agent]: _gone, ...others }) => others)
      return done
    },
    changeTools: (verb, agent, project) =>
      change(
        verb,
        { agent, integration: 'tools', project },
        verb === 'connect' ? 'gets the file tools on its next start' : 'no longer has the file tools'
      ),
    test
  }
}

/** What went wrong with this of an agent, null when nothing did. */
export function problemOf({ problem }: AgentActions, agent: string, joint: Integration): string | null {
  return problem?.agent === agent && problem.integration === joint ? problem.error.message : null
}
