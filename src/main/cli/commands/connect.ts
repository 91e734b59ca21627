/**
 * `driftline connect`, `disconnect`, `agents`: hooks and MCP tools in the agents' own settings. Every change is shown
 * before it is written.
 */
import type { AgentChange } from '../../../contract/agents.ts'
import { DriftlineError } from '../../../contract/errors.ts'
import { agentNotesText, agentProblemText } from '../../../contract/words/agent-problems.ts'
import { formatTime } from '../../../contract/words/times.ts'
import { columns } from '../columns.ts'
import { command, type Options, type Values, YES } from '../command.ts'
import { canAsk, confirm } from '../confirm.ts'
import type { Context } from '../context.ts'
import { agentChangeDocument, agentDocument } from '../documents.ts'
import { escapeLine, escapeText } from '../escape.ts'

const OPTIONS = {
  mcp: { type: 'boolean', help: 'add the file and history tools (`driftline mcp`) instead of hooks' },
  project: { type: 'boolean', help: 'only for the recorded folder, in its project settings' },
  'dry-run': { type: 'boolean', help: 'show what would change and write nothing' },
  yes: YES
} as const satisfies Options

/**
 * Variables that relocate an agent's own settings folder. A running host has another environment than this terminal.
 */
const HOMES: Readonly<Record<string, string>> = { 'claude-code': 'CLAUDE_CONFIG_DIR', codex: 'CODEX_HOME' }

function homeOf({ invocation, host }: Context, agent: string): string | undefined {
  return host !== null ? undefined : invocation.env[HOMES[agent] ?? ''] || undefined
}

export const connect = command({
  name: 'connect',
  usage: ['AGENT [--mcp] [--project] [--dry-run] [--yes]'],
  summary: 'connect an agent: adds hooks to its settings, after showing the change',
  options: OPTIONS,
  positionals: [1, 1],
  run: (context, { values, positionals }) => change(context, 'connect', positionals[0]!, values)
})

export const disconnect = command({
  name: 'disconnect',
  usage: ['AGENT [--mcp] [--project] [--dry-run] [--yes]', '--all [--dry-run] [--yes]'],
  summary: "disconnect an agent: removes only Driftline's entries from its settings",
  options: {
    ...OPTIONS,
    mcp: { type: 'boolean', help: 'remove the file and history tools instead of hooks' },
    all: { type: 'boolean', help: 'disconnect every agent, in every recorded folder' }
  },
  positionals: [0, 1],
  run: async (context, { values, positionals }) => {
    if ((values.all === true) === (positionals.length === 1))
      throw new DriftlineError('Usage', 'Name an agent, or use --all for every agent.', {})
    return values.all
      ? disconnectAll(context, values['dry-run'] === true)
      : change(context, 'disconnect', positionals[0]!, values)
  }
})

/** What happened to an agent, by what was asked for: its hooks, or Driftline's tools. */
const OUTCOMES = {
  hooks: {
    connect: ['is connected. Its next session in a recorded folder is recorded.', 'is already connected.'],
    disconnect: ['is disconnected.', 'was not connected.']
  },
  tools: {
    connect: [
      "now has Driftline's tools. In a recorded folder, its changes made with them can be undone.",
      "already has Driftline's tools."
    ],
    disconnect: ["no longer has Driftline's tools.", "did not have Driftline's tools."]
  }
} as const

async function change(
  context: Context,
  verb: 'connect' | 'disconnect',
  agent: string,
  values: Values<typeof OPTIONS>
): Promise<number> {
  const { output, call } = context
  const mcp = values.mcp || undefined
  const project = values.project ? (await context.workspace()).root : undefined
  const target = { agent, mcp, project, home: homeOf(context, agent) }
  const [changed, unchanged] = OUTCOMES[mcp ? 'tools' : 'hooks'][verb]
  const preview = await call(`agents.${verb}`, { ...target, dryRun: true })
  if (preview.change !== '') output.lines(preview.change.trimEnd().split('\n').map(escapeLine))
  const deleted = preview.removed.map(escapeLine).join(', ')
  if (deleted !== '') output.lines([`Deletes ${deleted}: it contains only what Driftline wrote.`])
  if (values['dry-run'])
    return output.print(agentChangeDocument(preview), [
      preview.change === '' ? `${preview.agent} ${unchanged}` : 'Dry run: nothing was written.'
    ])
  const needsConfirmation = preview.change !== '' && !values.yes && canAsk(output)
  const question = deleted === '' ? `Write this to ${escapeLine(preview.file)}?` : 'Delete these files?'
  if (needsConfirmation && !(await confirm(question))) return 3
  const done = await call(`agents.${verb}`, { ...target, dryRun: false })
  return output.print(agentChangeDocument(done), [
    `${done.agent} ${done.applied ? changed : unchanged}`,
    ...(done.backup ? [`Backup of the previous settings: ${escapeLine(done.backup)}`] : []),
    ...(verb === 'connect' && done.notes.length > 0 ? [agentNotesText(done.notes)] : [])
  ])
}

/**
 * Disconnects every agent, in the user's settings and in those of every recorded folder. A failure does not stop the
 * rest. Resolves to the exit code.
 */
async function disconnectAll(context: Context, dryRun: boolean): Promise<number> {
  const { output, call } = context
  const { agents } = await call('agents.list', {})
  const { workspaces } = await call('workspaces.list', {})
  const projects = [undefined, ...workspaces.flatMap(({ folder, root }) => (folder === 'present' ? root : []))]
  const targets = projects.flatMap((project) => [undefined, true].map((mcp) => ({ project, mcp })))
  const changes: AgentChange[] = []
  const problems: string[] = []
  for (const { id } of agents) {
    for (const target of targets) {
      try {
        const home = target.project ? undefined : homeOf(context, id)
        const change = await call('agents.disconnect', { ...target, agent: id, dryRun, home })
        if (change.change !== '') changes.push(change)
      } catch (error) {
        if (!(error instanceof DriftlineError)) throw error
        problems.push(`${id}: ${error.message}`)
      }
    }
  }
  output.document({ changes: changes.map(agentChangeDocument), problems })
  if (dryRun) output.lines(changes.flatMap(({ change }) => change.trimEnd().split('\n').map(escapeLine)))
  output.lines([
    ...changes.flatMap((change) => changeLines(change, dryRun ? 'would be' : 'was')),
    ...problems.map(escapeText),
    ...(changes.length + problems.length === 0 ? ['No agent was connected.'] : [])
  ])
  return problems.length > 0 ? 1 : 0
}

function changeLines({ agent, file, removed }: AgentChange, verb: string): string[] {
  if (removed.length === 0) return [`${agent}: ${verb} disconnected in ${escapeLine(file)}`]
  return removed.map((path) => `${agent}: ${escapeLine(path)} ${verb} deleted; it contains nothing else`)
}

const CONNECTED = { yes: 'connected', partly: 'partly connected', no: 'not connected' } as const

export const agents = command({
  name: 'agents',
  usage: [''],
  summary: 'list the agents, their connections and any problems',
  run: async ({ call, output }) => {
    const answer = await call('agents.list', {})
    const rows = answer.agents.map((agent) => [
      output.paint('bold', agent.id),
      agent.found ? 'installed' : 'not found',
      CONNECTED[agent.connected],
      agent.tools?.on ? 'has tools' : '',
      agent.lastEventAt === null ? 'no events yet' : `last event ${formatTime(agent.lastEventAt)}`
    ])
    const problems = answer.agents.flatMap(({ id, problems }) =>
      problems.map((problem) => `${id}: ${escapeText(agentProblemText(id, problem))}`)
    )
    return output.print({ agents: answer.agents.map(agentDocument) }, [...columns(rows), ...problems])
  }
})
