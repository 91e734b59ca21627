/** What a person does with a changed file: by key, by button, or in its context menu. */
import { plural } from '../../../contract/words/numbers.ts'
import { restoreUnavailable } from '../../state/derived.ts'
import { useFileActions, useOpenWorkspace, useReview, useWorkspaceState } from '../../state/open-workspace.tsx'
import type { IconName } from '../../ui/icon.tsx'
import { Menu, type MenuEntry } from '../../ui/menu.tsx'
import type { FileListAction } from './file-keys.ts'

/** The files that the open menu is about, and the place below which it opens. */
export interface FileMenuAnchor {
  readonly paths: readonly string[]
  readonly anchor: DOMRect
}

export type FileCommands = Partial<Readonly<Record<FileListAction, ((paths: readonly string[]) => void) | undefined>>>

/** The actions on a file. Those that the host or the comparison does not offer are absent. */
export function useFileCommands() {
  const { actions } = useOpenWorkspace()
  const { undo, accept, openInEditor, reveal, absolute } = useFileActions()
  const { reviewed, setReviewed } = useReview()
  const onOne = (act: ((path: string) => void) | undefined) =>
    act &&
    (([path]: readonly string[]) => {
      if (path !== undefined) act(path)
    })
  return {
    'open-diff': onOne((path) => {
      actions.pickFile(path)
      actions.goTo('diff')
    }),
    'toggle-reviewed': (paths) => setReviewed(paths, !paths.every((path) => reviewed.has(path))),
    restore: undo,
    keep: accept ?? undefined,
    versions: onOne((path) => actions.openHistory(path, 'change')),
    editor: onOne(openInEditor),
    reveal: onOne(reveal),
    copy: (paths) => actions.copy(paths.join('\n')),
    'copy-full': (paths) => actions.copy(paths.map(absolute).join('\n'))
  } satisfies FileCommands
}

interface FileMenuProps extends FileMenuAnchor {
  /** "Undo" or "Restore". */
  readonly verb: string
  readonly onClose: () => void
}

export function FileMenu({ paths, anchor, verb, onClose }: FileMenuProps) {
  const commands: FileCommands = useFileCommands()
  const { reviewed } = useReview()
  const offline = useWorkspaceState((state) => state.offline)
  const unavailable = useWorkspaceState(restoreUnavailable)
  const [path] = paths
  const file = useWorkspaceState(({ diff }) => diff?.files.find((candidate) => candidate.path === path))
  if (!file || path === undefined) return null
  const item = (id: FileListAction, icon: IconName, label: string, keys: string, disabled?: string | null) => {
    const run = commands[id]
    return run ? [{ id, icon, label, keys, disabled, run: () => run(paths) }] : []
  }
  const many = paths.length > 1
  const these = many ? plural(paths.length, 'file') : 'this file'
  const mark = paths.every((each) => reviewed.has(each)) ? 'not reviewed' : 'reviewed'
  const undoDisabled = !many && file.notStored ? 'Its earlier content is not stored' : unavailable
  const items: readonly MenuEntry[] = [
    ...(many ? [] : item('open-diff', 'eye', 'Show changes', 'Enter')),
    ...item('toggle-reviewed', 'check', `Mark ${many ? `${these} ` : ''}as ${mark}`, 'Space'),
    'separator',
    ...item('restore', 'undo', `${verb} ${these}…`, 'R', undoDisabled),
    ...item('keep', 'check', `Accept ${these}`, 'Shift+Alt+Y', offline),
    ...(many ? [] : item('versions', 'history', 'History of this file', 'H')),
    'separator',
    ...(many ? [] : item('editor', 'external', 'Open in editor', 'O')),
    ...(many ? [] : item('reveal', 'folder', 'Show in folder', 'Shift+O')),
    ...item('copy', 'copy', many ? `Copy ${plural(paths.length, 'path')}` : 'Copy path', 'Mod+C'),
    ...item('copy-full', 'copy', many ? `Copy ${plural(paths.length, 'full path')}` : 'Copy full path', 'Shift+Alt+C')
  ]
  return <Menu label={`Actions for ${many ? these : path}`} anchor={anchor} onClose={onClose} items={items} />
}
