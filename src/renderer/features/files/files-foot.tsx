/** The foot of the files pane: the two compared sides, and a menu of other comparisons. */
import { IconButton } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { MenuButton, type MenuEntry } from '../../ui/menu.tsx'
import type { Selection } from './selection.ts'

/** The current comparison, a menu of others, and the actions of a comparison of two entries. */
export interface ComparisonPicker {
  readonly label: string
  readonly items: readonly MenuEntry[]
  readonly pair: { readonly swap: () => void; readonly clear: () => void } | null
}

interface FilesFootProps {
  readonly selection: Selection
  /** Without it the two sides are only named. */
  readonly compare: ComparisonPicker | undefined
}

export function FilesFoot({ selection, compare }: FilesFootProps) {
  if (selection.drift) {
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
  return (
    <div className="pane-foot">
      Compare{' '}
      {compare ? (
        <MenuButton label="Choose comparison" items={compare.items} className="btn ghost sm files-compare" named>
          <span className="ell">{compare.label}</span> <Icon name="down" size="s" />
        </MenuButton>
      ) : (
        <span className="files-compare ell">{comparisonLabel(selection)}</span>
      )}
      {compare?.pair ? (
        <>
          <IconButton icon="swap" size="sm" iconSize="s" label="Swap sides" keys="X" onClick={compare.pair.swap} />
          <IconButton
            icon="x"
            size="sm"
            iconSize="s"
            label="Stop comparing"
            keys="Escape"
            onClick={compare.pair.clear}
          />
        </>
      ) : null}
    </div>
  )
}

/** Both sides in words: "start → end of run". */
function comparisonLabel({ to, toSeq, run }: Selection): string {
  if (to === 'now' || toSeq === null) return run ? 'start of run → on disk now' : 'earlier → on disk now'
  return run && !to ? 'start → end of run' : 'earlier → later'
}
