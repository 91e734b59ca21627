/** The agents, one row each with its status and buttons. At most one panel is open. */

import { useState } from 'react'
import { agentIdentity } from '../../../contract/words/agents.ts'
import type { Workspace } from '../../../contract/workspace.ts'
import { useDriftline } from '../../client/context.tsx'
import { AgentRow, type PanelKind } from './agent-row.tsx'
import { ChangePanel } from './change-panel.tsx'
import { SetupHelp } from './setup-help.tsx'
import type { AgentScope, AgentView } from './use-agents.ts'
import { type AgentActions, problemOf } from './use-connect.ts'

interface AgentListProps {
  readonly agents: readonly AgentView[]
  readonly actions: AgentActions
  readonly workspace: Workspace | null
  readonly home: string
  /** Agent whose connect panel is open at first. */
  readonly initial?: string | null
  readonly onRefresh: () => void
}

export function AgentList({ agents, actions, workspace, home, initial = null, onRefresh }: AgentListProps) {
  const { platform } = useDriftline()
  const [open, setOpen] = useState<{ readonly agent: string; readonly panel: PanelKind } | null>(
    initial ? { agent: initial, panel: 'connect' } : null
  )
  const [scope, setScope] = useState<AgentScope>('user')
  const project = workspace?.root ?? null

  /** Closes the panel and returns the focus to its opener. */
  const close = (agent: string) => {
    setOpen(null)
    requestAnimationFrame(() => {
      const row = document.querySelector<HTMLElement>(`[data-agent="${agent}"]`)
      ;(row?.querySelector<HTMLElement>('[data-opener]') ?? row?.querySelector('button'))?.focus()
    })
  }

  return (
    <ul className="set" aria-label="Agents">
      {agents.map((view) => {
        const panel = open?.agent === view.id ? open.panel : null
        const { name } = agentIdentity(view.id)
        // A connected agent is changed in its scope; a new one is connected in the chosen scope.
        const panelScope = panel === 'connect' ? scope : (view.connectedIn ?? 'user')
        const change = (verb: 'connect' | 'disconnect') => {
          const done = actions[verb](view.id, panelScope === 'project' ? project : null)
          void done.then((written) => {
            if (!written) return
            const needsTrust = verb === 'connect' && view.id === 'codex' && view.state.lastEventAt === null
            if (needsTrust) setOpen({ agent: view.id, panel: 'trust' })
            else close(view.id)
          })
        }
        return (
          <li key={view.id} data-agent={view.id}>
            <AgentRow
              view={view}
              home={home}
              panel={panel}
              scope={project && panel === 'connect' ? { value: scope, set: setScope } : null}
              test={actions.tests[view.id] ?? null}
              busy={actions.busy === view.id}
              onPanel={(next) => setOpen({ agent: view.id, panel: next })}
              onTest={() => void actions.test(view.id, view.connectedIn === 'project' ? project : null)}
              onRefresh={onRefresh}
              onOpenFile={platform.openInEditor ? (file) => void platform.openInEditor?.(file) : null}
            />
            {panel === 'connect' || panel === 'disconnect' || panel === 'entries' ? (
              <ChangePanel
                key={`${panel} ${panelScope}`}
                view={view}
                name={name}
                integration="hooks"
                verb={panel === 'connect' ? 'connect' : 'disconnect'}
                readOnly={panel === 'entries'}
                scope={panelScope}
                project={project}
                home={home}
                busy={actions.busy === view.id}
                problem={problemOf(actions, view.id, 'hooks')}
                onConfirm={() => change(panel === 'connect' ? 'connect' : 'disconnect')}
                onClose={() => close(view.id)}
              />
            ) : null}
            {panel === 'how' || panel === 'trust' ? (
              <SetupHelp
                view={view}
                name={name}
                about={panel}
                home={home}
                onConnect={() => setOpen({ agent: view.id, panel: 'connect' })}
                onClose={() => close(view.id)}
              />
            ) : null}
          </li>
        )
      })}
    </ul>
  )
}
