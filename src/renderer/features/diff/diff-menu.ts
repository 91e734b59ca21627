/** The actions and choices of the diff, as menu items. */
import type { MenuEntry } from '../../ui/menu.tsx'
import type { ReviewFlow } from './use-review-flow.ts'

interface DiffMenu {
  readonly split: boolean
  readonly ignoreWhitespace: boolean
  readonly hideUnchanged: boolean
  readonly hasText: boolean
  /** What taking back is called here. */
  readonly verb: string
  /** Why changes cannot be decided one by one, null when they can. */
  readonly single: string | null
  /** Why the file cannot be taken back, null when it can. */
  readonly noUndo: string | null
  readonly flow: ReviewFlow
  readonly onSplit: () => void
  readonly onWhitespace: () => void
  readonly onUnchanged: () => void
  readonly onLines: () => void
  readonly onViewer: () => void
  readonly onStep: (delta: 1 | -1) => void
  readonly onCopy: () => void
  /** Absent where the host cannot show folders. */
  readonly onReveal: (() => void) | undefined
}

export function diffMenu(m: DiffMenu): readonly MenuEntry[] {
  return [
    {
      id: 'keep-change',
      label: 'Keep this change',
      icon: 'check',
      keys: 'Alt+Y',
      disabled: m.single,
      run: m.flow.keepChange
    },
    {
      id: 'undo-change',
      label: `${m.verb} this change…`,
      icon: 'undo',
      keys: 'Alt+Z',
      disabled: m.single,
      run: m.flow.undoChange
    },
    { id: 'keep-file', label: 'Keep this file', icon: 'check', keys: 'Shift+Alt+Y', run: m.flow.keepFile },
    {
      id: 'undo-file',
      label: `${m.verb} this file…`,
      icon: 'undo',
      keys: 'Shift+Alt+Z',
      disabled: m.noUndo,
      run: m.flow.undoFile
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
    { id: 'lines', label: 'Who wrote each line', icon: 'person', run: m.onLines },
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
