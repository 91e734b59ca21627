/** The history of one file: its changes version by version, its text, and who wrote each line. Replaces files and diff. */

import { type KeyboardEvent, type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { Client } from '../../../contract/api.ts'
import type { PathVersion } from '../../../contract/log.ts'
import type { RestoreRequest } from '../../../contract/restore.ts'
import { splitPath } from '../../../contract/words/paths.ts'
import { historySummary, restoreDisabledReason } from '../../../contract/words/versions.ts'
import type { WorkspaceId } from '../../../contract/workspace.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { MenuButton } from '../../ui/menu.tsx'
import { isModalOpen } from '../../ui/overlay-root.ts'
import { Segmented } from '../../ui/segmented.tsx'
import { type DiffCommand, diffKey } from '../diff/diff-keys.ts'
import type { TextViewHandle } from '../diff/text-view.tsx'
import { useTextOptions } from '../diff/use-text-options.ts'
import { useWidth } from '../diff/use-width.ts'
import { BlamePopover } from './blame-popover.tsx'
import { type BlameBlock, type BlameRow, blockAt } from './blame-rows.ts'
import { BlameView } from './blame-view.tsx'
import { FindField } from './find-field.tsx'
import type { FileHistory, HistoryView } from './use-file-history.ts'
import { VersionView } from './version-view.tsx'
import './history.css'

interface HistoryPaneProps {
  readonly client: Client
  readonly workspace: WorkspaceId
  readonly history: FileHistory
  readonly now: number
  /** Why nothing can be written now, null while connected. */
  readonly offline: string | null
  /** The version list is not shown beside it: the pane takes focus and has a Back button. */
  readonly standalone: boolean
  /** A drawer lies over the pane and handles Escape. */
  readonly behindDrawer: boolean
  readonly onRestore: (version: PathVersion) => void
  readonly onRequest: (request: RestoreRequest) => void
  /** Selects an entry of the timeline. */
  readonly onShowEntry: (id: string) => void
  readonly onClose: () => void
  readonly onOpenInEditor?: (path: string) => void
  readonly onReveal?: (path: string) => void
}

/** The block of lines whose author is shown in the popover. */
interface SelectedBlame {
  readonly version: PathVersion
  readonly block: BlameBlock
  readonly anchor: DOMRect
}

export function HistoryPane(props: HistoryPaneProps) {
  const { client, workspace, history, now, offline, standalone, onClose } = props
  const { path, version, view } = history
  const pane = useRef<HTMLElement>(null)
  const text = useRef<TextViewHandle>(null)
  const { options, chooseSplit, toggleWhitespace, toggleUnchanged } = useTextOptions(useWidth(pane))
  const [selectedBlame, setSelectedBlame] = useState<SelectedBlame | null>(null)
  const search = useLineSearch()
  const bySeq = useMemo(() => new Map(history.versions?.map((each) => [each.seq, each])), [history.versions])
  useEscape(props.behindDrawer ? null : onClose)
  // The element that opened the pane is no longer on screen, so focus fell back to the page.
  useEffect(() => {
    if (standalone && document.activeElement === document.body) pane.current?.focus()
  }, [standalone])
  const selectBlame = useCallback(
    (rows: readonly BlameRow[], index: number, anchor: DOMRect) => {
      const author = bySeq.get(rows[index]?.seq ?? 0)
      if (author) setSelectedBlame({ version: author, block: blockAt(rows, index), anchor })
    },
    [bySeq]
  )

  const commands: Partial<Readonly<Record<DiffCommand, () => void>>> = {
    'next-change': () => text.current?.step(1),
    'previous-change': () => text.current?.step(-1),
    'viewer-next': () => text.current?.accessibleViewer(1),
    'viewer-previous': () => text.current?.accessibleViewer(-1),
    split: () => chooseSplit(!options.split),
    whitespace: toggleWhitespace,
    unchanged: toggleUnchanged
  }
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const command = diffKey(event.nativeEvent, event.target)
    if (!command) return
    const run = command === 'versions' ? onClose : view === 'lines' ? undefined : commands[command]
    if (!run) return
    run()
    event.preventDefault()
    event.stopPropagation()
  }

  const openInEditor = props.onOpenInEditor ? () => props.onOpenInEditor?.(path) : undefined
  const closePopover = () => setSelectedBlame(null)
  return (
    <div className="stage">
      <FileHeader
        history={history}
        now={now}
        disabledReason={offline ?? (version ? restoreDisabledReason(version) : 'The versions are still loading')}
        back={standalone ? <IconButton icon="left" label="Back to changes" keys="Escape" onClick={onClose} /> : null}
        onRestore={props.onRestore}
        onOpenInEditor={openInEditor}
        onReveal={props.onReveal}
      />
      <main
        className="diffpane history"
        aria-label={`History of ${path}`}
        data-pane="diff"
        id="diff-pane"
        ref={pane}
        tabIndex={-1}
        onKeyDownCapture={onKeyDown}
      >
        <ViewBar history={history} split={options.split} onSplit={chooseSplit} search={search} />
        {history.error !== null ? (
          <div className="blank" role="alert">
            <Icon name="stop" size="big" />
            <h3>Couldn’t load the history of this file.</h3>
            <p>{history.error}</p>
            <Button size="sm" onClick={history.retry}>
              Retry
            </Button>
          </div>
        ) : view === 'lines' ? (
          <BlameView
            workspace={workspace}
            path={path}
            secret={history.secret}
            versions={bySeq}
            marked={selectedBlame?.version.seq ?? version?.seq ?? null}
            searchText={search.text}
            matchIndex={search.matchIndex}
            onMatchCount={search.setMatches}
            onSelectBlock={selectBlame}
          />
        ) : version ? (
          <VersionView
            client={client}
            workspace={workspace}
            path={path}
            version={version}
            view={view === 'change' && version.origin === 'baseline' ? 'text' : view}
            options={options}
            text={text}
            onOpenInEditor={openInEditor}
          />
        ) : null}
      </main>
      {selectedBlame ? (
        <BlamePopover
          {...selectedBlame}
          now={now}
          offline={offline}
          onShowEntry={props.onShowEntry}
          onShowChange={() => {
            closePopover()
            history.select(selectedBlame.version.seq, 'change')
          }}
          undo={undoButtonFor(selectedBlame.version, path, (request) => {
            closePopover()
            props.onRequest(request)
          })}
          onClose={closePopover}
        />
      ) : null}
    </div>
  )
}

/** Calls `onEscape` for an Escape that nothing else handled; null handles none. */
function useEscape(onEscape: (() => void) | null): void {
  const latest = useRef(onEscape)
  latest.current = onEscape
  useEffect(() => {
    const listener = (event: globalThis.KeyboardEvent) => {
      if (event.key === 'Escape' && !event.defaultPrevented && !isModalOpen()) latest.current?.()
    }
    window.addEventListener('keydown', listener)
    return () => window.removeEventListener('keydown', listener)
  }, [])
}

interface LineSearch {
  readonly text: string
  /** Number of matching lines. */
  readonly matches: number
  /** Index of the current match, null without one. */
  readonly matchIndex: number | null
  setText(text: string): void
  setMatches(matches: number): void
  step(by: 1 | -1): void
}

/** The find field of the blame view: its text and the current match. */
function useLineSearch(): LineSearch {
  const [text, setText] = useState('')
  const [matchIndex, setMatchIndex] = useState<number | null>(null)
  const [matches, setMatches] = useState(0)
  return {
    text,
    matches,
    matchIndex,
    setText: (next) => {
      setText(next)
      setMatchIndex(next === '' ? null : 0)
    },
    setMatches,
    step: (by) => setMatchIndex((index) => (matches === 0 ? null : ((index ?? -by) + by + matches) % matches))
  }
}

interface FileHeaderProps {
  readonly history: FileHistory
  readonly now: number
  /** Why the version cannot be restored, null if it can. */
  readonly disabledReason: string | null
  readonly back: ReactNode
  readonly onRestore: (version: PathVersion) => void
  readonly onOpenInEditor: (() => void) | undefined
  readonly onReveal: ((path: string) => void) | undefined
}

/** The path, a summary of its history, and the actions of the file and the selected version. */
function FileHeader({ history, now, disabledReason, back, onRestore, onOpenInEditor, onReveal }: FileHeaderProps) {
  const { path, version } = history
  const { folder, name } = splitPath(path)
  return (
    <section className="entry" aria-label="File">
      {back}
      <div className="grow">
        <h1 className="ttl ell history-path" title={path}>
          <span className="d">{folder}</span>
          {name}
        </h1>
        <div className="sub">
          {historySummary(history.versions ?? [], now).map((part, index) => (
            <span key={part} className={index === 0 ? '' : 'ell'}>
              {index === 0 ? null : <span className="dot-sep" />}
              {part}
            </span>
          ))}
        </div>
      </div>
      {onOpenInEditor ? (
        <Button icon="external" onClick={onOpenInEditor}>
          Open in editor
        </Button>
      ) : null}
      <Button icon="restore" disabledReason={disabledReason} onClick={() => version && onRestore(version)}>
        Restore this version…
      </Button>
      <MenuButton
        label="More actions"
        align="right"
        items={[
          { id: 'copy', label: 'Copy path', icon: 'copy', run: () => void navigator.clipboard?.writeText(path) },
          ...(onReveal
            ? [{ id: 'reveal', label: 'Show in folder', icon: 'folder' as const, run: () => onReveal(path) }]
            : [])
        ]}
      >
        <Icon name="more" />
      </MenuButton>
    </section>
  )
}

const LAYOUTS = [
  { value: 'inline', label: 'Inline' },
  { value: 'split', label: 'Split' }
] as const

interface ViewBarProps {
  readonly history: FileHistory
  readonly split: boolean
  readonly onSplit: (split: boolean) => void
  readonly search: LineSearch
}

/** Chooses the view, and offers what that view needs: the age legend and find field, or the diff layout. */
function ViewBar({ history: { version, view, setView }, split, onSplit, search }: ViewBarProps) {
  return (
    <div className="bar">
      <Segmented<HistoryView>
        label="View"
        options={[
          { value: 'lines', label: 'Who wrote each line' },
          {
            value: 'change',
            label: 'Changes',
            disabled: version?.origin === 'baseline' ? 'The initial snapshot has no earlier version' : null
          },
          { value: 'since', label: 'Since then' },
          { value: 'text', label: 'Text' }
        ]}
        value={view}
        onChange={setView}
      />
      <span className="grow" />
      {view === 'lines' ? (
        <>
          <span className="ages small muted" aria-hidden="true">
            older <i className="age-1" />
            <i className="age-2" />
            <i className="age-3" />
            <i className="age-4" /> newer
          </span>
          <FindField
            value={search.text}
            matches={search.matches}
            matchIndex={search.matchIndex}
            onChange={search.setText}
            onStep={search.step}
          />
        </>
      ) : null}
      {view === 'change' || view === 'since' ? (
        <Segmented
          label="Layout"
          tight
          options={LAYOUTS}
          value={split ? 'split' : 'inline'}
          onChange={(value) => onSplit(value === 'split')}
        />
      ) : null}
    </div>
  )
}

/** The button that undoes a version's changes in this file; null if they cannot be undone. */
function undoButtonFor(
  { origin, run, entry, drift, inForce }: PathVersion,
  path: string,
  start: (request: RestoreRequest) => void
): { readonly label: string; readonly run: () => void } | null {
  if (!inForce) return null
  if (origin === 'agent' && run)
    return { label: 'Undo in this file…', run: () => start({ kind: 'undo-run', run, paths: [path] }) }
  if (drift === 'open' && entry)
    return { label: 'Undo in this file…', run: () => start({ kind: 'drift', drift: entry, paths: [path] }) }
  return null
}
