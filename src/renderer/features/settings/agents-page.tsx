/** Connect, test and disconnect agents. */
import { shortPath } from '../../../contract/words/paths.ts'
import { useCommand, useHome } from '../../client/use-query.ts'
import { FailedNotice } from '../../ui/failed-notice.tsx'
import { AgentList } from '../agents/agent-list.tsx'
import { RunCommand } from '../agents/run-command.tsx'
import { ToolsList } from '../agents/tools-list.tsx'
import { useAgents } from '../agents/use-agents.ts'
import { useAgentActions } from '../agents/use-connect.ts'
import { FindingSettings } from './finding-settings.tsx'
import type { PageProps } from './page-props.ts'
import { ReviewSettings } from './review-settings.tsx'

export function AgentsPage({ workspace, agent }: PageProps) {
  const command = useCommand()
  const home = useHome()
  const { agents, error, refetch } = useAgents(workspace)
  const actions = useAgentActions(refetch)
  return (
    <>
      <h1>Agents</h1>
      <p className="muted">
        Connected agents report when a run starts, which files it is about to write, and when it stops. Files are
        recorded either way; without a connection, runs are inferred from timing.
      </p>
      {agents ? (
        <AgentList agents={agents} actions={actions} workspace={workspace} initial={agent} onRefresh={refetch} />
      ) : error ? (
        <FailedNotice error={error} className="settings-notice" onRetry={refetch} />
      ) : (
        <div className="set" aria-busy="true" />
      )}
      <p className="small muted settings-after">
        For any other tool, <RunCommand /> records its work as one run.
      </p>
      {agents ? (
        <>
          <ReviewSettings agents={agents} />
          <FindingSettings />
          <h2 className="label settings-label">File tools</h2>
          <p className="small muted settings-about">
            Agents and chat apps can also use Driftline’s own tools over MCP: each write is recorded as it happens, and
            edits tolerate small mismatches. Turning it on shows the settings change first.
          </p>
          <ToolsList agents={agents} actions={actions} workspace={workspace} />
          <p className="small muted settings-after">
            For any other client, use the command <code className="mono">{shortPath(command, home)} mcp</code>.
          </p>
        </>
      ) : null}
    </>
  )
}
