/** The menu of the diff pane. */
import type { MenuEntry } from '../../ui/menu.tsx'
import type { ReviewFlow } from './use-review-flow.ts'

interface DiffMenu {
  readonly split: boolean
  readonly ignoreWhitespace: boolean
  readonly hideUnchanged: boolean
  readonly hasText: boolean
  /** "Undo" or "Restore". */
  readonly verb: string
  /** Why single changes cannot be kept or undone, null if they can. */
  readonly hunkDisabled: string | null
  /** Why the file cannot be undone, null if it can. */
  readonly undoDisabled: string | null
  readonly flow: ReviewFlow
  readonly onSplit: () => void
  readonly onWhitespace: () => void
  readonly onUnchanged: () => void
  readonly onLines: () => void
  readonly onViewer: () => void
  readonly onStep: (delta: 1 | -1) => void
  readonly onCopy: () => void
  /** Absent if folders cannot be shown. */
  readonly onReveal: (() => void) | undefined
}

export function diffMenu(m: DiffMenu): readonly MenuEntry[] {
  return [
    {
      id: 'keep-change',
      label: 'Keep this change',
      icon: 'check',
      keys: 'Alt+Y',
      disabled: m.hunkDisabled,
      run: m.flow.keepChange
    },
    {
      id: 'undo-change',
      label: `${m.verb} this change…`,
      icon: 'undo',
      keys: 'Alt+Z',
      disabled: m.hunkDisabled,
      run: m.flow.undoChange
    },
    { id: 'keep-file', label: 'Keep this file', icon: 'check', keys: 'Shift+Alt+Y', run: m.flow.keepFile },
    {
      id: 'undo-file',
      label: `${m.verb} this file…`,
      icon: 'undo',
      keys: 'Shift+Alt+Z',
      disabled: m.undoDisabled,
      run: m.flow.undoFile
    },
    'separator',
    { id: 'split', label: 'Side by side', keys: 'Alt+S', checked: m.split, run: m.onSplit },
    {
      id: 'whitespace',
      label: 'Ignore trailing whitespace',
      keys: 'Alt+W',
      checked: m.ignoreWhitespace,
      run: m.onWhitespace
    },
    { id: 'unchanged', label: 'Collapse unchanged lines', keys: 'Alt+U', checked: m.hideUnchanged, run: m.onUnchanged },
    { id: 'lines', label: 'Who wrote each line', icon: 'person', run: m.onLines },
    {
      id: 'viewer',
      label: 'Accessible viewer',
      icon: 'eye',
      keys: 'F7',
      disabled: m.hasText ? null : 'This file has no text',
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
