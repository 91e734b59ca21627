/** `driftline connect`, `disconnect`, `agents`: hooks in the agents' own settings, shown before they are written. */
import type { AgentChange } from '../../../contract/agents.ts'
import { DriftlineError } from '../../../contract/errors.ts'
import { columns } from '../columns.ts'
import { command } from '../command.ts'
import { canAsk, confirm } from '../confirm.ts'
import type { Context } from '../context.ts'
import { escapeLine, escapeText } from '../escape.ts'
import { when } from '../words.ts'
import { disconnectAll } from './leave.ts'

const OPTIONS = {
  mcp: { type: 'boolean', help: 'the file and history tools (`driftline mcp`) instead of the hooks' },
  project: { type: 'boolean', help: 'only for the recorded folder, in its own settings' },
  'dry-run': { type: 'boolean', help: 'show what would change and write nothing' },
  yes: { type: 'boolean', short: 'y', help: 'do not ask' }
} as const

type Values = {
  readonly mcp?: boolean
  readonly project?: boolean
  readonly 'dry-run'?: boolean
  readonly yes?: boolean
}

/** Variables that move an agent's own folder. */
const HOMES: Readonly<Record<string, string>> = { 'claude-code': 'CLAUDE_CONFIG_DIR', codex: 'CODEX_HOME' }

function homeOf(context: Context, agent: string): string | undefined {
  return HOMES[agent] ? context.surroundings.env[HOMES[agent]] : undefined
}

export const connect = command({
  name: 'connect',
  usage: ['AGENT [--mcp] [--project] [--dry-run]'],
  summary: 'let an agent tell of its work: adds hooks to its settings, after showing them',
  options: OPTIONS,
  positionals: [1, 1],
  run: (context, { values, positionals }) => change(context, 'agents.connect', positionals[0]!, values)
})

export const disconnect = command({
  name: 'disconnect',
  usage: ['AGENT [--mcp] [--project] [--dry-run]', '--all [--dry-run]'],
  summary: "take Driftline's hooks out of an agent's settings again, and nothing else",
  options: { ...OPTIONS, all: { type: 'boolean', help: 'out of every agent, everywhere' } },
  positionals: [0, 1],
  run: (context, { values, positionals }) => {
    if ((values.all === true) === (positionals.length === 1))
      throw new DriftlineError('Usage', 'Name an agent, or say --all for every one.', {})
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
  const more = {
    ...(mcp ? { mcp } : {}),
    ...(values.project ? { project: (await context.workspace()).root } : {}),
    // A running host has other surroundings than this terminal.
    ...(home ? { home } : {})
  }
  const preview = await context.call(method, { agent, dryRun: true, ...more })
  const dryRun = values['dry-run'] === true
  if (preview.change !== '') output.lines(preview.change.trimEnd().split('\n').map(escapeLine))
  output.lines(goes(preview))
  if (dryRun) {
    output.document(preview)
    output.lines([preview.change === '' ? nothing(method, preview, mcp) : 'Nothing was written: this was a dry run.'])
    return 0
  }
  const asks = preview.change !== '' && !values.yes && canAsk(output)
  const question = preview.removed.length > 0 ? 'Delete it?' : `Write this to ${escapeLine(preview.file)}?`
  if (asks && !(await confirm(question))) return 3
  const done = await context.call(method, { agent, dryRun: false, ...more })
  output.document(done)
  output.lines([
    done.applied ? said(method, done, mcp) : nothing(method, done, mcp),
    ...(done.backup ? [`What was there before: ${escapeLine(done.backup)}`] : []),
    ...(done.note && method === 'agents.connect' ? [done.note] : [])
  ])
  return 0
}

/** What is about to be deleted. */
function goes({ removed }: AgentChange): string[] {
  if (removed.length === 0) return []
  return [`This deletes ${removed.map(escapeLine).join(', ')}: nothing is in it but what Driftline wrote.`]
}

function said(method: string, done: AgentChange, mcp: boolean): string {
  if (mcp)
    return method === 'agents.connect'
      ? `${done.agent} has Driftline's tools: in a recorded folder what it does with them can be taken back.`
      : `${done.agent} does not have Driftline's tools any more.`
  return method === 'agents.connect'
    ? `${done.agent} is connected: its next session in a recorded folder shows up by itself.`
    : `${done.agent} is not connected any more.`
}

function nothing(method: string, done: AgentChange, mcp: boolean): string {
  if (mcp)
    return method === 'agents.connect'
      ? `${done.agent} has Driftline's tools already.`
      : `${done.agent} did not have Driftline's tools.`
  return method === 'agents.connect' ? `${done.agent} is connected already.` : `${done.agent} was not connected.`
}

export const agents = command({
  name: 'agents',
  usage: [''],
  summary: 'list the agents, whether they are connected, and what is wrong',
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
          agent.tools?.on ? 'has the tools' : '',
          agent.lastEventAt === null ? 'never heard of' : `heard of ${when(agent.lastEventAt, context.now())}`
        ])
      )
    )
    for (const agent of answer.agents)
      output.lines(agent.problems.map((problem) => `${agent.id}: ${escapeText(problem)}`))
    return 0
  }
})
