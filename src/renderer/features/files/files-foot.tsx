/** Below the files: what is compared, and what else could be. */
import { Icon } from '../../ui/icon.tsx'
import { MenuButton, type MenuEntry } from '../../ui/menu.tsx'
import { compareWords } from './compare-words.ts'
import type { Selection } from './files-pane.tsx'

interface FilesFootProps {
  readonly selection: Selection
  /** Without it the two sides are only named. */
  readonly compare: { readonly label: string; readonly items: readonly MenuEntry[] } | undefined
}

export function FilesFoot({ selection, compare }: FilesFootProps) {
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
    </div>
  )
}
