/** One row of the restore list: a section, a decision, a file that cannot be restored, or a change. */
import { splitPath } from '../../../contract/words/paths.ts'
import { conflictText, noteText } from '../../../contract/words/plan.ts'
import { Icon } from '../../ui/icon.tsx'
import { MenuButton, type MenuEntry } from '../../ui/menu.tsx'
import { letterClass } from '../files/file-marks.ts'
import { actionLetter, actionWord, type PlanRow, RESOLUTION_LABELS, rowSentence, type SectionRow } from './plan-rows.ts'

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

export function RestoreRow(props: RestoreRowProps) {
  const { row, index, selected, focusable, onFocus, onSelect, onToggle } = props
  const frame = {
    'data-index': index,
    tabIndex: focusable ? 0 : -1,
    onFocus: (event: React.FocusEvent) => event.target === event.currentTarget && onFocus(),
    onClick: onSelect
  }
  if (row.kind === 'section') {
    return (
      // biome-ignore lint/a11y/useFocusableInteractive: tabIndex is in frame.
      <div
        {...frame}
        role="treeitem"
        aria-level={1}
        aria-expanded={row.open}
        aria-selected={false}
        className={row.id === 'decide' ? 'rsec decide' : 'rsec'}
      >
        <span className="sr">{rowSentence(row)}</span>
        <SectionHead row={row} bulkActions={props.bulkActions} onToggle={onToggle} />
      </div>
    )
  }
  const letter = actionLetter(row.item)
  const { folder, name } = splitPath(row.id)
  const two = row.kind !== 'change'
  const checked = row.kind === 'change' ? { 'aria-checked': row.ticked } : {}
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: tabIndex is in frame.
    <div
      {...frame}
      {...checked}
      role="treeitem"
      aria-level={2}
      aria-selected={selected}
      className={two ? 'fr rp two' : 'fr rp'}
      title={row.id}
    >
      <span className="sr">{rowSentence(row)}</span>
      {row.kind === 'change' ? <RowCheckbox state={row.ticked ? 'all' : 'none'} onToggle={onToggle} /> : null}
      <span className={`${letterClass(letter)} rletter`} aria-hidden="true">
        {letter}
      </span>
      <span className="name rname" aria-hidden="true">
        <span className="rpath">
          <span className="muted ell">{folder}</span>
          <span className="ell rpath-name">{name}</span>
        </span>
        {row.kind === 'decision' ? <span className="cap muted ell">{conflictText(row.conflict)}</span> : null}
        {row.kind === 'cannot' ? <span className="cap muted ell">{noteText(row.item.note)}. Unchanged.</span> : null}
      </span>
      {row.kind === 'decision' ? (
        <span className="badge" data-tone="line" aria-hidden="true">
          {RESOLUTION_LABELS[row.resolution]}
        </span>
      ) : null}
      {row.kind === 'change' ? (
        <span className="fr-note" aria-hidden="true">
          {row.ticked ? noteText(row.item.note) || actionWord(row.item) : 'unchanged'}
        </span>
      ) : null}
    </div>
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
      {row.id === 'decide' ? <Icon name="warn" size="s" /> : null}
      {row.id === 'cannot' ? <Icon name="none" size="s" /> : null}
      {row.id === 'change' ? <RowCheckbox state={row.ticked} onToggle={onToggle} /> : null}
      <b aria-hidden="true">{row.title}</b>
      <span className="grow" />
      {row.id === 'decide' && row.count > 1 ? (
        // biome-ignore lint/a11y/noStaticElementInteractions: only prevents the click from folding the section.
        // biome-ignore lint/a11y/useKeyWithClickEvents: the button inside takes keys.
        <span onClick={(event) => event.stopPropagation()}>
          <MenuButton label={label} items={bulkActions} className="btn sm" align="right" named>
            {label} <Icon name="down" size="s" />
          </MenuButton>
        </span>
      ) : null}
      {row.id === 'decide' ? null : (
        <span className="rfold" data-open={row.open}>
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
