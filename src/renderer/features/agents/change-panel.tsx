/** Before somebody's settings are changed: which lines, in which file, what becomes of the rest, and how it is taken back. */
import type { AgentChange } from '../../../contract/agents.ts'
import { Button } from '../../ui/button.tsx'
import { baseName, plural, shortPath } from '../../ui/format.ts'
import { Icon } from '../../ui/icon.tsx'
import { InlinePanel } from '../../ui/inline-panel.tsx'
import { changedFiles } from './change-lines.ts'
import { ChangeView } from './change-view.tsx'
import type { AgentScope, AgentView } from './use-agents.ts'
import { type Joint, usePreview, type Verb } from './use-connect.ts'

interface ChangePanelProps {
  readonly view: AgentView
  readonly name: string
  readonly joint: Joint
  readonly verb: Verb
  /** Only looked at: nothing to confirm. */
  readonly readOnly?: boolean
  readonly scope: AgentScope
  /** The open folder; null without one. */
  readonly project: string | null
  readonly home: string
  readonly busy: boolean
  readonly problem: string | null
  readonly onAct: () => void
  readonly onClose: () => void
}

export function ChangePanel(props: ChangePanelProps) {
  const { view, name, joint, verb, scope, project, home } = props
  const where = { agent: view.id, joint, project: scope === 'project' ? project : null }
  const { change, error } = usePreview(verb, where, view.state.entries.found)
  const problem = props.problem ?? error?.message ?? null

  const act = ACTS[joint][verb]
  const nothingToDo = props.readOnly === true || change?.change === '' || (error !== null && change === null)
  const waits = !change ? 'working out the change' : props.busy ? 'being written' : null
  return (
    <InlinePanel
      label={
        joint === 'tools'
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
          {joint === 'tools' ? (
            <ToolsSentence verb={verb} diff={change.change} file={change.file} home={home} />
          ) : (
            <Sentence {...props} diff={change.change} file={change.file} />
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
            {view.id === 'codex' && joint === 'hooks' ? 'Codex asks you once to trust these commands.' : change.note}
          </span>
        ) : null}
        <span className="grow" />
        <Button onClick={props.onClose}>{nothingToDo ? 'Close' : 'Cancel'}</Button>
        {nothingToDo ? null : (
          <Button kind={verb === 'connect' ? 'primary' : 'danger'} disabledReason={waits} onClick={props.onAct}>
            {props.busy ? 'Writing…' : act}
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
      Folders that were made for it and are empty then go, too: <span className="mono cap">{folders.join(', ')}</span>
    </p>
  )
}

const ACTS: Readonly<Record<Joint, Readonly<Record<Verb, string>>>> = {
  hooks: { connect: 'Add and test', disconnect: 'Disconnect' },
  tools: { connect: 'Add the tools', disconnect: 'Take the tools out' }
}

function fileOf({ view, joint, scope }: ChangePanelProps): string {
  const state = view.states[scope] ?? view.state
  return joint === 'tools' ? (state.tools?.file ?? '') : state.file
}

interface ToolsSentenceProps {
  readonly verb: Verb
  readonly diff: string
  readonly file: string
  readonly home: string
}

function ToolsSentence({ verb, diff, file, home }: ToolsSentenceProps) {
  const path = <span className="mono cap">{shortPath(file, home)}</span>
  const [first] = changedFiles(diff)
  if (!first) {
    return <p className="small">{verb === 'connect' ? 'The tools are there already.' : 'No server of it is ours.'}</p>
  }
  if (first.whole === 'removed') return <p className="small">This deletes {path}: nothing but our server is in it.</p>
  if (verb === 'disconnect') {
    return (
      <p className="small">
        This takes our server out of {path} again, and nothing else. What was recorded of its work stays.
      </p>
    )
  }
  if (first.whole === 'created') {
    return <p className="small">This creates {path} with our server in it. Nothing of yours is changed.</p>
  }
  return (
    <p className="small">
      This adds one MCP server to {path}. Your own servers stay. The file is copied to{' '}
      <span className="mono cap">{baseName(file)}.driftline-backup-…</span> first.
    </p>
  )
}

function Sentence({
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
      <p className="small">{verb === 'connect' ? 'All of our entries are there already.' : 'None of it is ours.'}</p>
    )
  }
  if (files.every(({ whole }) => whole === 'removed')) {
    return (
      <p className="small">
        {readOnly ? 'Disconnect deletes ' : 'This deletes '}
        {files.length === 1 ? path : `${plural(files.length, 'file')} beside `}
        {files.length === 1 ? null : path}: nothing but our entries {files.length === 1 ? 'is in it' : 'are in them'}.
      </p>
    )
  }
  if (verb === 'disconnect') {
    const what = plural(state.entries.found, 'entry', 'entries')
    return (
      <p className="small">
        {readOnly ? `These ${what} in ` : `This takes ${what} out of `}
        {path} {readOnly ? 'are ours; Disconnect takes exactly these lines out again.' : 'again, and nothing else.'}
      </p>
    )
  }
  if (files.every(({ whole }) => whole === 'created')) {
    return (
      <p className="small">
        This creates {files.length === 1 ? path : `${plural(files.length, 'file')} beside `}
        {files.length === 1 ? null : path}. Nothing of yours is changed, and Disconnect removes{' '}
        {files.length === 1 ? 'it' : 'them'} again.
      </p>
    )
  }
  return (
    <p className="small">
      This adds {plural(missing, 'entry', 'entries')} to {path}. Your own entries stay. The file is copied to{' '}
      <span className="mono cap">{baseName(file)}.driftline-backup-…</span> first, and Disconnect takes out exactly
      these lines.
    </p>
  )
}
