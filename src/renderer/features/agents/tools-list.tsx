/** Which agents have our file tools over MCP: a switch each, whose change is looked at before it is written. */
import { useState } from 'react'
import type { Workspace } from '../../../contract/workspace.ts'
import { agentIdentity, AgentTile } from '../../ui/agent.tsx'
import { shortPath } from '../../ui/format.ts'
import { Segmented } from '../../ui/segmented.tsx'
import { SCOPES } from './agent-row.tsx'
import { ChangePanel } from './change-panel.tsx'
import { type ToolsStatus, toolsStatus } from './tools-status.ts'
import type { AgentScope, AgentView } from './use-agents.ts'
import { type AgentActions, problemOf } from './use-connect.ts'

interface ToolsListProps {
  readonly agents: readonly AgentView[]
  readonly acts: AgentActions
  readonly workspace: Workspace | null
  readonly home: string
}

export function ToolsList({ agents, acts, workspace, home }: ToolsListProps) {
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
        const words = toolsStatus(view)
        const { name } = agentIdentity(view.id)
        const opened = open === view.id
        const place = words.on ? (words.scope ?? 'user') : scope
        const verb = words.on ? 'disconnect' : 'connect'
        return (
          <li key={view.id} data-tools={view.id}>
            <div className={opened ? 'agent tools opened' : 'agent tools'}>
              <AgentTile agent={view.id} className="md" />
              <div className="grow">
                <h3 className="n">{name}</h3>
                <ToolsStatusLine id={`tools-${view.id}`} words={words} home={home} />
              </div>
              {opened && project && !words.on && view.state.tools ? (
                <Segmented label="Scope" options={SCOPES} value={scope} onChange={setScope} />
              ) : null}
              <input
                type="checkbox"
                role="switch"
                className="switch"
                checked={words.on}
                aria-checked={words.on}
                aria-label={`File tools of ${name}`}
                aria-describedby={`tools-${view.id}`}
                onChange={() => (opened ? close(view.id) : setOpen(view.id))}
              />
            </div>
            {opened ? (
              <ChangePanel
                key={`${verb} ${place}`}
                view={view}
                name={name}
                integration="tools"
                verb={verb}
                scope={place}
                project={project}
                home={home}
                busy={acts.busy === view.id}
                problem={problemOf(acts, view.id, 'tools')}
                onAct={() =>
                  void acts
                    .changeTools(verb, view.id, place === 'project' ? project : null)
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

function ToolsStatusLine({ id, words, home }: { readonly id: string; readonly words: ToolsStatus; readonly home: string }) {
  return (
    <p className="d" id={id}>
      {words.on ? <span className="c-ok">On</span> : words.file === null ? 'Added by hand' : 'Off'}
      {words.on && words.scope === 'project' ? (
        <>
          <span className="dot-sep" />
          this project only
        </>
      ) : null}
      {words.on && words.file !== null ? (
        <>
          <span className="dot-sep" />
          in {shortPath(words.file, home)}
        </>
      ) : null}
    </p>
  )
}
