/** The agents, one row each: how it stands and what can be done; one of them opened at a time. */
import { useState } from 'react'
import type { Workspace } from '../../../contract/workspace.ts'
import { useDriftline } from '../../client/context.tsx'
import { agentIdentity } from '../../ui/agent.tsx'
import { AgentRow, type PanelKind } from './agent-row.tsx'
import { ChangePanel } from './change-panel.tsx'
import { SetupHelp } from './setup-help.tsx'
import type { AgentScope, AgentView } from './use-agents.ts'
import { type AgentActions, problemOf } from './use-connect.ts'

interface AgentListProps {
  readonly agents: readonly AgentView[]
  readonly acts: AgentActions
  readonly workspace: Workspace | null
  readonly home: string
  /** Opened from the start: somebody came here to connect it. */
  readonly initial?: string | null
  readonly onRefresh: () => void
}

export function AgentList({ agents, acts, workspace, home, initial = null, onRefresh }: AgentListProps) {
  const { platform } = useDriftline()
  const [open, setOpen] = useState<{ readonly agent: string; readonly panel: PanelKind } | null>(
    initial ? { agent: initial, panel: 'connect' } : null
  )
  const [scope, setScope] = useState<AgentScope>('user')
  const project = workspace?.root ?? null

  /** Closing gives the focus back to what opened the panel. */
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
        // Where it is connected already is where it is changed; a new one goes where the person says.
        const place = panel === 'connect' ? scope : (view.connectedIn ?? 'user')
        const act = (verb: 'connect' | 'disconnect') => {
          const done = acts[verb](view.id, place === 'project' ? project : null)
          void done.then((written) => {
            if (!written) return
            const wantsTrust = verb === 'connect' && view.id === 'codex' && view.state.lastEventAt === null
            if (wantsTrust) setOpen({ agent: view.id, panel: 'trust' })
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
              test={acts.tests[view.id] ?? null}
              busy={acts.busy === view.id}
              onPanel={(next) => setOpen({ agent: view.id, panel: next })}
              onTest={() => void acts.test(view.id, view.connectedIn === 'project' ? project : null)}
              onRefresh={onRefresh}
              onOpenFile={platform.openInEditor ? (file) => void platform.openInEditor?.(file) : null}
            />
            {panel === 'connect' || panel === 'disconnect' || panel === 'entries' ? (
              <ChangePanel
                key={`${panel} ${place}`}
                view={view}
                name={name}
                integration="hooks"
                verb={panel === 'connect' ? 'connect' : 'disconnect'}
                readOnly={panel === 'entries'}
                scope={place}
                project={project}
                home={home}
                busy={acts.busy === view.id}
                problem={problemOf(acts, view.id, 'hooks')}
                onAct={() => act(panel === 'connect' ? 'connect' : 'disconnect')}
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
