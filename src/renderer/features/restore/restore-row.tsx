/** One row of the restore list: a section, a folder, a decision, a file that cannot be restored, or a change. */
import { splitPath } from '../../../contract/words/paths.ts'
import { conflictText, noteText } from '../../../contract/words/plan.ts'
import { resolutionLabel } from '../../../contract/words/resolutions.ts'
import { Icon } from '../../ui/icon.tsx'
import { MenuButton, type MenuEntry } from '../../ui/menu.tsx'
import { MiddleCut } from '../../ui/middle-cut.tsx'
import { letterClass } from '../files/file-marks.ts'
import {
  actionLetter,
  actionWord,
  changeNote,
  type FolderRow,
  type PlanFile,
  type PlanRow,
  rowSentence,
  type SectionRow
} from './plan-rows.ts'

interface RestoreRowProps {
  readonly row: PlanRow
  readonly index: number
  readonly selected: boolean
  readonly focusable: boolean
  /** Menu that resolves all conflicts at once. */
  readonly bulkActions: readonly MenuEntry[]
  readonly onFocus: () => void
  readonly onSelect: () => void
  readonly onToggle: () => void
}

const INDENT_PX = 14

export function RestoreRow(props: RestoreRowProps) {
  const { row, index, selected, focusable, onFocus, onSelect, onToggle } = props
  const ticked = row.kind === 'change' ? (row.ticked ? 'all' : 'none') : row.kind === 'folder' ? row.ticked : null
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: keys are handled once, by the list.
    <div
      role="treeitem"
      data-index={index}
      tabIndex={focusable ? 0 : -1}
      className={rowClass(row)}
      title={row.kind === 'section' || row.kind === 'folder' ? undefined : row.id}
      aria-level={row.level}
      aria-setsize={row.setSize}
      aria-posinset={row.posInSet}
      aria-selected={selected}
      aria-expanded={row.kind === 'section' || row.kind === 'folder' ? row.open : undefined}
      aria-checked={ticked === null ? undefined : CHECKED[ticked]}
      style={row.kind === 'section' ? undefined : { paddingLeft: 8 + (row.level - 2) * INDENT_PX }}
      onFocus={(event) => event.target === event.currentTarget && onFocus()}
      onClick={onSelect}
    >
      <span className="sr">{rowSentence(row)}</span>
      {ticked === null ? null : <RowCheckbox state={ticked} onToggle={onToggle} />}
      {row.kind === 'section' ? (
        <SectionHead row={row} bulkActions={props.bulkActions} onToggle={onToggle} />
      ) : row.kind === 'folder' ? (
        <Folder row={row} />
      ) : (
        <File row={row} />
      )}
    </div>
  )
}

const CHECKED = { all: true, some: 'mixed', none: false } as const

function rowClass(row: PlanRow): string {
  if (row.kind === 'section') return row.section === 'decide' ? 'restore-section decide' : 'restore-section'
  if (row.kind === 'folder') return 'fr plan-row dir'
  return row.kind === 'change' ? 'fr plan-row' : 'fr plan-row two'
}

function Folder({ row }: { readonly row: FolderRow }) {
  return (
    <>
      <span className="tw">
        <Icon name="right" size="s" />
      </span>
      <span className="name plan-name" aria-hidden="true">
        <MiddleCut text={row.label} />
      </span>
      {row.own ? (
        <span className="fr-note plan-note" aria-hidden="true">
          {row.own.ticked ? actionWord(row.own.item) : 'unchanged'}
        </span>
      ) : null}
    </>
  )
}

function File({ row }: { readonly row: PlanFile }) {
  const letter = actionLetter(row.item)
  return (
    <>
      <span className={`${letterClass(letter)} plan-letter`} aria-hidden="true">
        {letter}
      </span>
      <span className="name plan-name" aria-hidden="true">
        <MiddleCut text={splitPath(row.id).name} />
        {row.kind === 'decision' ? <span className="cap muted ell">{conflictText(row.conflict)}</span> : null}
        {row.kind === 'cannot' ? <span className="cap muted ell">{noteText(row.item.note)}. Unchanged.</span> : null}
      </span>
      {row.kind === 'decision' ? (
        <span className="badge" data-tone="line" aria-hidden="true">
          {resolutionLabel(row.resolution, row.conflict)}
        </span>
      ) : null}
      {row.kind === 'change' ? (
        <span className="fr-note plan-note" aria-hidden="true">
          {changeNote(row)}
        </span>
      ) : null}
    </>
  )
}

interface SectionHeadProps {
  readonly row: SectionRow
  readonly bulkActions: readonly MenuEntry[]
  readonly onToggle: () => void
}

function SectionHead({ row, bulkActions, onToggle }: SectionHeadProps) {
  const label = row.count === 1 ? 'For this file' : row.count === 2 ? 'For both' : `For all ${row.count}`
  return (
    <>
      {row.section === 'decide' ? <Icon name="warn" size="s" /> : null}
      {row.section === 'cannot' ? <Icon name="none" size="s" /> : null}
      {row.section === 'change' ? <RowCheckbox state={row.ticked} onToggle={onToggle} /> : null}
      <b aria-hidden="true">{row.title}</b>
      <span className="grow" />
      {row.section === 'decide' && row.count > 1 ? (
        // biome-ignore lint/a11y/noStaticElementInteractions: only prevents the click from folding the section.
        // biome-ignore lint/a11y/useKeyWithClickEvents: the button inside takes keys.
        <span onClick={(event) => event.stopPropagation()}>
          <MenuButton label={label} items={bulkActions} className="btn sm" align="right" named>
            {label} <Icon name="down" size="s" />
          </MenuButton>
        </span>
      ) : null}
      {row.section === 'decide' ? null : (
        <span className="restore-fold" data-open={row.open}>
          <Icon name="down" size="s" />
        </span>
      )}
    </>
  )
}

/** For the mouse only: the row itself is the checkbox for keyboard and screen reader. */
function RowCheckbox({ state, onToggle }: { readonly state: 'all' | 'some' | 'none'; readonly onToggle: () => void }) {
  return (
    <span className="tick-box">
      <input
        type="checkbox"
        className="check"
        tabIndex={-1}
        aria-hidden="true"
        checked={state === 'all'}
        ref={(box) => {
          if (box) box.indeterminate = state === 'some'
        }}
        onChange={onToggle}
        onClick={(event) => event.stopPropagation()}
      />
    </span>
  )
}
