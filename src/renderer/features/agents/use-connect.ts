/**
 * Connects, tests and disconnects one agent; previews the change of its settings. A preview is read anew whenever it
 * opens, because the agent's file may have changed since.
 */
import { useEffect, useRef, useState } from 'react'
import type { AgentTest } from '../../../contract/agents.ts'
import { toErrorShape } from '../../../contract/errors.ts'
import { agentTestText } from '../../../contract/words/agent-problems.ts'
import { agentIdentity } from '../../../contract/words/agents.ts'
import { useDriftline } from '../../client/context.tsx'
import { useQuery } from '../../client/use-query.ts'
import { announce } from '../../ui/live-region.tsx'

export type Verb = 'connect' | 'disconnect'
/** How an agent is connected: hooks that report its work, or Driftline's MCP server. */
export type Integration = 'hooks' | 'mcp'

interface IntegrationTarget {
  readonly agent: string
  readonly integration: Integration
  /** Root of the project whose settings are changed; null for the user settings. */
  readonly project: string | null
}

const paramsOf = ({ agent, integration, project }: IntegrationTarget) => ({
  agent,
  mcp: integration === 'mcp',
  ...(project ? { project } : {})
})

/** Loads what `verb` would change. A new value of `version` loads it again. */
export function useChangePreview(verb: Verb, target: IntegrationTarget, version: number) {
  const { data, error, refetch } = useQuery(`agents.${verb}`, { ...paramsOf(target), dryRun: true }, { fresh: true })
  const loaded = useRef(version)
  useEffect(() => {
    if (loaded.current !== version) refetch()
    loaded.current = version
  }, [version, refetch])
  return { change: data, error }
}

export type AgentActions = ReturnType<typeof useAgentActions>

export function useAgentActions(refetch: () => void) {
  const { client } = useDriftline()
  /** Newest test of each agent. */
  const [tests, setTests] = useState<Readonly<Record<string, AgentTest | 'running'>>>({})
  const [busy, setBusy] = useState<string | null>(null)
  const [failed, setFailed] = useState<(IntegrationTarget & { readonly message: string }) | null>(null)

  /** Resolves false if nothing was written. */
  const change = async (verb: Verb, target: IntegrationTarget, announcement: string): Promise<boolean> => {
    setBusy(target.agent)
    setFailed(null)
    try {
      await client.call(`agents.${verb}`, { ...paramsOf(target), dryRun: false })
      announce(`${agentIdentity(target.agent).name} ${announcement}.`)
      return true
    } catch (thrown) {
      setFailed({ ...target, message: toErrorShape(thrown).message })
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
          ? `Test: sent, received in ${result.receivedMs} milliseconds, recorded. ${agentTestText(agent, result.problem)}`.trim()
          : `Test failed. ${agentTestText(agent, result.problem)}`
      )
    } catch (thrown) {
      setTest({
        sent: false,
        receivedMs: null,
        recorded: false,
        problem: { code: 'refused', message: toErrorShape(thrown).message }
      })
    } finally {
      refetch()
    }
  }

  return {
    tests,
    /** The agent whose settings are being written. */
    busy,
    test,
    /** Why the last change of an agent's integration failed, null if it succeeded. */
    problemOf: (agent: string, integration: Integration) =>
      failed?.agent === agent && failed.integration === integration ? failed.message : null,
    /** Writes Driftline's entries, then sends a test event. */
    connect: async (agent: string, project: string | null) => {
      const done = await change('connect', { agent, integration: 'hooks', project }, 'is connected')
      if (done) await test(agent, project)
      return done
    },
    disconnect: async (agent: string, project: string | null) => {
      const done = await change('disconnect', { agent, integration: 'hooks', project }, 'is disconnected')
      if (done) setTests(({ [agent]: _removed, ...rest }) => rest)
      return done
    },
    /** Adds or removes the MCP server. */
    changeTools: (verb: Verb, agent: string, project: string | null) => {
      const announcement = verb === 'connect' ? 'gets the file tools on its next start' : 'no longer has the file tools'
      return change(verb, { agent, integration: 'mcp', project }, announcement)
    }
  }
}
