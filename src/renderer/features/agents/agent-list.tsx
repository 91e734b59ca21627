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
              panel={panel}
              scope={project && panel === 'connect' ? { value: scope, set: setScope } : null}
              test={actions.tests[view.id] ?? null}
              busy={actions.busy === view.id}
              onPanel={(next) => setOpen({ agent: view.id, panel: next })}
              onTest={() => void actions.test(view.id, view.connectedIn === 'project' ? project : null)}
              onRefresh={onRefresh}
            />
            {panel === 'connect' || panel === 'disconnect' || panel === 'entries' ? (
              <ChangePanel
                key={`${panel} ${panelScope}`}
                view={view}
                actions={actions}
                integration="hooks"
                verb={panel === 'connect' ? 'connect' : 'disconnect'}
                readOnly={panel === 'entries'}
                scope={panelScope}
                project={project}
                onConfirm={() => change(panel === 'connect' ? 'connect' : 'disconnect')}
                onClose={() => close(view.id)}
              />
            ) : null}
            {panel === 'how' || panel === 'trust' ? (
              <SetupHelp
                view={view}
                about={panel}
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
