/** Hook events, and how agents are connected. */
import { existsSync } from 'node:fs'
import { dirname, extname, join } from 'node:path'
import type { AgentState } from '../../../contract/agents.ts'
import { listAgentStates } from '../agents/connect/agent-states.ts'
import { queryCodexTrust } from '../agents/connect/codex-trust.ts'
import { type ConnectContext, connect, disconnect, parseAgent } from '../agents/connect/connect.ts'
import { launcherFile, writeLauncher } from '../agents/connect/launcher.ts'
import { testConnection } from '../agents/connect/test-connection.ts'
import { ingestEvent } from '../agents/gateway.ts'
import type { HookEvent } from '../agents/hook-event.ts'
import { replaySpool } from '../agents/spool.ts'
import type { EngineContext } from '../context.ts'
import type { Handlers } from './handler.ts'

export const AGENTS: Handlers<'agent.event' | 'agents.list' | 'agents.connect' | 'agents.disconnect' | 'agents.test'> =
  {
    'agent.event': async (context, event) => {
      // Older events first: a prompt in the spool opens the run that this event belongs to.
      await ingestSpool(context)
      return ingestEvent(context, event as HookEvent)
    },
    'agents.list': (context, { project }) => ({
      agents: agentStatesFor(context, project)
    }),
    'agents.connect': (context, { agent, dryRun, project, home, mcp }) =>
      connect(parseAgent(agent), connectContextOf(context, project, home), dryRun, mcp ? 'mcp' : 'hooks'),
    'agents.disconnect': (context, { agent, dryRun, project, home, mcp }) =>
      disconnect(parseAgent(agent), connectContextOf(context, project, home), dryRun, mcp ? 'mcp' : 'hooks'),
    'agents.test': (context, { agent, project, home }) =>
      testConnection(parseAgent(agent), connectContextOf(context, project, home), {
        now: () => context.clock.now(),
        takeSpool: () => ingestSpool(context),
        testedAt: context.registry.agentTestAt
      })
  }

export function agentStatesFor(context: EngineContext, project?: string): AgentState[] {
  return listAgentStates(connectContextOf(context, project), context.registry.lastAgentEvents())
}

/** Also asks agents whether they trust our hooks. That starts their programs, so only on a person's request. */
export async function agentStatesWithTrust(context: EngineContext): Promise<AgentState[]> {
  const states = agentStatesFor(context)
  if (states.every(({ id, connected }) => id !== 'codex' || connected === 'no')) return states
  const connectContext = connectContextOf(context)
  return listAgentStates(connectContext, context.registry.lastAgentEvents(), await queryCodexTrust(connectContext))
}

/** Points the launcher that agents call at this program, which may have moved since they were connected. */
export function refreshLauncher(context: EngineContext): void {
  const { dataDir, cli } = connectContextOf(context)
  if (existsSync(launcherFile(dataDir))) writeLauncher(dataDir, cli)
}

export function connectContextOf(context: EngineContext, project?: string, agentHome?: string): ConnectContext {
  const { dataDir, programs } = context.options
  return {
    dataDir,
    home: context.home,
    env: process.env,
    // All programs of a package are in one folder.
    cli: join(dirname(programs.ingest), extname(programs.ingest) === '.ts' ? 'cli.ts' : 'cli.cjs'),
    now: context.clock.now(),
    createdFiles: context.registry.createdForAgents,
    ...(project ? { project } : {}),
    ...(agentHome ? { agentHome } : {})
  }
}

/** The last replay of each engine; the next one waits for it. */
const REPLAYS = new WeakMap<EngineContext, Promise<void>>()

/**
 * [GW-1] Ingests the events that were spooled while no recorder was running, one after another so that they keep their
 * order.
 */
export function ingestSpool(context: EngineContext): Promise<void> {
  const previous = REPLAYS.get(context) ?? Promise.resolve()
  const replay = previous.then(async () => {
    const { options, unrecorded } = context
    await replaySpool(options.dataDir, (event) => ingestEvent(context, event, 'spool'), unrecorded)
  })
  // A failure rejects only its own caller; the next replay starts anyway.
  REPLAYS.set(
    context,
    replay.catch(() => {})
  )
  return replay
}
