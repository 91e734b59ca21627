/** Driftline's MCP file tools: a switch for each agent. The settings change is shown before it is written. */

import { useState } from 'react'
import { agentIdentity } from '../../../contract/words/agents.ts'
import { shortPath } from '../../../contract/words/paths.ts'
import type { Workspace } from '../../../contract/workspace.ts'
import { AgentTile } from '../../ui/agent.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { SCOPES } from './agent-row.tsx'
import { ChangePanel } from './change-panel.tsx'
import { type ToolsStatus, toolsStatus } from './tools-status.ts'
import type { AgentScope, AgentView } from './use-agents.ts'
import { type AgentActions, problemOf } from './use-connect.ts'

interface ToolsListProps {
  readonly agents: readonly AgentView[]
  readonly actions: AgentActions
  readonly workspace: Workspace | null
  readonly home: string
}

export function ToolsList({ agents, actions, workspace, home }: ToolsListProps) {
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
            <div className={opened ? 'agent tools opened' : 'agent tools'}>
              <AgentTile agent={view.id} className="md" />
              <div className="grow">
                <h3 className="n">{name}</h3>
                <ToolsStatusLine id={`tools-${view.id}`} status={status} home={home} />
              </div>
              {opened && project && !status.on && view.state.tools ? (
                <Segmented label="Scope" options={SCOPES} value={scope} onChange={setScope} />
              ) : null}
              <input
                type="checkbox"
                role="switch"
                className="switch"
                checked={status.on}
                aria-checked={status.on}
                aria-label={`File tools of ${name}`}
                aria-describedby={`tools-${view.id}`}
                onChange={() => (opened ? close(view.id) : setOpen(view.id))}
              />
            </div>
            {opened ? (
              <ChangePanel
                key={`${verb} ${panelScope}`}
                view={view}
                name={name}
                integration="mcp"
                verb={verb}
                scope={panelScope}
                project={project}
                home={home}
                busy={actions.busy === view.id}
                problem={problemOf(actions, view.id, 'mcp')}
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

function ToolsStatusLine({
  id,
  status,
  home
}: {
  readonly id: string
  readonly status: ToolsStatus
  readonly home: string
}) {
  return (
    <p className="d" id={id}>
      {status.on ? <span className="c-ok">On</span> : status.file === null ? 'Added by hand' : 'Off'}
      {status.on && status.scope === 'project' ? (
        <>
          <span className="dot-sep" />
          this project only
        </>
      ) : null}
      {status.on && status.file !== null ? (
        <>
          <span className="dot-sep" />
          in {shortPath(status.file, home)}
        </>
      ) : null}
    </p>
  )
}
