/** The context menu of a changed file. */
import type { FileChange } from '../../../contract/diff.ts'
import type { MenuEntry } from '../../ui/menu.tsx'

interface FileActions {
  readonly open: () => void
  readonly restore: () => void
  readonly toggleReviewed: () => void
  readonly versions: () => void
  /** Accepts an outside change under review. */
  readonly accept?: () => void
  readonly copy: () => void
  /** Absent if no editor can be opened. */
  readonly editor?: () => void
  /** Absent if no folder can be shown. */
  readonly reveal?: () => void
}

/** `verb`: what reverting the file is called here, "Undo" or "Restore". */
export function fileMenu(
  file: FileChange,
  reviewed: boolean,
  verb: string,
  actions: FileActions
): readonly MenuEntry[] {
  return [
    { id: 'open', label: 'Show changes', icon: 'eye', keys: 'Enter', run: actions.open },
    {
      id: 'view',
      label: reviewed ? 'Mark as not reviewed' : 'Mark as reviewed',
      icon: 'check',
      keys: 'Space',
      run: actions.toggleReviewed
    },
    'separator',
    {
      id: 'restore',
      label: `${verb} this file…`,
      icon: 'undo',
      keys: 'R',
      disabled: file.notStored ? 'Its earlier content is not stored' : null,
      run: actions.restore
    },
    ...(actions.accept
      ? [
          {
            id: 'accept',
            label: 'Accept this file',
            icon: 'check',
            keys: 'Shift+Alt+Y',
            run: actions.accept
          } as const
        ]
      : []),
    { id: 'versions', label: 'History of this file', icon: 'history', keys: 'H', run: actions.versions },
    'separator',
    ...(actions.editor
      ? [{ id: 'editor', label: 'Open in editor', icon: 'external', keys: 'O', run: actions.editor } as const]
      : []),
    ...(actions.reveal
      ? [{ id: 'reveal', label: 'Show in folder', icon: 'folder', keys: 'Shift+O', run: actions.reveal } as const]
      : []),
    { id: 'copy', label: 'Copy path', icon: 'copy', keys: 'Mod+C', run: actions.copy }
  ]
}
