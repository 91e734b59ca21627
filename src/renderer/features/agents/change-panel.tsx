/** Preview of a change to an agent's settings: the file, the lines, and how to undo it. */
import type { ReactNode } from 'react'
import type { AgentChange } from '../../../contract/agents.ts'
import { agentNotesText } from '../../../contract/words/agent-problems.ts'
import { agentIdentity } from '../../../contract/words/agents.ts'
import { plural } from '../../../contract/words/numbers.ts'
import { baseName, shortPath } from '../../../contract/words/paths.ts'
import { useHome } from '../../client/use-query.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { InlinePanel } from '../../ui/inline-panel.tsx'
import { changedFiles } from './change-lines.ts'
import { ChangeView } from './change-view.tsx'
import type { AgentScope, AgentView } from './use-agents.ts'
import { type AgentActions, type Integration, useChangePreview, type Verb } from './use-connect.ts'

interface ChangePanelProps {
  readonly view: AgentView
  readonly actions: AgentActions
  readonly integration: Integration
  readonly verb: Verb
  /** Shows the entries without a confirm button. */
  readonly readOnly?: boolean
  readonly scope: AgentScope
  /** Root of the open workspace, null without one. */
  readonly project: string | null
  readonly onConfirm: () => void
  readonly onClose: () => void
}

export function ChangePanel(props: ChangePanelProps) {
  const { view, actions, integration, verb, readOnly = false, scope, project } = props
  const home = useHome()
  const target = { agent: view.id, integration, project: scope === 'project' ? project : null }
  const { change, error } = useChangePreview(verb, target, view.state.entries.found)
  const busy = actions.busy === view.id
  const problem = actions.problemOf(view.id, integration) ?? error?.message ?? null
  const nothingToDo = readOnly || change?.change === '' || (error !== null && change === null)
  const Summary = integration === 'mcp' ? ToolsSummary : HooksSummary
  return (
    <InlinePanel label={labelOf(props)} problem={problem} onClose={props.onClose}>
      {change ? (
        <>
          <p className="small">
            <Summary
              {...props}
              change={change}
              path={<span className="mono cap">{shortPath(change.file, home)}</span>}
            />
          </p>
          <EmptiedFolders change={change} home={home} />
          <ChangeView change={change.change} reverse={readOnly} home={home} />
        </>
      ) : problem ? null : (
        <p className="small muted" aria-busy="true">
          Reading {shortPath(fileOf(props), home)}…
        </p>
      )}
      <div className="cap-row">
        {verb === 'connect' && change && change.notes.length > 0 ? (
          <span className="row muted cap-note">
            <Icon name="info" size="s" />
            {view.id === 'codex' && integration === 'hooks'
              ? 'Codex asks you once to trust these hooks.'
              : agentNotesText(change.notes)}
          </span>
        ) : null}
        <span className="grow" />
        <Button onClick={props.onClose}>{nothingToDo ? 'Close' : 'Cancel'}</Button>
        {nothingToDo ? null : (
          <Button
            kind={verb === 'connect' ? 'primary' : 'danger'}
            disabledReason={!change ? 'preparing the change' : busy ? 'writing…' : null}
            onClick={props.onConfirm}
          >
            {busy ? 'Writing…' : CONFIRM_LABELS[integration][verb]}
          </Button>
        )}
      </div>
    </InlinePanel>
  )
}

function labelOf({ view, integration, verb, readOnly }: ChangePanelProps): string {
  const { name } = agentIdentity(view.id)
  if (integration === 'mcp') return `File tools of ${name}`
  if (readOnly) return `Entries of ${name}`
  return `${verb === 'connect' ? 'Connect' : 'Disconnect'} ${name}`
}

function EmptiedFolders({ change, home }: { readonly change: AgentChange; readonly home: string }) {
  const files = changedFiles(change.change).map(({ file }) => file)
  const folders = change.removed.filter((path) => !files.includes(path)).map((path) => shortPath(path, home))
  if (folders.length === 0) return null
  return (
    <p className="small">
      Also removes these empty folders: <span className="mono cap">{folders.join(', ')}</span>
    </p>
  )
}

const CONFIRM_LABELS: Readonly<Record<Integration, Readonly<Record<Verb, string>>>> = {
  hooks: { connect: 'Add and test', disconnect: 'Disconnect' },
  mcp: { connect: 'Add tools', disconnect: 'Remove tools' }
}

function fileOf({ view, integration, scope }: ChangePanelProps): string {
  const state = view.states[scope] ?? view.state
  return integration === 'mcp' ? (state.tools?.file ?? '') : state.file
}

type SummaryProps = ChangePanelProps & { readonly change: AgentChange; readonly path: ReactNode }

/** Name of the copy that is made before the file is changed. */
function Backup({ file }: { readonly file: string }) {
  return <span className="mono cap">{baseName(file)}.driftline-backup-…</span>
}

function ToolsSummary({ verb, change, path }: SummaryProps) {
  const [first] = changedFiles(change.change)
  if (!first) return verb === 'connect' ? 'The tools are already added.' : 'No Driftline server found.'
  if (first.whole === 'removed') return <>Deletes {path}, which contains only Driftline’s server.</>
  if (verb === 'disconnect')
    return <>Removes Driftline’s server from {path} and nothing else. Recorded history stays.</>
  if (first.whole === 'created') return <>Creates {path} with Driftline’s server. Your own settings do not change.</>
  return (
    <>
      Adds one MCP server to {path}. Your own servers stay. The file is first copied to <Backup file={change.file} />.
    </>
  )
}

function HooksSummary({ view, verb, readOnly, scope, change, path }: SummaryProps) {
  const files = changedFiles(change.change)
  const { entries } = view.states[scope] ?? view.state
  const beside = files.length === 1 ? '' : `${plural(files.length, 'file')} beside `
  if (files.length === 0)
    return verb === 'connect' ? 'All Driftline entries are already there.' : 'No Driftline entries found.'
  if (files.every(({ whole }) => whole === 'removed')) {
    return (
      <>
        {readOnly ? 'Disconnect deletes' : 'Deletes'} {beside}
        {path}, which {files.length === 1 ? 'contains' : 'contain'} only Driftline’s entries.
      </>
    )
  }
  if (verb === 'disconnect') {
    const found = plural(entries.found, 'entry', 'entries')
    return readOnly ? (
      <>
        {found} in {path} belong to Driftline. Disconnect removes exactly these lines.
      </>
    ) : (
      <>
        Removes {found} from {path} and nothing else.
      </>
    )
  }
  if (files.every(({ whole }) => whole === 'created')) {
    return (
      <>
        Creates {beside}
        {path}. Your own settings do not change. Disconnect removes {files.length === 1 ? 'it' : 'them'}.
      </>
    )
  }
  return (
    <>
      Adds {plural(entries.wanted - entries.found, 'entry', 'entries')} to {path}. Your own entries stay. The file is
      first copied to <Backup file={change.file} />. Disconnect removes exactly these lines.
    </>
  )
}
