/** The changed files of a run or a comparison, as a tree or a list, with the review state of each file. */
import { useRef, useState } from 'react'
import { Menu } from '../../ui/menu.tsx'
import { usePreservedFocus } from '../../ui/preserved-focus.ts'
import { useFileActions, useOpenWorkspace, useReview, useWorkspaceState } from '../workspace/state/context.tsx'
import { NO_FILES } from '../workspace/state/store.ts'
import { fileMenu } from './file-menu.ts'
import { type FileMenuAnchor, FileTree } from './file-tree.tsx'
import { FilesEmpty } from './files-empty.tsx'
import { FilesFoot } from './files-foot.tsx'
import { FilesBar, FilesFilter, FilesSummary } from './files-head.tsx'
import { type Selection, verbOf } from './selection.ts'
import { useFileFocus } from './use-file-focus.ts'
import { useFileTree } from './use-file-tree.ts'
import './files.css'

export function FilesPane({ selection }: { readonly selection: Selection }) {
  const diff = useWorkspaceState((state) => state.diff)
  const loading = useWorkspaceState(({ diffLoading }) => diffLoading)
  const error = useWorkspaceState(({ diffError }) => diffError)
  const { reviewed } = useReview()
  const files = diff?.files ?? NO_FILES
  const tree = useFileTree(files)
  const { rows, filter, setFilter } = tree
  const [filtering, setFiltering] = useState(false)
  const [menu, setMenu] = useState<FileMenuAnchor | null>(null)
  const focus = useFileFocus(tree)
  const preserved = usePreservedFocus(focus.list, focus.at, rows)
  const filterField = useRef<HTMLInputElement>(null)

  const clearFilter = () => {
    setFilter('')
    setFiltering(false)
  }
  const openFilter = () => {
    setFiltering(true)
    requestAnimationFrame(() => filterField.current?.focus())
  }
  return (
    <aside className="files" aria-label="Changed files" {...preserved}>
      <FilesBar
        title={selection.drift ? 'Recorded → on disk' : 'Files'}
        files={diff ? files.length : null}
        mode={tree.mode}
        filtering={filtering}
        onFilter={openFilter}
        onMode={tree.toggleMode}
      />
      {filtering ? (
        <FilesFilter
          value={filter}
          field={filterField}
          onChange={setFilter}
          onLeave={(keep) => {
            if (!keep) clearFilter()
            focus.list.current?.focusRow(focus.at)
          }}
        />
      ) : (
        <FilesSummary files={files} reviewed={reviewed} />
      )}
      {loading ? <div className="loadbar late" role="progressbar" aria-label="Loading the changed files" /> : null}
      {error && diff ? (
        <div className="notice warn" role="status">
          <span>Couldn’t refresh the list. {error.message}</span>
        </div>
      ) : null}
      <DiffWarning />
      {rows.length === 0 ? (
        <FilesEmpty
          error={error}
          loading={loading || !diff}
          filter={filter}
          isRun={selection.run !== undefined}
          onClear={clearFilter}
        />
      ) : (
        <FileTree
          tree={tree}
          focus={focus}
          verb={verbOf(selection)}
          loading={loading}
          onMenu={setMenu}
          onFilter={openFilter}
          onClearFilter={clearFilter}
        />
      )}
      <FilesFoot />
      {menu ? <OpenFileMenu {...menu} verb={verbOf(selection)} onClose={() => setMenu(null)} /> : null}
    </aside>
  )
}

/** The entry bar already warns about an incomplete run; the files pane does not repeat it. */
function DiffWarning() {
  const warning = useWorkspaceState(({ diff }) => diff?.warning ?? '')
  const incomplete = useWorkspaceState(({ selected }) => {
    const node = selected?.node
    const run = node?.kind === 'entry' ? node.entry : node?.run
    return run?.kind === 'run' && run.incomplete
  })
  if (warning === '' || incomplete) return null
  return (
    <div className="notice warn">
      <span>{warning}</span>
    </div>
  )
}

interface OpenFileMenuProps extends FileMenuAnchor {
  readonly verb: string
  readonly onClose: () => void
}

function OpenFileMenu({ path, anchor, verb, onClose }: OpenFileMenuProps) {
  const { actions } = useOpenWorkspace()
  const { undo, accept, openInEditor, reveal } = useFileActions()
  const review = useReview()
  const file = useWorkspaceState(({ diff }) => diff?.files.find((candidate) => candidate.path === path))
  if (!file) return null
  const reviewed = review.reviewed.has(path)
  const items = fileMenu(file, reviewed, verb, {
    open: () => {
      actions.pickFile(path)
      actions.goTo('diff')
    },
    restore: () => undo(path),
    versions: () => actions.openHistory(path, 'change'),
    ...(accept ? { accept: () => accept(path) } : {}),
    toggleReviewed: () => review.setReviewed(path, !reviewed),
    ...(openInEditor ? { editor: () => openInEditor(path) } : {}),
    ...(reveal ? { reveal: () => reveal(path) } : {}),
    copy: () => void navigator.clipboard?.writeText(path)
  })
  return <Menu label={`Actions for ${path}`} anchor={anchor} onClose={onClose} items={items} />
}
