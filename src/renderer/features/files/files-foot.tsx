/** Below the files: what is compared, and what else could be. */
import { IconButton } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { MenuButton, type MenuEntry } from '../../ui/menu.tsx'
import { compareWords } from './compare-words.ts'
import type { Selection } from './selection.ts'

/** What is compared, what else could be, and how to turn or end a comparison of two entries. */
export interface CompareChoice {
  readonly label: string
  readonly items: readonly MenuEntry[]
  readonly pair: { readonly swap: () => void; readonly clear: () => void } | null
}

interface FilesFootProps {
  readonly selection: Selection
  /** Without it the two sides are only named. */
  readonly compare: CompareChoice | undefined
}

export function FilesFoot({ selection, compare }: FilesFootProps) {
  if (selection.drift) {
    return (
      <div className="pane-foot reassure">
        <Icon name="shield" />
        <p>
          Both versions are kept. Accept leaves the disk as it is; Put back shows you a preview first. Either can be
          undone.
        </p>
      </div>
    )
  }
  return (
    <div className="pane-foot">
      Compare{' '}
      {compare ? (
        <MenuButton label="What is compared" items={compare.items} className="btn ghost sm files-compare" named>
          <span className="ell">{compare.label}</span> <Icon name="down" size="s" />
        </MenuButton>
      ) : (
        <span className="files-compare ell">{compareWords(selection)}</span>
      )}
      {compare?.pair ? (
        <>
          <IconButton icon="swap" size="sm" iconSize="s" label="Swap the two" keys="X" onClick={compare.pair.swap} />
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
