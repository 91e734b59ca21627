/** The versions of one file, beside a rail. Replaces the timeline while a file history is open. */
import { type RefObject, useEffect, useImperativeHandle, useMemo, useRef } from 'react'
import type { PathVersion } from '../../../contract/log.ts'
import { plural } from '../../../contract/words/numbers.ts'
import {
  versionAuthor,
  versionSentence,
  versionState,
  versionTitle,
  versionWhen
} from '../../../contract/words/versions.ts'
import { layOutRail, type RailRow, type RailSegment } from '../../model/rail.ts'
import { useOpenWorkspace } from '../../state/open-workspace.tsx'
import { usePreferences } from '../../state/preferences.tsx'
import { AgentTile } from '../../ui/agent.tsx'
import { Button } from '../../ui/button.tsx'
import { Counts } from '../../ui/counts.tsx'
import { Icon } from '../../ui/icon.tsx'
import { TestMark } from '../../ui/test-mark.tsx'
import { useListKeys } from '../../ui/use-list-keys.ts'
import { useNow } from '../../ui/use-now.ts'
import { VirtualList, type VirtualListHandle } from '../../ui/virtual-list.tsx'
import { Rail } from '../timeline/rail-view.tsx'
import { TimelineSplitter } from '../timeline/timeline-splitter.tsx'
import { type FileHistory, restoreVersionRequest } from './use-file-history.ts'

const NONE: readonly PathVersion[] = []

export function VersionList({ history }: { readonly history: FileHistory }) {
  const now = useNow('minute')
  const list = useRef<VirtualListHandle>(null)
  const versions = history.versions ?? NONE
  const rails = useMemo(() => versionRails(versions), [versions])
  const at = Math.max(
    0,
    versions.findIndex(({ seq }) => seq === history.version?.seq)
  )
  const { focus, select, onKeyDown } = useVersionKeys(history, versions, at, list)
  useImperativeHandle(useOpenWorkspace().handles.timeline, () => ({ focus, focusFilter: focus }))
  // The element that opened the history is no longer on screen, so focus fell back to the page.
  const isLoaded = versions.length > 0
  useEffect(() => {
    if (isLoaded && (document.activeElement === document.body || document.activeElement === null))
      list.current?.focusRow(0)
  }, [isLoaded])

  return (
    <nav className="timeline" aria-label="Versions" data-pane="timeline" id="timeline-pane">
      <VersionsHead count={versions.length} />
      {history.versions === null && history.error === null ? (
        <div className="loadbar late" role="progressbar" aria-label="Loading the versions" />
      ) : null}
      <VirtualList
        ref={list}
        role="listbox"
        label={`Versions of ${history.path}`}
        className="tl-list"
        items={versions}
        keyOf={({ seq }) => String(seq)}
        heightOf={() => VERSION_HEIGHT}
        alwaysRendered={[at]}
        onKeyDown={onKeyDown}
        renderRow={(version, index) => (
          <VersionRow
            version={version}
            index={index}
            size={versions.length}
            rail={rails[index]}
            now={now}
            selected={index === at}
            onSelect={select}
          />
        )}
      />
      <TimelineSplitter />
    </nav>
  )
}

/** Arrow keys select; Enter shows the change, R restores the version. */
function useVersionKeys(
  history: FileHistory,
  versions: readonly PathVersion[],
  at: number,
  list: RefObject<VirtualListHandle | null>
) {
  const { actions } = useOpenWorkspace()
  const { letterKeys } = usePreferences()
  const select = (index: number) => {
    const seq = versions[index]?.seq
    if (seq === undefined) return
    history.select(seq)
    list.current?.focusRow(index)
  }
  const onKeyDown = useListKeys({
    list: { length: versions.length },
    at,
    letters: letterKeys,
    onMove: select,
    onKey: ({ key, ctrlKey, metaKey, altKey }) => {
      if (ctrlKey || metaKey || altKey) return false
      if (key === 'Enter') {
        actions.closeDrawer()
        actions.goTo('diff')
      } else if (letterKeys && key.toLowerCase() === 'r' && history.version)
        actions.openPreview(restoreVersionRequest(history.path, history.version))
      else return false
      return true
    }
  })
  return { focus: () => list.current?.focusRow(at), select, onKeyDown }
}

function VersionsHead({ count }: { readonly count: number }) {
  const { actions } = useOpenWorkspace()
  return (
    <div className="versions-head">
      <Button kind="ghost" icon="left" onClick={actions.closeHistory}>
        Timeline
      </Button>
      <span className="grow" />
      <span className="small muted num">{plural(count, 'version')}</span>
    </div>
  )
}

interface VersionRowProps {
  readonly version: PathVersion
  readonly index: number
  /** Number of versions. */
  readonly size: number
  readonly rail: RailSegment | undefined
  readonly now: number
  readonly selected: boolean
  readonly onSelect: (index: number) => void
}

function VersionRow({ version, index, size, rail, now, selected, onSelect }: VersionRowProps) {
  return (
    <div
      className="tl"
      data-kind={version.origin === 'agent' ? 'run' : 'note'}
      data-undone={!version.inForce || undefined}
      role="option"
      data-index={index}
      aria-selected={selected}
      aria-setsize={size}
      aria-posinset={index + 1}
      tabIndex={selected ? 0 : -1}
      onClick={() => onSelect(index)}
      onKeyDown={() => {}}
    >
      <span className="sr">{versionSentence(version, now)}</span>
      <Rail paths={rail?.paths ?? []} height={VERSION_HEIGHT} />
      <Mark version={version} />
      <div className="body" aria-hidden="true">
        <div className="t1">
          <span className="ell grow ttl" dir="auto">
            {versionTitle(version)}
          </span>
          <span className="when">{versionWhen(version, now)}</span>
        </div>
        <div className="t2">
          <span className="ell">{versionAuthor(version)}</span>
          <TestMark test={version.tests?.[0]} />
          <span className="end">
            {versionState(version)}{' '}
            {version.inForce && version.added + version.deleted > 0 ? <Counts {...version} /> : null}
          </span>
        </div>
      </div>
    </div>
  )
}

function Mark({ version: { origin, agent, drift } }: { readonly version: PathVersion }) {
  if (origin === 'outside')
    return (
      <span className="node drift">
        <i className="knot" data-tone={drift === 'open' ? 'warn' : 'done'} />
      </span>
    )
  return (
    <span className="node">
      {origin === 'agent' ? (
        <AgentTile className="tl-tile" agent={agent ?? ''} />
      ) : origin === 'restore' ? (
        <span className="glyph">
          <Icon name="restore" size="s" />
        </span>
      ) : (
        <i className="knot" />
      )}
    </span>
  )
}

/** Height of a row, px. */
const VERSION_HEIGHT = 48

/** Rail segments of all versions, newest first. */
export function versionRails(versions: readonly PathVersion[]): RailSegment[] {
  return layOutRail(versions.map(toRailRow), { more: false })
}

function toRailRow({ seq, origin, inForce, drift, back }: PathVersion): RailRow {
  return {
    kind: origin === 'outside' ? 'outside' : origin === 'restore' ? 'restore' : 'node',
    height: VERSION_HEIGHT,
    level: 1,
    seq,
    undone: origin === 'agent' && !inForce,
    expanded: false,
    open: drift === 'open',
    restoredTo: inForce ? back : null
  }
}
