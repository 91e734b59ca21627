/** The changed files of a run or a comparison, as a tree or a list, with the review state of each file. */
import { useMemo, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { diffWarningText } from '../../../contract/words/run-warnings.ts'
import { type Selection, verbOf } from '../../model/diff-selection.ts'
import { useActions, useWorkspaceState } from '../../state/open-workspace.tsx'
import { NO_FILES } from '../../state/store.ts'
import { Blank } from '../../ui/blank.tsx'
import { IconButton } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { MenuButton } from '../../ui/menu.tsx'
import { usePreservedFocus } from '../../ui/preserved-focus.ts'
import { comparisonItems, pairLabel } from './compare-menu.ts'
import { countColumns } from './file-marks.ts'
import { FileMenu, type FileMenuAnchor } from './file-menu.tsx'
import { FileTree } from './file-tree.tsx'
import { FilesBar, FilesFilter, FilesSummary } from './files-head.tsx'
import { SelectionBar } from './selection-bar.tsx'
import { useFileFocus, useFileTree } from './use-file-tree.ts'
import { useSelectedFiles } from './use-selected-files.ts'
import './files.css'

export function FilesPane({ selection }: { readonly selection: Selection }) {
  const diff = useWorkspaceState((state) => state.diff)
  const loading = useWorkspaceState(({ diffLoading }) => diffLoading)
  const error = useWorkspaceState(({ diffError }) => diffError)
  const files = diff?.files ?? NO_FILES
  const tree = useFileTree(files)
  const columns = useMemo(() => countColumns(files), [files])
  const { rows, filter, setFilter } = tree
  const [filtering, setFiltering] = useState(false)
  const [menu, setMenu] = useState<FileMenuAnchor | null>(null)
  const focus = useFileFocus(tree)
  const selected = useSelectedFiles(rows)
  const preserved = usePreservedFocus(focus.list, focus.at, rows)
  const filterField = useRef<HTMLInputElement>(null)

  const clearFilter = () => {
    setFilter('')
    setFiltering(false)
  }
  const openFilter = () => {
    // At once: a letter that is typed next is text, not a command.
    flushSync(() => setFiltering(true))
    filterField.current?.focus()
  }
  return (
    <aside className="files" aria-label="Changed files" style={columns} {...preserved}>
      <FilesBar
        title={selection.drift ? 'Recorded → on disk' : 'Files'}
        files={diff ? files.length : null}
        tree={tree}
        filtering={filtering}
        onFilter={openFilter}
      />
      {filtering ? (
        <FilesFilter
          value={filter}
          field={filterField}
          onChange={setFilter}
          onLeave={(keep) => {
            // At once: without the filter the rows have other places.
            if (!keep) flushSync(clearFilter)
            focus.focusCurrent()
          }}
        />
      ) : (
        <FilesSummary files={diff ? files : null} />
      )}
      {loading ? <div className="loadbar late" role="progressbar" aria-label="Loading the changed files" /> : null}
      {error && diff ? (
        <div className="notice" data-tone="warn" role="status">
          <span>Couldn’t refresh the list. {error.message}</span>
        </div>
      ) : null}
      <DiffWarning />
      {rows.length === 0 ? (
        <NoRows filter={filter} onClearFilter={clearFilter} />
      ) : (
        <FileTree
          tree={tree}
          focus={focus}
          selected={selected}
          verb={verbOf(selection)}
          loading={loading}
          onMenu={setMenu}
          onFilter={openFilter}
          onClearFilter={clearFilter}
        />
      )}
      {selected.paths.size > 0 ? <SelectionBar selected={selected} verb={verbOf(selection)} /> : <FilesFoot />}
      {menu ? <FileMenu {...menu} verb={verbOf(selection)} onClose={() => setMenu(null)} /> : null}
    </aside>
  )
}

/** In place of the tree while it has no row. */
function NoRows({ filter, onClearFilter }: { readonly filter: string; readonly onClearFilter: () => void }) {
  if (filter === '') return <div className="blank files-blank late muted">Comparing…</div>
  return (
    <Blank
      className="files-blank"
      icon="search"
      title={`Nothing matches “${filter}”.`}
      actions={[{ label: 'Clear filter', run: onClearFilter }]}
    />
  )
}

/** The entry bar already warns about an incomplete run; the files pane does not repeat it. */
function DiffWarning() {
  const warning = useWorkspaceState(({ diff }) => diffWarningText(diff?.warnings ?? []))
  const incomplete = useWorkspaceState(({ shown }) => {
    const node = shown?.node
    const run = node?.kind === 'entry' ? node.entry : node?.run
    return run?.kind === 'run' && run.incomplete
  })
  if (warning === '' || incomplete) return null
  return (
    <div className="notice" data-tone="warn">
      <span>{warning}</span>
    </div>
  )
}

/** The foot of the files pane: the two compared sides, and a menu of other comparisons. */
function FilesFoot() {
  const actions = useActions()
  const comparisons = useWorkspaceState((state) => state.comparisons)
  const compared = useWorkspaceState((state) => state.compared)
  const pair = useWorkspaceState((state) => state.pair)
  const drift = useWorkspaceState(({ selection }) => selection?.drift === true)
  if (drift) {
    return (
      <div className="pane-foot reassure">
        <Icon name="shield" />
        <p>
          Both versions are stored. Accept leaves the files on disk as they are; Undo shows a preview first. You can
          reverse either.
        </p>
      </div>
    )
  }
  const small = { size: 'sm', iconSize: 's' } as const
  return (
    <div className="pane-foot">
      Compare{' '}
      <MenuButton
        label="Choose comparison"
        items={comparisonItems({ comparisons, compared, pair }, actions)}
        className="btn ghost sm files-compare"
        named
      >
        <span className="ell">{pair ? pairLabel(pair) : (compared?.label ?? '…')}</span> <Icon name="down" size="s" />
      </MenuButton>
      {pair ? (
        <>
          <IconButton icon="swap" {...small} label="Swap sides" keys="X" onClick={actions.swap} />
          <IconButton icon="x" {...small} label="Stop comparing" keys="Escape" onClick={actions.clearPair} />
        </>
      ) : null}
    </div>
  )
}
