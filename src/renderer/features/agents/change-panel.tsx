/** Before somebody's settings are changed: which lines, in which file, what becomes of the rest, and how it is taken back. */
import { useEffect, useRef } from 'react'
import { Button } from '../../ui/button.tsx'
import { baseName, plural, shortPath } from '../../ui/format.ts'
import { Icon } from '../../ui/icon.tsx'
import { changedFiles } from './change-lines.ts'
import { ChangeView } from './change-view.tsx'
import type { AgentScope, AgentView } from './use-agents.ts'
import { usePreview, type Verb } from './use-connect.ts'

interface ChangePanelProps {
  readonly view: AgentView
  readonly name: string
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
  const { view, name, verb, scope, project, home } = props
  const { change, error } = usePreview(verb, view.id, scope === 'project' ? project : null, view.state.entries.found)
  const box = useRef<HTMLElement>(null)
  const problem = props.problem ?? error?.message ?? null
  useEffect(() => box.current?.focus({ preventScroll: true }), [])

  const act = verb === 'connect' ? 'Add and test' : 'Disconnect'
  const waits = !change ? 'working out the change' : props.busy ? 'being written' : null
  return (
    <section
      className="connect"
      ref={box}
      tabIndex={-1}
      aria-label={props.readOnly ? `Entries of ${name}` : `${verb === 'connect' ? 'Connect' : 'Disconnect'} ${name}`}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented) return
        event.stopPropagation()
        props.onClose()
      }}
    >
      {problem ? (
        <p className="small c-danger" role="alert">
          {problem}
        </p>
      ) : null}
      {change ? (
        <>
          <Sentence {...props} diff={change.change} file={change.file} />
          <ChangeView change={change.change} reverse={props.readOnly ?? false} home={home} />
        </>
      ) : problem ? null : (
        <p className="small muted" aria-busy="true">
          Reading {shortPath(view.states[scope]?.file ?? view.state.file, home)}…
        </p>
      )}
      <div className="cap-row">
        {verb === 'connect' && change?.note ? (
          <span className="row muted note">
            <Icon name="info" size="s" />
            {view.id === 'codex' ? 'Codex asks you once to trust these commands.' : change.note}
          </span>
        ) : null}
        <span className="grow" />
        <Button onClick={props.onClose}>{props.readOnly ? 'Close' : 'Cancel'}</Button>
        {props.readOnly || change?.change === '' ? null : (
          <Button kind={verb === 'connect' ? 'primary' : 'danger'} disabledReason={waits} onClick={props.onAct}>
            {props.busy ? 'Writing…' : act}
          </Button>
        )}
      </div>
    </section>
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
  if (verb === 'disconnect') {
    const what = files.every(({ whole }) => whole === 'removed')
      ? plural(files.length, 'file')
      : plural(state.entries.found, 'entry', 'entries')
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
