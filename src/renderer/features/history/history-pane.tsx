/**
 * The history of one file: its changes version by version, its text, and who wrote each line. Replaces files and diff.
 */
import { useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { PathVersion } from '../../../contract/log.ts'
import { hasColumn, isDrawerOpen } from '../../state/derived.ts'
import { useFileActions, useOpenWorkspace, useWorkspaceState } from '../../state/open-workspace.tsx'
import { FailedBlank } from '../../ui/blank.tsx'
import { useEscape } from '../../ui/use-escape.ts'
import { runDiffKey } from '../diff/diff-keys.ts'
import { useTextOptions } from '../diff/text-options.tsx'
import { type TextViewHandle, textCommands } from '../diff/text-view.tsx'
import { BlamePopover } from './blame-popover.tsx'
import { type BlameBlock, type BlameRow, blockAt } from './blame-rows.ts'
import { BlameView } from './blame-view.tsx'
import { FileHeader } from './file-header.tsx'
import { useLineSearch } from './line-search.tsx'
import type { FileHistory } from './use-file-history.ts'
import { VersionView } from './version-view.tsx'
import { ViewBar } from './view-bar.tsx'
import './history.css'

/** The block of lines whose author is shown in the popover. */
interface SelectedBlame {
  readonly version: PathVersion
  readonly block: BlameBlock
  readonly anchor: DOMRect
}

export function HistoryPane({ history }: { readonly history: FileHistory }) {
  const { actions } = useOpenWorkspace()
  const { openInEditor } = useFileActions()
  /** The version list is not shown beside it: the pane takes focus and has a Back button. */
  const standalone = !useWorkspaceState(hasColumn)
  // A drawer lies over the pane and handles Escape.
  const behindDrawer = useWorkspaceState(isDrawerOpen)
  const { path, version, view } = history
  const pane = useRef<HTMLElement>(null)
  const text = useRef<TextViewHandle>(null)
  const { options, chooseLayout, commands: layoutCommands } = useTextOptions(pane, history.path)
  const [selectedBlame, setSelectedBlame] = useState<SelectedBlame | null>(null)
  const search = useLineSearch()
  const bySeq = useMemo(() => new Map(history.versions?.map((each) => [each.seq, each])), [history.versions])
  useEscape(behindDrawer ? null : actions.closeHistory)
  // The element that opened the pane is no longer on screen, so focus fell back to the page.
  useLayoutEffect(() => {
    if (standalone && document.activeElement === document.body) pane.current?.focus()
  }, [standalone])
  const selectBlame = useCallback(
    (rows: readonly BlameRow[], index: number, anchor: DOMRect) => {
      const author = bySeq.get(rows[index]?.seq ?? 0)
      if (author) setSelectedBlame({ version: author, block: blockAt(rows, index), anchor })
    },
    [bySeq]
  )

  const textKeys = { ...textCommands(text), ...layoutCommands }
  const commands = { versions: actions.closeHistory, ...(view === 'lines' ? {} : textKeys) }
  const openFile = openInEditor ? () => openInEditor(path) : undefined
  return (
    <div className="stage">
      <FileHeader history={history} standalone={standalone} />
      <main
        className="diffpane history"
        aria-label={`History of ${path}`}
        data-pane="diff"
        id="diff-pane"
        ref={pane}
        tabIndex={-1}
        onKeyDownCapture={(event) => runDiffKey(event, commands)}
      >
        <ViewBar history={history} split={options.split} onLayout={chooseLayout} search={search} />
        {history.error !== null ? (
          <FailedBlank title="Couldn’t load the history of this file." text={history.error} onRetry={history.retry} />
        ) : view === 'lines' ? (
          <BlameView
            path={path}
            secret={history.secret}
            versions={bySeq}
            marked={selectedBlame?.version.seq ?? version?.seq ?? null}
            search={search}
            onSelectBlock={selectBlame}
          />
        ) : version ? (
          <VersionView
            path={path}
            version={version}
            view={view === 'change' && version.origin === 'baseline' ? 'text' : view}
            options={options}
            text={text}
            onOpenInEditor={openFile}
          />
        ) : null}
      </main>
      {selectedBlame ? (
        <BlamePopover {...selectedBlame} history={history} onClose={() => setSelectedBlame(null)} />
      ) : null}
    </div>
  )
}
