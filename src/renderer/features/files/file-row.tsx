/** One row of the changed-files list: a folder or a file. */
import { type DragEvent, type MouseEvent, memo } from 'react'

import { fileNote, fileSentence, flagsOf, letterOf } from '../../../contract/words/files.ts'
import { formatNumber, plural } from '../../../contract/words/numbers.ts'
import { IconButton } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { MiddleCut } from '../../ui/middle-cut.tsx'
import { FLAG_ICONS, letterClass } from './file-marks.ts'
import type { FileRow, FolderRow, Row } from './file-rows.ts'
import type { SelectHow } from './use-selected-files.ts'

interface RowProps<R extends Row> {
  readonly row: R
  readonly index: number
  readonly selected: boolean
  readonly focusable: boolean
  readonly reviewed: boolean
  /** Number of threads of comments that are not resolved. */
  readonly comments: number
  /** A tool is writing the file now. */
  readonly writing: boolean
  /** Its file can be dragged into another program. */
  readonly draggable: boolean
  /** A command changed every file of the list. */
  readonly allInferred: boolean
  /** "Undo" or "Restore". */
  readonly verb: string
  /** Why no file can be undone now, null if it can. */
  readonly undoDisabled: string | null
  /** The same object for all rows and renders, so that `memo` works. */
  readonly actions: FileRowActions
}

export interface FileRowActions {
  readonly focus: (row: Row) => void
  /** Shows a file, opens or closes a folder. With Shift or Ctrl, files are selected instead. */
  readonly press: (row: Row, how: SelectHow) => void
  readonly openDiff: () => void
  readonly undo: (row: Row) => void
  readonly toggleReviewed: (path: string) => void
  readonly menu: (row: Row, anchor: DOMRect) => void
  /** The row, or the selection that it is in, is dragged. */
  readonly drag: (row: Row, event: DragEvent) => void
}

const INDENT_PX = 14
const MAX_FLAGS = 2

/** Memoised: scrolling renders only the rows that come into view. */
export const FileRowView = memo(function FileRowView(props: RowProps<Row>) {
  const { row } = props
  return row.kind === 'folder' ? <Folder {...props} row={row} /> : <File {...props} row={row} />
})

function treeItemProps({ row, index }: RowProps<Row>) {
  return {
    'data-index': index,
    'aria-level': row.level,
    'aria-setsize': row.setSize,
    'aria-posinset': row.posInSet
  } as const
}

function Folder(props: RowProps<FolderRow>) {
  const { row, actions } = props
  const note = row.group || !row.open ? `${plural(row.files, 'file')}, ${plural(row.lines, 'line')}` : ''
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: keys are handled once, by the tree.
    <div
      role="treeitem"
      {...treeItemProps(props)}
      tabIndex={props.focusable ? 0 : -1}
      className="fr dir"
      aria-expanded={row.open}
      aria-selected={props.selected}
      style={{ paddingLeft: 6 + (row.level - 1) * INDENT_PX }}
      onClick={(event) => actions.press(row, howOf(event))}
      onFocus={() => actions.focus(row)}
      onContextMenu={(event) => openMenu(event, row, actions)}
    >
      <span className="sr">{`${row.label}, ${plural(row.files, 'changed file')}.`}</span>
      <span className="tw">
        <Icon name="right" size="s" />
      </span>
      <span className="name" aria-hidden="true">
        <MiddleCut text={row.label} />
      </span>
      {note ? (
        <span className="fr-note" aria-hidden="true">
          {note}
        </span>
      ) : null}
    </div>
  )
}

function howOf({ shiftKey, ctrlKey, metaKey }: MouseEvent): SelectHow {
  return shiftKey ? 'range' : ctrlKey || metaKey ? 'toggle' : 'alone'
}

function openMenu(event: MouseEvent, row: Row, actions: FileRowActions): void {
  event.preventDefault()
  actions.menu(row, new DOMRect(event.clientX, event.clientY, 0, 0))
}

function File(props: RowProps<FileRow>) {
  const { row, selected, reviewed, writing, comments, actions } = props
  const { file } = row
  const letter = letterOf(file.change)
  const note = fileNote(file)
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: keys are handled once, by the tree.
    <div
      role="treeitem"
      {...treeItemProps(props)}
      tabIndex={props.focusable ? 0 : -1}
      className={reviewed ? 'fr seen' : 'fr'}
      aria-selected={selected}
      title={file.oldPath ? `${file.oldPath} → ${file.path}` : file.path}
      style={{ paddingLeft: 6 + (row.level - 1) * INDENT_PX + (row.level > 1 ? 2 : 0) }}
      onClick={(event) => actions.press(row, howOf(event))}
      onDoubleClick={actions.openDiff}
      draggable={props.draggable}
      onDragStart={(event) => actions.drag(row, event)}
      onFocus={(event) => event.target === event.currentTarget && actions.focus(row)}
      onContextMenu={(event) => openMenu(event, row, actions)}
    >
      <span className="sr">{fileSentence(file, reviewed, writing, comments)}</span>
      <span className={letterClass(letter)} aria-hidden="true">
        {letter}
      </span>
      <span className={row.oldName ? 'name renamed' : 'name'} aria-hidden="true">
        {row.oldName ? <span className="muted old-name">{row.oldName}</span> : null}
        {row.oldName ? <span className="muted"> → </span> : null}
        <span className="new-name" data-cut={row.folder !== '' || undefined}>
          {row.folder ? (
            <span className="muted name-folder">
              <MiddleCut text={row.folder} />
            </span>
          ) : null}
          <MiddleCut text={row.name} />
        </span>
      </span>
      {flagsOf(file, props.allInferred)
        .slice(0, MAX_FLAGS)
        .map((flag) => (
          <span className="flag" key={flag.code} data-tip={flag.label} aria-hidden="true">
            <Icon name={FLAG_ICONS[flag.code]} size="s" label={flag.label} />
          </span>
        ))}
      {comments > 0 ? (
        <span className="fr-comments num" data-tip={plural(comments, 'unresolved comment')} aria-hidden="true">
          <Icon name="chat" size="xs" /> {formatNumber(comments)}
        </span>
      ) : null}
      {writing ? (
        <span className="fr-note fr-now" aria-hidden="true">
          now
        </span>
      ) : null}
      {note ? (
        <span className="fr-note" aria-hidden="true">
          {note}
        </span>
      ) : null}
      {note === '' && !hasNoLines(file) ? <LineCounts file={file} /> : null}
      <FileActions {...props} />
    </div>
  )
}

/** Its name has the room of the counts. */
const hasNoLines = ({ counted, added, deleted }: FileRow['file']): boolean => counted && added + deleted === 0

/** In the columns of the list. */
function LineCounts({ file }: Pick<FileRow, 'file'>) {
  const { counted, added, deleted } = file
  return (
    <>
      <span className="pm plus num" aria-hidden="true">
        {counted && added ? `+${formatNumber(added)}` : ''}
      </span>
      <span className="pm minus num" aria-hidden="true">
        {counted && deleted ? `−${formatNumber(deleted)}` : ''}
      </span>
    </>
  )
}

/** Hidden from assistive technology: the row's menu offers the same actions by keyboard. */
function FileActions({ row, verb, undoDisabled, reviewed, actions }: RowProps<FileRow>) {
  return (
    <>
      <span className="acts file-acts" data-actions aria-hidden="true">
        <IconButton
          icon="undo"
          label={`${verb} file…`}
          keys="R"
          size="sm"
          tabIndex={-1}
          disabledReason={row.file.notStored ? 'Its earlier content is not stored' : undoDisabled}
          onClick={(event) => {
            event.stopPropagation()
            actions.undo(row)
          }}
        />
        <IconButton
          icon="more"
          label="More actions"
          size="sm"
          tabIndex={-1}
          onClick={(event) => {
            event.stopPropagation()
            actions.menu(row, event.currentTarget.getBoundingClientRect())
          }}
        />
      </span>
      <button
        type="button"
        className="tick"
        tabIndex={-1}
        aria-hidden="true"
        data-tip="Reviewed"
        data-tip-keys="Space"
        onClick={(event) => {
          event.stopPropagation()
          actions.toggleReviewed(row.file.path)
        }}
      >
        {reviewed ? <Icon name="check" size="s" /> : <span />}
      </button>
    </>
  )
}
