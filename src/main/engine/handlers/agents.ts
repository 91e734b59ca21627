/** What agents tell through hooks. */
import { existsSync } from 'node:fs'
import { dirname, extname, join } from 'node:path'
import type { AgentState } from '../../../contract/agents.ts'
import { agentStates } from '../agents/connect/agent-states.ts'
import { askCodex } from '../agents/connect/ask-codex.ts'
import { agentOf, type Connecting, connect, disconnect } from '../agents/connect/connect.ts'
import { launcherFile, writeLauncher } from '../agents/connect/launcher.ts'
import { tryCommand } from '../agents/connect/try-command.ts'
import { takeEvent } from '../agents/gateway.ts'
import { replaySpool } from '../agents/spool.ts'
import type { GatewayContext } from '../agents/taking.ts'
import type { Told } from '../agents/told.ts'
import type { EngineContext } from '../context.ts'
import type { Handlers } from './handler.ts'

export const AGENTS: Handlers<'agent.event' | 'agents.list' | 'agents.connect' | 'agents.disconnect' | 'agents.test'> =
  {
    'agent.event': async (context, told) => {
      await takeSpooled(context)
      return takeEvent(gateway(context), told as Told)
    },
    'agents.list': (context, { project }) => ({
      agents: statesOfAgents(context, project)
    }),
    'agents.connect': (context, { agent, dryRun, project, home, mcp }) =>
      connect(agentOf(agent), connecting(context, project, home), dryRun, mcp ? 'mcp' : 'hooks'),
    'agents.disconnect': (context, { agent, dryRun, project, home, mcp }) =>
      disconnect(agentOf(agent), connecting(context, project, home), dryRun, mcp ? 'mcp' : 'hooks'),
    'agents.test': (context, { agent, project, home }) =>
      tryCommand(agentOf(agent), connecting(context, project, home), {
        now: () => context.clock.now(),
        testedAt: context.registry.testedAt
      })
  }

export function statesOfAgents(context: EngineContext, project?: string): AgentState[] {
  return agentStates(connecting(context, project), context.registry.lastHeard())
}

/** The same with what an agent says of its own trust: starts its program, so only on a person's request. */
export async function askedStatesOfAgents(context: EngineContext): Promise<AgentState[]> {
  const states = statesOfAgents(context)
  if (states.every(({ id, connected }) => id !== 'codex' || connected === 'no')) return states
  const places = connecting(context)
  return agentStates(places, context.registry.lastHeard(), await askCodex(places))
}

/** A host that stands elsewhere than the one that connected agents: from now on they call this one. */
export function refreshLauncher(context: EngineContext): void {
  const { dataDir, cli } = connecting(context)
  if (existsSync(launcherFile(dataDir))) writeLauncher(dataDir, cli)
}

function connecting(context: EngineContext, project?: string, agentHome?: string): Connecting {
  const { dataDir, programs } = context.options
  return {
    dataDir,
    home: context.home,
    env: process.env,
    // All our programs stand side by side.
    cli: join(dirname(programs.ingest), `cli${extname(programs.ingest)}`),
    now: context.clock.now(),
    made: context.registry.madeForAgents,
    ...(project ? { project } : {}),
    ...(agentHome ? { agentHome } : {})
  }
}

const TAKING = new WeakMap<EngineContext, Promise<void>>()

/** Takes what was spooled while nobody was there; one at a time, so that events keep their order. */
export function takeSpooled(context: EngineContext): Promise<void> {
  const before = TAKING.get(context) ?? Promise.resolve()
  const next = before.then(async () => {
    await replaySpool(context.options.dataDir, (told) => takeEvent(gateway(context), told, true))
  })
  // Each caller hears of its own failure; the next one starts anew.
  TAKING.set(
    context,
    next.catch(() => {})
  )
  return next
}

function gateway(context: EngineContext): GatewayContext {
  return {
    registry: context.registry,
    clock: context.clock,
    emit: (event, payload) => context.emit(event, payload)
  }
}
