/** Which agents tell of their work, and how one is connected, tested and disconnected. */
import { FailedNotice } from '../../ui/failed-notice.tsx'
import { AgentList } from '../agents/agent-list.tsx'
import { ToolsList } from '../agents/tools-list.tsx'
import { useAgents } from '../agents/use-agents.ts'
import { useAgentActs } from '../agents/use-connect.ts'
import type { PageProps } from './page-props.ts'

export function AgentsPage({ workspace, home, agent }: PageProps & { readonly agent: string | null }) {
  const { agents, error, refetch } = useAgents(workspace)
  const acts = useAgentActs(refetch)
  return (
    <>
      <h1>Agents</h1>
      <p className="muted">
        Connected agents tell Driftline when a run starts, which files it is about to write, and when it stops. Files
        are recorded either way; without a connection runs are guessed from timing.
      </p>
      {agents ? (
        <AgentList
          agents={agents}
          acts={acts}
          workspace={workspace}
          home={home}
          initial={agent}
          onLookAgain={refetch}
        />
      ) : error ? (
        <FailedNotice error={error} className="settings-notice" onRetry={refetch} />
      ) : (
        <div className="set" aria-busy="true" />
      )}
      <p className="small muted settings-after">
        Any other tool: its files are recorded, and <code className="mono">driftline run -- your-agent</code> records it
        as one run.
      </p>
      {agents ? (
        <>
          <h2 className="label settings-label">File tools</h2>
          <p className="small muted settings-about">
            Agents and chat apps may also work through Driftline&apos;s own tools, over MCP: each write is recorded as
            it is made, and an edit finds its place when the quote is a little off. A switch shows the change before it
            is written.
          </p>
          <ToolsList agents={agents} acts={acts} workspace={workspace} home={home} />
          <p className="small muted settings-after">
            Any other client: its command is <code className="mono">driftline mcp</code>.
          </p>
        </>
      ) : null}
    </>
  )
}
