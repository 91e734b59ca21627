/** `driftline disconnect --all`: removes Driftline's entries from the settings of all agents. */
import type { AgentChange } from '../../../contract/agents.ts'
import { DriftlineError } from '../../../contract/errors.ts'
import type { Context } from '../context.ts'
import { escapeLine, escapeText } from '../escape.ts'

/**
 * Disconnects every agent, in the user's settings and in those of every recorded folder. A failure does not stop the rest.
 * Resolves to the exit code.
 */
export async function disconnectAll(
  context: Context,
  dryRun: boolean,
  homeOf: (agent: string) => string | undefined
): Promise<number> {
  const { output } = context
  const { agents } = await context.call('agents.list', {})
  const { workspaces } = await context.call('workspaces.list', {})
  const projects = [
    undefined,
    ...workspaces.filter((workspace) => workspace.folder === 'present').map((workspace) => workspace.root)
  ]
  const changes: AgentChange[] = []
  const problems: string[] = []
  for (const { id } of agents) {
    for (const { project, mcp } of projects.flatMap((project) => [false, true].map((mcp) => ({ project, mcp })))) {
      try {
        const home = project ? undefined : homeOf(id)
        const change = await context.call('agents.disconnect', {
          agent: id,
          dryRun,
          ...(mcp ? { mcp } : {}),
          ...(project ? { project } : {}),
          ...(home ? { home } : {})
        })
        if (change.change !== '') changes.push(change)
      } catch (error) {
        if (!(error instanceof DriftlineError)) throw error
        problems.push(`${id}: ${error.message}`)
      }
    }
  }
  output.document({ changes, problems })
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
