/** Preview of a change to an agent's settings: the file, the lines, and how to undo it. */

import type { AgentChange } from '../../../contract/agents.ts'
import { plural } from '../../../contract/words/numbers.ts'
import { baseName, shortPath } from '../../../contract/words/paths.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { InlinePanel } from '../../ui/inline-panel.tsx'
import { changedFiles } from './change-lines.ts'
import { ChangeView } from './change-view.tsx'
import type { AgentScope, AgentView } from './use-agents.ts'
import { type Integration, useChangePreview, type Verb } from './use-connect.ts'

interface ChangePanelProps {
  readonly view: AgentView
  readonly name: string
  readonly integration: Integration
  readonly verb: Verb
  /** Shows the entries without a confirm button. */
  readonly readOnly?: boolean
  readonly scope: AgentScope
  /** Root of the open workspace, null without one. */
  readonly project: string | null
  readonly home: string
  readonly busy: boolean
  readonly problem: string | null
  readonly onConfirm: () => void
  readonly onClose: () => void
}

export function ChangePanel(props: ChangePanelProps) {
  const { view, name, integration, verb, scope, project, home } = props
  const target = { agent: view.id, integration, project: scope === 'project' ? project : null }
  const { change, error } = useChangePreview(verb, target, view.state.entries.found)
  const problem = props.problem ?? error?.message ?? null

  const confirmLabel = CONFIRM_LABELS[integration][verb]
  const nothingToDo = props.readOnly === true || change?.change === '' || (error !== null && change === null)
  const busyReason = !change ? 'preparing the change' : props.busy ? 'writing…' : null
  return (
    <InlinePanel
      label={
        integration === 'mcp'
          ? `File tools of ${name}`
          : props.readOnly
            ? `Entries of ${name}`
            : `${verb === 'connect' ? 'Connect' : 'Disconnect'} ${name}`
      }
      problem={problem}
      onClose={props.onClose}
    >
      {change ? (
        <>
          {integration === 'mcp' ? (
            <ToolsSummary verb={verb} diff={change.change} file={change.file} home={home} />
          ) : (
            <HooksSummary {...props} diff={change.change} file={change.file} />
          )}
          <EmptiedFolders change={change} home={home} />
          <ChangeView change={change.change} reverse={props.readOnly ?? false} home={home} />
        </>
      ) : problem ? null : (
        <p className="small muted" aria-busy="true">
          Reading {shortPath(fileOf(props), home)}…
        </p>
      )}
      <div className="cap-row">
        {verb === 'connect' && change?.note ? (
          <span className="row muted note">
            <Icon name="info" size="s" />
            {view.id === 'codex' && integration === 'hooks' ? 'Codex asks you once to trust these hooks.' : change.note}
          </span>
        ) : null}
        <span className="grow" />
        <Button onClick={props.onClose}>{nothingToDo ? 'Close' : 'Cancel'}</Button>
        {nothingToDo ? null : (
          <Button
            kind={verb === 'connect' ? 'primary' : 'danger'}
            disabledReason={busyReason}
            onClick={props.onConfirm}
          >
            {props.busy ? 'Writing…' : confirmLabel}
          </Button>
        )}
      </div>
    </InlinePanel>
  )
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

interface ToolsSummaryProps {
  readonly verb: Verb
  readonly diff: string
  readonly file: string
  readonly home: string
}

function ToolsSummary({ verb, diff, file, home }: ToolsSummaryProps) {
  const path = <span className="mono cap">{shortPath(file, home)}</span>
  const [first] = changedFiles(diff)
  if (!first) {
    return <p className="small">{verb === 'connect' ? 'The tools are already added.' : 'No Driftline server found.'}</p>
  }
  if (first.whole === 'removed') return <p className="small">Deletes {path}, which contains only Driftline’s server.</p>
  if (verb === 'disconnect') {
    return <p className="small">Removes Driftline’s server from {path} and nothing else. Recorded history stays.</p>
  }
  if (first.whole === 'created') {
    return <p className="small">Creates {path} with Driftline’s server. Your own settings do not change.</p>
  }
  return (
    <p className="small">
      Adds one MCP server to {path}. Your own servers stay. The file is first copied to{' '}
      <span className="mono cap">{baseName(file)}.driftline-backup-…</span>.{' '}
    </p>
  )
}

function HooksSummary({
  view,
  verb,
  readOnly,
  scope,
  diff,
  file,
  home
}: ChangePanelProps & { readonly diff: string; readonly file: string }) {
  const files = changedFiles(diff)
  const path = <span className="mono cap">{shortPath(file, home)}</span>
  const state = view.states[scope] ?? view.state
  const missing = state.entries.wanted - state.entries.found
  if (files.length === 0) {
    return (
      <p className="small">
        {verb === 'connect' ? 'All Driftline entries are already there.' : 'No Driftline entries found.'}
      </p>
    )
  }
  if (files.every(({ whole }) => whole === 'removed')) {
    return (
      <p className="small">
        {readOnly ? 'Disconnect deletes ' : 'Deletes '}
        {files.length === 1 ? path : `${plural(files.length, 'file')} beside `}
        {files.length === 1 ? null : path}, which {files.length === 1 ? 'contains' : 'contain'} only Driftline’s
        entries.
      </p>
    )
  }
  if (verb === 'disconnect') {
    const entries = plural(state.entries.found, 'entry', 'entries')
    return (
      <p className="small">
        {readOnly ? `${entries} in ` : `Removes ${entries} from `}
        {path} {readOnly ? 'belong to Driftline. Disconnect removes exactly these lines.' : 'and nothing else.'}
      </p>
    )
  }
  if (files.every(({ whole }) => whole === 'created')) {
    return (
      <p className="small">
        Creates {files.length === 1 ? path : `${plural(files.length, 'file')} beside `}
        {files.length === 1 ? null : path}. Your own settings do not change. Disconnect removes{' '}
        {files.length === 1 ? 'it' : 'them'}.
      </p>
    )
  }
  return (
    <p className="small">
      Adds {plural(missing, 'entry', 'entries')} to {path}. Your own entries stay. The file is first copied to{' '}
      <span className="mono cap">{baseName(file)}.driftline-backup-…</span>. Disconnect removes exactly these lines.
    </p>
  )
}
