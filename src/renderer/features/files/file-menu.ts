/** The actions of one changed file, as menu items. */
import type { FileChange } from '../../../contract/diff.ts'
import type { MenuEntry } from '../../ui/menu.tsx'

interface FileActions {
  readonly open: () => void
  readonly restore: () => void
  readonly view: () => void
  readonly versions: () => void
  /** Of a file under review that was changed outside. */
  readonly accept?: () => void
  readonly copy: () => void
  /** Absent where no editor can be opened. */
  readonly editor?: () => void
  /** Absent where no folder can be shown. */
  readonly reveal?: () => void
}

export function fileMenu(file: FileChange, viewed: boolean, actions: FileActions): readonly MenuEntry[] {
  return [
    { id: 'open', label: 'Show the change', icon: 'eye', keys: 'Enter', run: actions.open },
    {
      id: 'view',
      label: viewed ? 'Mark as not viewed' : 'Mark as viewed',
      icon: 'check',
      keys: 'Space',
      run: actions.view
    },
    'separator',
    {
      id: 'restore',
      label: actions.accept
        ? 'Put this file back…'
        : file.change === 'deleted'
          ? 'Bring this file back…'
          : 'Restore this file…',
      icon: 'undo',
      keys: 'R',
      disabled: file.notStored ? 'Its earlier content is not kept' : null,
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
