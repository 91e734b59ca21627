/** Driftline's MCP file tools: a switch for each agent. The settings change is shown before it is written. */
import { useState } from 'react'
import { agentIdentity } from '../../../contract/words/agents.ts'
import { shortPath } from '../../../contract/words/paths.ts'
import type { Workspace } from '../../../contract/workspace.ts'
import { useHome } from '../../client/use-query.ts'
import { AgentTile } from '../../ui/agent.tsx'
import { Dotted } from '../../ui/dotted.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { Switch } from '../../ui/switch.tsx'
import { SCOPES } from './agent-row.tsx'
import { ChangePanel } from './change-panel.tsx'
import type { AgentScope, AgentView } from './use-agents.ts'
import type { AgentActions } from './use-connect.ts'

interface ToolsListProps {
  readonly agents: readonly AgentView[]
  readonly actions: AgentActions
  readonly workspace: Workspace | null
}

export function ToolsList({ agents, actions, workspace }: ToolsListProps) {
  const [open, setOpen] = useState<string | null>(null)
  const [scope, setScope] = useState<AgentScope>('user')
  const project = workspace?.root ?? null
  const shown = agents.filter((view) => view.state.found || toolsStatus(view).on)
  const close = (agent: string) => {
    setOpen(null)
    requestAnimationFrame(() => document.querySelector<HTMLElement>(`[data-tools="${agent}"] [role="switch"]`)?.focus())
  }
  if (shown.length === 0) return null
  return (
    <ul className="set" aria-label="File tools">
      {shown.map((view) => {
        const status = toolsStatus(view)
        const { name } = agentIdentity(view.id)
        const opened = open === view.id
        const panelScope = status.on ? (status.scope ?? 'user') : scope
        const verb = status.on ? 'disconnect' : 'connect'
        return (
          <li key={view.id} data-tools={view.id}>
            <div className="agent agent-tools" data-open={opened || undefined}>
              <AgentTile agent={view.id} size="md" />
              <div className="grow agent-text">
                <h3 className="agent-name">{name}</h3>
                <ToolsStatusLine id={`tools-${view.id}`} status={status} />
              </div>
              {opened && project && !status.on && view.state.tools ? (
                <Segmented label="Scope" options={SCOPES} value={scope} onChange={setScope} />
              ) : null}
              <Switch
                on={status.on}
                aria-label={`File tools of ${name}`}
                aria-describedby={`tools-${view.id}`}
                onChange={() => (opened ? close(view.id) : setOpen(view.id))}
              />
            </div>
            {opened ? (
              <ChangePanel
                key={`${verb} ${panelScope}`}
                view={view}
                actions={actions}
                integration="mcp"
                verb={verb}
                scope={panelScope}
                project={project}
                onConfirm={() =>
                  void actions
                    .changeTools(verb, view.id, panelScope === 'project' ? project : null)
                    .then((written) => written && close(view.id))
                }
                onClose={() => close(view.id)}
              />
            ) : null}
          </li>
        )
      })}
    </ul>
  )
}

function ToolsStatusLine({ id, status }: { readonly id: string; readonly status: ToolsStatus }) {
  const home = useHome()
  const { on, scope, file } = status
  const state = on ? <span className="c-ok">On</span> : file === null ? 'Added by hand' : 'Off'
  const where = on && file !== null ? `in ${shortPath(file, home)}` : ''
  return (
    <p className="agent-about" id={id}>
      <Dotted facts={[state, on && scope === 'project' ? 'this project only' : '', where]} />
    </p>
  )
}

/** Whether an agent has Driftline's file tools, and in which settings file. */
interface ToolsStatus {
  readonly on: boolean
  /** Scope in which they are on; null if they are off. */
  readonly scope: AgentScope | null
  /** Settings file of that scope, else of the user; null if the agent's file is unknown. */
  readonly file: string | null
}

/** User settings take precedence over project settings. */
export function toolsStatus({ states, state }: AgentView): ToolsStatus {
  for (const scope of ['user', 'project'] as const) {
    const tools = states[scope]?.tools
    if (tools?.on) return { on: true, scope, file: tools.file }
  }
  return { on: false, scope: null, file: (states.user ?? state).tools?.file ?? null }
}
