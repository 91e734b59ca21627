/** What a person does with a changed file: by key, by button, or in its context menu. */

import { useFileActions, useOpenWorkspace, useReview, useWorkspaceState } from '../../state/open-workspace.tsx'
import type { IconName } from '../../ui/icon.tsx'
import { Menu, type MenuEntry } from '../../ui/menu.tsx'
import type { FileListAction } from './file-keys.ts'

/** The file of the open menu, and the place below which it opens. */
export interface FileMenuAnchor {
  readonly path: string
  readonly anchor: DOMRect
}

export type FileCommands = Partial<Readonly<Record<FileListAction, ((path: string) => void) | undefined>>>

/** The actions on a file. Those that the host or the comparison does not offer are absent. */
export function useFileCommands() {
  const { actions } = useOpenWorkspace()
  const { undo, accept, openInEditor, reveal } = useFileActions()
  const { reviewed, setReviewed } = useReview()
  return {
    'open-diff': (path) => {
      actions.pickFile(path)
      actions.goTo('diff')
    },
    'toggle-reviewed': (path) => setReviewed(path, !reviewed.has(path)),
    restore: undo,
    keep: accept ?? undefined,
    versions: (path) => actions.openHistory(path, 'change'),
    editor: openInEditor,
    reveal,
    copy: (path) => void navigator.clipboard?.writeText(path)
  } satisfies FileCommands
}

interface FileMenuProps extends FileMenuAnchor {
  /** "Undo" or "Restore". */
  readonly verb: string
  readonly onClose: () => void
}

export function FileMenu({ path, anchor, verb, onClose }: FileMenuProps) {
  const commands: FileCommands = useFileCommands()
  const { reviewed } = useReview()
  const offline = useWorkspaceState((state) => state.offline)
  const file = useWorkspaceState(({ diff }) => diff?.files.find((candidate) => candidate.path === path))
  if (!file) return null
  const item = (id: FileListAction, icon: IconName, label: string, keys: string, disabled?: string | null) => {
    const run = commands[id]
    return run ? [{ id, icon, label, keys, disabled, run: () => run(path) }] : []
  }
  const undoDisabled = file.notStored ? 'Its earlier content is not stored' : offline
  const items: readonly MenuEntry[] = [
    ...item('open-diff', 'eye', 'Show changes', 'Enter'),
    ...item('toggle-reviewed', 'check', reviewed.has(path) ? 'Mark as not reviewed' : 'Mark as reviewed', 'Space'),
    'separator',
    ...item('restore', 'undo', `${verb} this file…`, 'R', undoDisabled),
    ...item('keep', 'check', 'Accept this file', 'Shift+Alt+Y', offline),
    ...item('versions', 'history', 'History of this file', 'H'),
    'separator',
    ...item('editor', 'external', 'Open in editor', 'O'),
    ...item('reveal', 'folder', 'Show in folder', 'Shift+O'),
    ...item('copy', 'copy', 'Copy path', 'Mod+C')
  ]
  return <Menu label={`Actions for ${path}`} anchor={anchor} onClose={onClose} items={items} />
}
