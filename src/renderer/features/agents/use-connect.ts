/** Connects, tests and disconnects one agent; previews the change of its settings. */

import { useEffect, useState } from 'react'
import type { AgentChange, AgentTest } from '../../../contract/agents.ts'
import { type ErrorShape, toErrorShape } from '../../../contract/errors.ts'
import { agentIdentity } from '../../../contract/words/agents.ts'
import { useDriftline } from '../../client/context.tsx'
import { announce } from '../../ui/live-region.tsx'

export type Verb = 'connect' | 'disconnect'
/** How an agent is connected: hooks that report its work, or Driftline's MCP server. */
export type Integration = 'hooks' | 'mcp'

export interface Preview {
  /** null while loading. */
  readonly change: AgentChange | null
  readonly error: ErrorShape | null
}

interface IntegrationTarget {
  readonly agent: string
  readonly integration: Integration
  /** Root of the project whose settings are changed; null for the user settings. */
  readonly project: string | null
}

const paramsOf = ({ agent, integration, project }: IntegrationTarget) => ({
  agent,
  ...(integration === 'mcp' ? { mcp: true } : {}),
  ...(project ? { project } : {})
})

/** Loads what `verb` would change. A new value of `version` loads it again. */
export function useChangePreview(
  verb: Verb,
  { agent, integration, project }: IntegrationTarget,
  version: number
): Preview {
  const { client } = useDriftline()
  const [preview, setPreview] = useState<Preview>({ change: null, error: null })
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new version loads the preview again.
  useEffect(() => {
    let stale = false
    client.call(`agents.${verb}`, { ...paramsOf({ agent, integration, project }), dryRun: true }).then(
      (change) => stale || setPreview({ change, error: null }),
      (thrown: unknown) => stale || setPreview({ change: null, error: toErrorShape(thrown) })
    )
    return () => {
      stale = true
    }
  }, [client, verb, agent, integration, project, version])
  return preview
}

export interface AgentActions {
  /** Newest test of each agent. */
  readonly tests: Readonly<Record<string, AgentTest | 'running'>>
  readonly busy: string | null
  readonly problem: { readonly agent: string; readonly integration: Integration; readonly error: ErrorShape } | null
  /** Writes Driftline's entries, then sends a test event. Resolves false if nothing was written. */
  connect(agent: string, project: string | null): Promise<boolean>
  disconnect(agent: string, project: string | null): Promise<boolean>
  /** Adds or removes the MCP server. Resolves false if nothing was written. */
  changeTools(verb: Verb, agent: string, project: string | null): Promise<boolean>
  test(agent: string, project: string | null): Promise<void>
}

export function useAgentActions(refetch: () => void): AgentActions {
  const { client } = useDriftline()
  const [tests, setTests] = useState<AgentActions['tests']>({})
  const [busy, setBusy] = useState<string | null>(null)
  const [problem, setProblem] = useState<AgentActions['problem']>(null)

  const change = async (verb: Verb, target: IntegrationTarget, announcement: string): Promise<boolean> => {
    const { agent, integration } = target
    setBusy(agent)
    setProblem(null)
    try {
      await client.call(`agents.${verb}`, { ...paramsOf(target), dryRun: false })
      announce(`${agentIdentity(agent).name} ${announcement}.`)
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
    const setTest = (result: AgentTest | 'running') => setTests((all) => ({ ...all, [agent]: result }))
    setTest('running')
    try {
      const result = await client.call('agents.test', { agent, ...(project ? { project } : {}) })
      setTest(result)
      announce(
        result.recorded
          ? `Test: sent, received in ${result.receivedMs} milliseconds, recorded. ${result.problem}`.trim()
          : `Test failed. ${result.problem}`
      )
    } catch (thrown) {
      setTest({ sent: false, receivedMs: null, recorded: false, problem: toErrorShape(thrown).message })
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
      if (done) setTests(({ [agent]: _removed, ...rest }) => rest)
      return done
    },
    changeTools: (verb, agent, project) =>
      change(
        verb,
        { agent, integration: 'mcp', project },
        verb === 'connect' ? 'gets the file tools on its next start' : 'no longer has the file tools'
      ),
    test
  }
}

/** Error of the last change of an agent's integration, null if it succeeded. */
export function problemOf({ problem }: AgentActions, agent: string, integration: Integration): string | null {
  return problem?.agent === agent && problem.integration === integration ? problem.error.message : null
}
