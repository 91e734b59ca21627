/** In place of files and diff: the history of one file, version by version and line by line. */
import { type KeyboardEvent, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { Client } from '../../../contract/api.ts'
import type { PathVersion } from '../../../contract/log.ts'
import type { Act } from '../../../contract/restore.ts'
import type { WorkspaceId } from '../../../contract/workspace.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { MenuButton } from '../../ui/menu.tsx'
import { isModalOpen } from '../../ui/overlay-root.ts'
import { Segmented } from '../../ui/segmented.tsx'
import { diffKey } from '../diff/diff-keys.ts'
import type { TextViewHandle } from '../diff/text-view.tsx'
import { useTextOptions } from '../diff/use-text-options.ts'
import { useWidth } from '../diff/use-width.ts'
import { splitPath } from '../files/file-words.ts'
import { type BlameRow, type Block, blockAt } from './blame-rows.ts'
import { FindField } from './find-field.tsx'
import { LineTip } from './line-tip.tsx'
import { LinesView } from './lines-view.tsx'
import type { FileHistory, HistoryView } from './use-file-history.ts'
import { VersionView } from './version-view.tsx'
import { historyParts, whyNotRestored } from './version-words.ts'
import './history.css'

interface HistoryStageProps {
  readonly client: Client
  readonly workspace: WorkspaceId
  readonly history: FileHistory
  readonly now: number
  /** Why nothing can be written now, null when it can. */
  readonly offline: string | null
  /** The versions are not beside it: it takes the focus, and has the way back. */
  readonly alone: boolean
  /** A drawer lies over it: Escape is that one's. */
  readonly covered: boolean
  readonly onRestore: (version: PathVersion) => void
  readonly onAct: (act: Act) => void
  /** Selects an entry of the timeline. */
  readonly onShowEntry: (id: string) => void
  readonly onClose: () => void
  readonly onOpenInEditor?: (path: string) => void
  readonly onReveal?: (path: string) => void
}

const INLINE_OR_SPLIT = [
  { value: 'inline', label: 'Inline' },
  { value: 'split', label: 'Split' }
] as const

interface Told {
  readonly version: PathVersion
  readonly block: Block
  readonly anchor: DOMRect
}

export function HistoryStage(props: HistoryStageProps) {
  const { client, workspace, history, now, offline, onClose } = props
  const { path, version, view } = history
  const pane = useRef<HTMLElement>(null)
  const text = useRef<TextViewHandle>(null)
  const { options, chooseSplit, toggleWhitespace, toggleUnchanged } = useTextOptions(useWidth(pane))
  const [told, setTold] = useState<Told | null>(null)
  const [find, setFind] = useState('')
  const [found, setFound] = useState<number | null>(null)
  const [lines, setLines] = useState(0)
  const bySeq = useMemo(() => new Map((history.versions ?? []).map((one) => [one.seq, one])), [history.versions])
  const leave = useRef(() => {})
  leave.current = props.covered ? () => {} : onClose
  useEffect(() => {
    const close = (event: globalThis.KeyboardEvent) => {
      if (event.key === 'Escape' && !event.defaultPrevented && !isModalOpen()) leave.current()
    }
    window.addEventListener('keydown', close)
    return () => window.removeEventListener('keydown', close)
  }, [])
  const { alone } = props
  // What was pressed to come here is gone.
  useEffect(() => {
    if (alone && document.activeElement === document.body) pane.current?.focus()
  }, [alone])
  const tell = useCallback(
    (rows: readonly BlameRow[], index: number, anchor: DOMRect) => {
      const by = bySeq.get(rows[index]?.seq ?? 0)
      if (by) setTold({ version: by, block: blockAt(rows, index), anchor })
    },
    [bySeq]
  )

  const key = (event: KeyboardEvent<HTMLElement>) => {
    const act = diffKey(event.nativeEvent, event.target)
    if (act === 'versions') onClose()
    else if (view === 'lines') return
    else if (act === 'next-change') text.current?.go(1)
    else if (act === 'previous-change') text.current?.go(-1)
    else if (act === 'viewer-next') text.current?.accessibleViewer(1)
    else if (act === 'viewer-previous') text.current?.accessibleViewer(-1)
    else if (act === 'split') chooseSplit(!options.split)
    else if (act === 'whitespace') toggleWhitespace()
    else if (act === 'unchanged') toggleUnchanged()
    else return
    event.preventDefault()
    event.stopPropagation()
  }

  const { folder, name } = splitPath(path)
  const compares = view === 'change' || view === 'since'
  const openInEditor = props.onOpenInEditor ? () => props.onOpenInEditor?.(path) : undefined
  const { onReveal } = props
  return (
    <div className="stage">
      <section className="entry" aria-label="File">
        {alone ? <IconButton icon="left" label="Back to the change" keys="Escape" onClick={onClose} /> : null}
        <div className="grow">
          <h1 className="ttl ell history-path" title={path}>
            <span className="d">{folder}</span>
            {name}
          </h1>
          <div className="sub">
            {historyParts(history.versions ?? [], now).map((part, index) => (
              <span key={part} className={index === 0 ? '' : 'ell'}>
                {index === 0 ? null : <span className="dot-sep" />}
                {part}
              </span>
            ))}
          </div>
        </div>
        {openInEditor ? (
          <Button icon="external" onClick={openInEditor}>
            Open in editor
          </Button>
        ) : null}
        <Button
          icon="restore"
          disabledReason={offline ?? (version ? whyNotRestored(version) : 'the versions are on their way')}
          onClick={() => version && props.onRestore(version)}
        >
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
      <main
        className="diffpane history"
        aria-label={`History of ${path}`}
        data-pane="diff"
        id="diff-pane"
        ref={pane}
        tabIndex={-1}
        onKeyDownCapture={key}
      >
        <div className="bar">
          <Segmented<HistoryView>
            label="View"
            options={[
              { value: 'lines', label: 'Who wrote each line' },
              {
                value: 'change',
                label: 'Changes',
                disabled: version?.origin === 'baseline' ? 'It is the first copy' : null
              },
              { value: 'since', label: 'Since then' },
              { value: 'text', label: 'Text' }
            ]}
            value={view}
            onChange={history.show}
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
                value={find}
                lines={lines}
                at={found}
                onChange={(words) => {
                  setFind(words)
                  setFound(words === '' ? null : 0)
                }}
                onStep={(by) => setFound((before) => (lines === 0 ? null : ((before ?? -by) + by + lines) % lines))}
              />
            </>
          ) : null}
          {compares ? (
            <Segmented
              label="Columns"
              tight
              options={INLINE_OR_SPLIT}
              value={options.split ? 'split' : 'inline'}
              onChange={(value) => chooseSplit(value === 'split')}
            />
          ) : null}
        </div>
        {history.error !== null ? (
          <div className="blank" role="alert">
            <Icon name="stop" size="big" />
            <h3>The history of this file could not be read.</h3>
            <p>{history.error}</p>
            <Button size="sm" onClick={history.retry}>
              Retry
            </Button>
          </div>
        ) : view === 'lines' ? (
          <LinesView
            client={client}
            workspace={workspace}
            path={path}
            secret={history.secret}
            versions={bySeq}
            marked={told?.version.seq ?? version?.seq ?? null}
            find={find}
            found={found}
            onFound={setLines}
            onTell={tell}
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
      {told ? (
        <LineTip
          {...told}
          now={now}
          offline={offline}
          onEntry={props.onShowEntry}
          onChange={() => {
            setTold(null)
            history.pick(told.version.seq, 'change')
          }}
          undo={undoOf(told.version, path, (act) => {
            setTold(null)
            props.onAct(act)
          })}
          onClose={() => setTold(null)}
        />
      ) : null}
    </div>
  )
}

/** How a version's changes are taken back in this file; null where there is no such act. */
function undoOf(
  { origin, run, entry, drift, inForce }: PathVersion,
  path: string,
  act: (act: Act) => void
): { readonly label: string; readonly run: () => void } | null {
  if (!inForce) return null
  if (origin === 'agent' && run)
    return { label: 'Undo in this file…', run: () => act({ kind: 'undo-run', run, paths: [path] }) }
  if (drift === 'open' && entry)
    return { label: 'Put back…', run: () => act({ kind: 'drift', drift: entry, paths: [path] }) }
  return null
}
