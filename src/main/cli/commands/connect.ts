/**
 * `driftline connect`, `disconnect`, `agents`: hooks and MCP tools in the agents' own settings. Every change is shown
 * before it is written.
 */

import type { AgentChange } from '../../../contract/agents.ts'
import { DriftlineError } from '../../../contract/errors.ts'
import { formatTime } from '../../../contract/words/times.ts'
import { columns } from '../columns.ts'
import { command } from '../command.ts'
import { canAsk, confirm } from '../confirm.ts'
import type { Context } from '../context.ts'
import { escapeLine, escapeText } from '../escape.ts'
import { disconnectAll } from './disconnect-all.ts'

const OPTIONS = {
  mcp: { type: 'boolean', help: 'add the file and history tools (`driftline mcp`) instead of hooks' },
  project: { type: 'boolean', help: 'only for the recorded folder, in its project settings' },
  'dry-run': { type: 'boolean', help: 'show what would change and write nothing' },
  yes: { type: 'boolean', short: 'y', help: 'do not ask' }
} as const

type Values = {
  readonly mcp?: boolean
  readonly project?: boolean
  readonly 'dry-run'?: boolean
  readonly yes?: boolean
}

/** Variables that relocate an agent's own settings folder. */
const HOMES: Readonly<Record<string, string>> = { 'claude-code': 'CLAUDE_CONFIG_DIR', codex: 'CODEX_HOME' }

function homeOf(context: Context, agent: string): string | undefined {
  return HOMES[agent] ? context.invocation.env[HOMES[agent]] : undefined
}

export const connect = command({
  name: 'connect',
  usage: ['AGENT [--mcp] [--project] [--dry-run]'],
  summary: 'connect an agent: adds hooks to its settings, after showing the change',
  options: OPTIONS,
  positionals: [1, 1],
  run: (context, { values, positionals }) => change(context, 'agents.connect', positionals[0]!, values)
})

export const disconnect = command({
  name: 'disconnect',
  usage: ['AGENT [--mcp] [--project] [--dry-run]', '--all [--dry-run]'],
  summary: "disconnect an agent: removes only Driftline's entries from its settings",
  options: { ...OPTIONS, all: { type: 'boolean', help: 'disconnect every agent, in every recorded folder' } },
  positionals: [0, 1],
  run: (context, { values, positionals }) => {
    if ((values.all === true) === (positionals.length === 1))
      throw new DriftlineError('Usage', 'Name an agent, or use --all for every agent.', {})
    return values.all
      ? disconnectAll(context, values['dry-run'] === true, (agent) => homeOf(context, agent))
      : change(context, 'agents.disconnect', positionals[0]!, values)
  }
})

async function change(
  context: Context,
  method: 'agents.connect' | 'agents.disconnect',
  agent: string,
  values: Values
): Promise<number> {
  const { output } = context
  const home = homeOf(context, agent)
  const mcp = values.mcp === true
  const target = {
    ...(mcp ? { mcp } : {}),
    ...(values.project ? { project: (await context.workspace()).root } : {}),
    // A running host has another environment than this terminal.
    ...(home ? { home } : {})
  }
  const preview = await context.call(method, { agent, dryRun: true, ...target })
  const dryRun = values['dry-run'] === true
  if (preview.change !== '') output.lines(preview.change.trimEnd().split('\n').map(escapeLine))
  output.lines(deletionLines(preview))
  if (dryRun) {
    output.document(preview)
    output.lines([preview.change === '' ? describeNoChange(method, preview, mcp) : 'Dry run: nothing was written.'])
    return 0
  }
  const needsConfirmation = preview.change !== '' && !values.yes && canAsk(output)
  const question = preview.removed.length > 0 ? 'Delete these files?' : `Write this to ${escapeLine(preview.file)}?`
  if (needsConfirmation && !(await confirm(question))) return 3
  const done = await context.call(method, { agent, dryRun: false, ...target })
  output.document(done)
  output.lines([
    done.applied ? describeChange(method, done, mcp) : describeNoChange(method, done, mcp),
    ...(done.backup ? [`Backup of the previous settings: ${escapeLine(done.backup)}`] : []),
    ...(done.note && method === 'agents.connect' ? [done.note] : [])
  ])
  return 0
}

/** The files that contain nothing else and are deleted. */
function deletionLines({ removed }: AgentChange): string[] {
  if (removed.length === 0) return []
  return [`Deletes ${removed.map(escapeLine).join(', ')}: it contains only what Driftline wrote.`]
}

function describeChange(method: string, done: AgentChange, mcp: boolean): string {
  if (mcp)
    return method === 'agents.connect'
      ? `${done.agent} now has Driftline's tools. In a recorded folder, its changes made with them can be undone.`
      : `${done.agent} no longer has Driftline's tools.`
  return method === 'agents.connect'
    ? `${done.agent} is connected. Its next session in a recorded folder is recorded.`
    : `${done.agent} is disconnected.`
}

function describeNoChange(method: string, done: AgentChange, mcp: boolean): string {
  if (mcp)
    return method === 'agents.connect'
      ? `${done.agent} already has Driftline's tools.`
      : `${done.agent} did not have Driftline's tools.`
  return method === 'agents.connect' ? `${done.agent} is already connected.` : `${done.agent} was not connected.`
}

export const agents = command({
  name: 'agents',
  usage: [''],
  summary: 'list the agents, their connections and any problems',
  options: {},
  positionals: [0, 0],
  run: async (context) => {
    const answer = await context.call('agents.list', {})
    const { output } = context
    output.document(answer)
    output.lines(
      columns(
        answer.agents.map((agent) => [
          output.paint('bold', agent.id),
          agent.found ? 'installed' : 'not found',
          agent.connected === 'yes' ? 'connected' : agent.connected === 'partly' ? 'partly connected' : 'not connected',
          agent.tools?.on ? 'has tools' : '',
          agent.lastEventAt === null ? 'no events yet' : `last event ${formatTime(agent.lastEventAt, context.now())}`
        ])
      )
    )
    for (const agent of answer.agents)
      output.lines(agent.problems.map((problem) => `${agent.id}: ${escapeText(problem)}`))
    return 0
  }
})
