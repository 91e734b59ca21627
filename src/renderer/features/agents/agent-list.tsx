/** The agents, one row each with its status and buttons. At most one panel is open. */
import { useState } from 'react'
import { agentIdentity } from '../../../contract/words/agents.ts'
import { shortPath } from '../../../contract/words/paths.ts'
import type { Workspace } from '../../../contract/workspace.ts'
import { useHome } from '../../client/use-query.ts'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { InlinePanel } from '../../ui/inline-panel.tsx'
import { AgentRow, type PanelKind } from './agent-row.tsx'
import { ChangePanel } from './change-panel.tsx'
import { RunCommand } from './run-command.tsx'
import type { AgentScope, AgentView } from './use-agents.ts'
import type { AgentActions } from './use-connect.ts'

interface AgentListProps {
  readonly agents: readonly AgentView[]
  readonly actions: AgentActions
  readonly workspace: Workspace | null
  /** Agent whose connect panel is open at first. */
  readonly initial?: string | null
  readonly onRefresh: () => void
}

export function AgentList({ agents, actions, workspace, initial = null, onRefresh }: AgentListProps) {
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
        const openPanel = (next: PanelKind) => setOpen({ agent: view.id, panel: next })
        return (
          <li key={view.id} data-agent={view.id}>
            <AgentRow
              view={view}
              panel={panel}
              scope={project && panel === 'connect' ? { value: scope, set: setScope } : null}
              test={actions.tests[view.id] ?? null}
              busy={actions.busy === view.id}
              onPanel={openPanel}
              onTest={() => void actions.test(view.id, view.connectedIn === 'project' ? project : null)}
              onRefresh={onRefresh}
            />
            <AgentPanel
              view={view}
              panel={panel}
              actions={actions}
              // A connected agent is changed in its scope; a new one is connected in the chosen scope.
              scope={panel === 'connect' ? scope : (view.connectedIn ?? 'user')}
              project={project}
              onPanel={openPanel}
              onClose={() => close(view.id)}
            />
          </li>
        )
      })}
    </ul>
  )
}

interface AgentPanelProps {
  readonly view: AgentView
  /** null: none is open. */
  readonly panel: PanelKind | null
  readonly actions: AgentActions
  readonly scope: AgentScope
  readonly project: string | null
  readonly onPanel: (panel: PanelKind) => void
  readonly onClose: () => void
}

/** The panel that is open below an agent's row. */
function AgentPanel({ view, panel, actions, scope, project, onPanel, onClose }: AgentPanelProps) {
  if (panel === null) return null
  if (panel === 'how' || panel === 'trust')
    return <SetupHelp view={view} about={panel} onConnect={() => onPanel('connect')} onClose={onClose} />
  const verb = panel === 'connect' ? 'connect' : 'disconnect'
  const change = async () => {
    const written = await actions[verb](view.id, scope === 'project' ? project : null)
    if (!written) return
    const needsTrust = verb === 'connect' && view.id === 'codex' && view.state.lastEventAt === null
    if (needsTrust) onPanel('trust')
    else onClose()
  }
  return (
    <ChangePanel
      key={`${panel} ${scope}`}
      view={view}
      actions={actions}
      integration="hooks"
      verb={verb}
      readOnly={panel === 'entries'}
      scope={scope}
      project={project}
      onConfirm={() => void change()}
      onClose={onClose}
    />
  )
}

interface SetupHelpProps {
  readonly view: AgentView
  readonly about: 'how' | 'trust'
  readonly onConnect: () => void
  readonly onClose: () => void
}

/** Steps that only a person can do: install an agent, or trust Driftline's hooks in Codex. */
function SetupHelp({ view, about, onConnect, onClose }: SetupHelpProps) {
  const home = useHome()
  const file = shortPath(view.state.file, home)
  return (
    <InlinePanel
      label={
        about === 'trust' ? 'How to trust Driftline’s hooks in Codex' : `How to connect ${agentIdentity(view.id).name}`
      }
      problem={null}
      onClose={onClose}
    >
      {about === 'trust' ? (
        <>
          <p className="small">
            Codex silently skips hooks that you have not trusted. Driftline never sets this trust for you:
          </p>
          <ol className="how">
            <li>Open Codex in a terminal, in any folder.</li>
            <li>
              Type <code className="mono">/hooks</code> and press Enter.
            </li>
            <li>Review the {view.state.entries.wanted} Driftline entries and trust each one.</li>
          </ol>
          <p className="small muted">
            The hook commands never change, so Codex asks only once. This notice disappears after the first event from
            Codex.
          </p>
        </>
      ) : (
        <>
          <p className="small">
            Neither its program on your PATH nor {file.slice(0, Math.max(0, file.lastIndexOf('/')))} was found. It
            appears here once it is installed.
          </p>
          <p className="small muted">
            Installed elsewhere? Connecting writes {file}, which it reads on its next start. Until then, record any
            command as one run with <RunCommand />.
          </p>
        </>
      )}
      <div className="cap-row">
        <span className="grow" />
        {about === 'trust' ? (
          <CopyButton label="Copy /hooks" text="/hooks" />
        ) : (
          <Button onClick={onConnect}>Connect anyway…</Button>
        )}
        <Button onClick={onClose}>Close</Button>
      </div>
    </InlinePanel>
  )
}
