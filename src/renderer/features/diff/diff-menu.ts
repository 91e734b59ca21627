/** The actions and choices of the diff, as menu items. */
import type { MenuEntry } from '../../ui/menu.tsx'

interface DiffMenu {
  readonly split: boolean
  readonly ignoreWhitespace: boolean
  readonly hideUnchanged: boolean
  readonly blame: boolean
  readonly hasText: boolean
  /** Why the current change cannot be taken back by itself, null when it can. */
  readonly noUndo: string | null
  readonly onSplit: () => void
  readonly onWhitespace: () => void
  readonly onUnchanged: () => void
  readonly onBlame: () => void
  readonly onViewer: () => void
  readonly onUndoChange: () => void
  readonly onStep: (delta: 1 | -1) => void
  readonly onCopy: () => void
  /** Absent where the host cannot show folders. */
  readonly onReveal: (() => void) | undefined
}

export function diffMenu(m: DiffMenu): readonly MenuEntry[] {
  return [
    {
      id: 'undo-change',
      label: 'Undo this change…',
      icon: 'undo',
      keys: 'Alt+Z',
      disabled: m.noUndo,
      run: m.onUndoChange
    },
    'separator',
    { id: 'split', label: 'Two columns', keys: 'Alt+S', checked: m.split, run: m.onSplit },
    {
      id: 'whitespace',
      label: 'Hide changes of white space at line ends',
      keys: 'Alt+W',
      checked: m.ignoreWhitespace,
      run: m.onWhitespace
    },
    { id: 'unchanged', label: 'Fold unchanged regions', keys: 'Alt+U', checked: m.hideUnchanged, run: m.onUnchanged },
    { id: 'blame', label: 'Who wrote each line', checked: m.blame, run: m.onBlame },
    {
      id: 'viewer',
      label: 'Accessible viewer',
      icon: 'eye',
      keys: 'F7',
      disabled: m.hasText ? null : 'There is no text to step through',
      run: m.onViewer
    },
    'separator',
    { id: 'next', label: 'Next file', icon: 'adown', keys: ']', run: () => m.onStep(1) },
    { id: 'previous', label: 'Previous file', icon: 'aup', keys: '[', run: () => m.onStep(-1) },
    'separator',
    { id: 'copy', label: 'Copy path', icon: 'copy', run: m.onCopy },
    ...(m.onReveal ? [{ id: 'reveal', label: 'Show in folder', icon: 'folder', run: m.onReveal } as const] : [])
  ]
}
