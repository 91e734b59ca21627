/** One row of the restore list: a section, a decision, a file that cannot go back, or one that will change. */
import { Icon } from '../../ui/icon.tsx'
import { MenuButton, type MenuEntry } from '../../ui/menu.tsx'
import { letterClass, splitPath } from '../files/file-words.ts'
import { actionLetter, actionWord, CHOICE_WORDS, type PlanRow, rowSentence, type SectionRow } from './plan-rows.ts'
import { reasonWords } from './restore-words.ts'

interface RestoreRowProps {
  readonly row: PlanRow
  readonly index: number
  readonly selected: boolean
  readonly focusable: boolean
  /** "For both" of the decisions. */
  readonly bulk: readonly MenuEntry[]
  readonly onFocus: () => void
  readonly onPick: () => void
  readonly onTick: () => void
}

export function RestoreRow(props: RestoreRowProps) {
  const { row, index, selected, focusable, onFocus, onPick, onTick } = props
  const frame = {
    'data-index': index,
    tabIndex: focusable ? 0 : -1,
    onFocus: (event: React.FocusEvent) => event.target === event.currentTarget && onFocus(),
    onClick: onPick
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
        className={row.id === 'decide' ? 'rsec warn' : 'rsec'}
      >
        <span className="sr">{rowSentence(row)}</span>
        <SectionHead row={row} bulk={props.bulk} onTick={onTick} />
      </div>
    )
  }
  const letter = actionLetter(row.kind === 'decision' ? row.item : row.item)
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
      className={['fr rp', two && 'two', selected && 'sel', row.kind === 'change' && !row.ticked && 'out']
        .filter(Boolean)
        .join(' ')}
      title={row.id}
    >
      <span className="sr">{rowSentence(row)}</span>
      {row.kind === 'change' ? <Tick state={row.ticked ? 'all' : 'none'} onTick={onTick} /> : null}
      <span className={letterClass(letter)} aria-hidden="true">
        {letter}
      </span>
      <span className="name" aria-hidden="true">
        <span className="ell rpath">
          <span className="muted">{folder}</span>
          {name}
        </span>
        {row.kind === 'decision' ? <span className="cap muted ell">{reasonWords(row.conflict)}</span> : null}
        {row.kind === 'cannot' ? <span className="cap muted ell">{row.item.note}. It stays as it is.</span> : null}
      </span>
      {row.kind === 'decision' ? (
        <span className="badge line" aria-hidden="true">
          {CHOICE_WORDS[row.choice]}
        </span>
      ) : null}
      {row.kind === 'change' ? (
        <span className={row.item.note ? 'note c-warn' : 'note'} aria-hidden="true">
          {row.ticked ? row.item.note || actionWord(row.item) : 'stays'}
        </span>
      ) : null}
    </div>
  )
}

interface SectionHeadProps {
  readonly row: SectionRow
  readonly bulk: readonly MenuEntry[]
  readonly onTick: () => void
}

function SectionHead({ row, bulk, onTick }: SectionHeadProps) {
  const label = row.count === 1 ? 'For this file' : row.count === 2 ? 'For both' : `For all ${row.count}`
  return (
    <>
      {row.id === 'decide' ? <Icon name="warn" size="s" /> : null}
      {row.id === 'cannot' ? <Icon name="none" size="s" /> : null}
      {row.id === 'change' ? <Tick state={row.ticked} onTick={onTick} /> : null}
      <b aria-hidden="true">{row.title}</b>
      <span className="grow" />
      {row.id === 'decide' && row.count > 1 ? (
        // biome-ignore lint/a11y/noStaticElementInteractions: only keeps the press from closing the section.
        // biome-ignore lint/a11y/useKeyWithClickEvents: the button inside takes keys.
        <span onClick={(event) => event.stopPropagation()}>
          <MenuButton label={label} items={bulk} className="btn sm" align="right" named>
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

/** A tick box for the mouse; the row itself says and takes the tick by keyboard. */
function Tick({ state, onTick }: { readonly state: 'all' | 'some' | 'none'; readonly onTick: () => void }) {
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
        onChange={onTick}
        onClick={(event) => event.stopPropagation()}
      />
    </span>
  )
}
