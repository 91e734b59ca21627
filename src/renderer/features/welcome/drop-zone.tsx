/** The drop zone: a folder is dropped or chosen here, and every later step of adding it shows in the same place. */
import type { ReactNode } from 'react'
import { plural } from '../../../contract/words/numbers.ts'
import { shortPath } from '../../../contract/words/paths.ts'
import { formatBytes } from '../../../contract/words/sizes.ts'
import type { Workspace } from '../../../contract/workspace.ts'
import { useDriftline } from '../../client/context.tsx'
import { useHome, useQuery } from '../../client/use-query.ts'
import { Button } from '../../ui/button.tsx'
import { Dotted } from '../../ui/dotted.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Meter } from '../../ui/meter.tsx'
import { copiedText, copyPercent } from '../status/status-bar.tsx'
import { folderOf } from './drop.ts'
import { PathField } from './path-field.tsx'
import type { AddFolder } from './use-add-folder.ts'

interface DropZoneProps {
  readonly adding: AddFolder
  readonly dragging: boolean
  readonly onChoose: () => void
  readonly onOpen: (workspace: string) => void
}

export function DropZone({ adding, dragging, onChoose, onOpen }: DropZoneProps) {
  const { platform } = useDriftline()
  const home = useHome()
  const { state } = adding
  const inBrowser = platform.kind === 'browser'
  if (dragging) {
    return (
      <Zone tone="over" title="Release to record this folder">
        <p className="muted small zone-text">
          Folders that git ignores, and folders such as node_modules, are excluded.
        </p>
      </Zone>
    )
  }
  switch (state.at) {
    case 'file':
      return <NotAFolder adding={adding} state={state} />
    case 'which':
      return <UnknownFolder adding={adding} state={state} />
    case 'adding':
      return (
        <div className="zone work-zone" aria-busy="true">
          <div className="row">
            <b>{shortPath(state.folder, home)}</b>
          </div>
          <div className="loadbar" role="progressbar" aria-label="Opening the folder" />
          <p className="muted">Scanning the folder…</p>
        </div>
      )
    case 'asking':
    case 'failed':
      return <Refused adding={adding} state={state} />
    case 'copying':
      return <Copying adding={adding} state={state} onOpen={onOpen} />
    case 'protected':
      return <Protected workspace={state.workspace} onOpen={onOpen} />
    case 'rest':
      return (
        <Zone title={inBrowser ? 'Drop a project folder here, or enter its path' : 'Drop a project folder here'}>
          {inBrowser ? (
            <PathField initial="" focused onOpen={adding.add} />
          ) : (
            <p className="zone-row">
              <Button kind="primary" size="lg" keys="Mod+O" onClick={onChoose}>
                Choose folder…
              </Button>
            </p>
          )}
        </Zone>
      )
  }
}

interface ZoneProps {
  readonly tone?: 'over' | 'warn'
  readonly role?: 'alert'
  readonly title: string
  readonly children: ReactNode
}

function Zone({ tone, role, title, children }: ZoneProps) {
  return (
    <div className="zone" data-tone={tone} role={role}>
      <p className="z1">{title}</p>
      {children}
    </div>
  )
}

interface AddingProps<At extends AddFolder['state']['at']> {
  readonly adding: AddFolder
  readonly state: Extract<AddFolder['state'], { at: At }>
}

/** A file was dropped. */
function NotAFolder({ adding, state }: AddingProps<'file'>) {
  const home = useHome()
  const folder = state.path ? folderOf(state.path) : ''
  return (
    <Zone tone="warn" role="alert" title={`${state.name} is a file`}>
      <p className="muted small zone-text">Drop the folder that contains it{folder ? ', or' : '.'}</p>
      <p className="zone-row">
        {folder ? <Button onClick={() => adding.add(folder)}>Use its folder, {shortPath(folder, home)}</Button> : null}
        <Button kind="ghost" onClick={adding.reset}>
          Cancel
        </Button>
      </p>
    </Zone>
  )
}

/** A browser names a dropped folder without its path. */
function UnknownFolder({ adding, state }: AddingProps<'which'>) {
  const home = useHome()
  const found = state.folders.length > 0
  return (
    <Zone title={found ? `Open “${state.name}”?` : `Where is “${state.name}”?`}>
      {found ? (
        <p className="zone-row">
          {state.folders.slice(0, 3).map((folder, index) => (
            <Button key={folder} kind={index === 0 ? 'primary' : undefined} onClick={() => adding.add(folder)}>
              {shortPath(folder, home)}
            </Button>
          ))}
        </p>
      ) : (
        <p className="muted small zone-text">Browsers do not reveal the path of a dropped folder. Enter it here.</p>
      )}
      <PathField initial={state.folders[0] ?? ''} focused={!found} secondary={found} onOpen={adding.add} />
    </Zone>
  )
}

/** The folder was not recorded. */
function Refused({ adding, state }: AddingProps<'asking' | 'failed'>) {
  const home = useHome()
  const { code, data } = state.error
  /** The folder of a file. */
  const parent = code === 'NotAFolder' && typeof data.parent === 'string' ? data.parent : null
  const inBrowser = useDriftline().platform.kind === 'browser'
  const failure = state.at === 'failed' ? state.error.message : null
  return (
    // A question is asked in a dialog. The field names the folder already.
    <Zone tone="warn" role="alert" title={failure && inBrowser ? failure : shortPath(state.folder, home)}>
      {failure && !inBrowser ? <p className="muted small zone-text">{failure}</p> : null}
      {inBrowser ? (
        <PathField
          initial={state.folder}
          focused={state.at === 'failed'}
          secondary={parent !== null}
          onOpen={adding.add}
        />
      ) : null}
      <p className="zone-row">
        {parent ? (
          <Button kind="primary" onClick={() => adding.add(parent)}>
            Use its folder, {shortPath(parent, home)}
          </Button>
        ) : null}
        {inBrowser || parent ? null : <Button onClick={() => adding.add(state.folder)}>Retry</Button>}
        <Button kind="ghost" onClick={adding.reset}>
          Choose another folder
        </Button>
      </p>
    </Zone>
  )
}

interface CopyingProps {
  readonly adding: AddFolder
  readonly state: Extract<AddFolder['state'], { at: 'copying' }>
  readonly onOpen: (workspace: string) => void
}

function Copying({ adding, state, onOpen }: CopyingProps) {
  const { workspace, copy, excluded } = state
  const large = excluded.filter(({ reason }) => reason === 'too-large').length
  const ignored = excluded.filter(({ reason }) => reason === 'ignored').map(({ path }) => path)
  const more = ignored.length > 3 ? ` and ${ignored.length - 3} more` : ''
  const exclusions = [
    ignored.length > 0 ? `${ignored.slice(0, 3).join(', ')}${more} (ignored)` : '',
    large > 0 ? `${plural(large, 'file')} over the size limit` : ''
  ].filter(Boolean)
  return (
    <div className="zone work-zone">
      <div className="row">
        <b>{workspace.name}</b>
        <Root workspace={workspace} />
        <span className="small muted num nowrap">
          {copy ? <Dotted facts={[copiedText(copy), formatBytes(copy.bytes)]} /> : 'Reading names…'}
        </span>
      </div>
      <Meter label="Initial snapshot" value={copy ? copyPercent(copy) : 0} max={100} size="lg" />
      <p>Creating the initial snapshot. You can start the agent now: files are copied before they change.</p>
      <div className="row small">
        <span className="muted ell">{exclusions.length > 0 ? `Excluded: ${exclusions.join(', ')}` : ''}</span>
        <span className="grow" />
        <Button size="sm" onClick={() => onOpen(workspace.id)}>
          Open now
        </Button>
        <Button size="sm" kind="ghost" onClick={adding.stopCopy}>
          Stop snapshot
        </Button>
      </div>
    </div>
  )
}

function Root({ workspace }: { readonly workspace: Workspace }) {
  return (
    <>
      <span className="muted small ell">{shortPath(workspace.root, useHome())}</span>
      <span className="grow" />
    </>
  )
}

interface ProtectedProps {
  readonly workspace: Workspace
  readonly onOpen: (workspace: string) => void
}

/** The initial snapshot is complete. */
function Protected({ workspace, onOpen }: ProtectedProps) {
  const covered = useQuery('workspace.status', { workspace: workspace.id, check: false }).data?.covered
  return (
    <div className="zone work-zone">
      <div className="row">
        <span className="c-ok">
          <Icon name="okc" />
        </span>
        <b>{workspace.name} is protected</b>
        <Root workspace={workspace} />
        <span className="small muted num nowrap">
          {covered ? <Dotted facts={[plural(covered.files, 'file'), formatBytes(covered.bytes)]} /> : null}
        </span>
      </div>
      <p>Every change is now recorded. Nothing in the folder was changed.</p>
      <div className="row">
        <Button kind="primary" onClick={() => onOpen(workspace.id)}>
          Open {workspace.name}
        </Button>
      </div>
    </div>
  )
}

/** What Driftline does with the folder, below the zone. */
export function SafetyPromise() {
  return (
    <p className="small muted promise">
      <Icon name="shield" size="s" />
      Driftline reads the folder and stores copies in your user data folder. The project does not change until you
      restore something.
    </p>
  )
}
