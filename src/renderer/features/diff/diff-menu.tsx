/** The menu of the diff pane. */
import type { FileChange } from '../../../contract/diff.ts'
import { useDriftline } from '../../client/context.tsx'
import { openApartLabel } from '../../client/platform.ts'
import { restoreUnavailable } from '../../state/derived.ts'
import { useActions, useFileActions, useKeepUnavailable, useWorkspaceState } from '../../state/open-workspace.tsx'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { MenuButton, type MenuEntry, type MenuItem } from '../../ui/menu.tsx'
import type { DiffCommand, DiffCommands } from './diff-keys.ts'
import { keepText, type ReviewScope, undoText } from './review.ts'
import { type TextOptions, wrapsLines } from './text-doc.ts'

export interface DiffMenuProps {
  readonly file: FileChange
  /** "Undo" or "Restore". */
  readonly verb: string
  readonly scope: ReviewScope
  readonly options: TextOptions
  readonly hasText: boolean
  /** Number of selected lines that can be kept or undone by themselves. */
  readonly lines: number
  readonly commands: DiffCommands
}

export function DiffMenu({ file: { path }, verb, scope, options, hasText, lines, commands }: DiffMenuProps) {
  const actions = useActions()
  const { reveal, openApart } = useFileActions()
  const { platform } = useDriftline()
  const offline = useWorkspaceState((state) => state.offline)
  const unavailable = useWorkspaceState(restoreUnavailable)
  const keepDisabled = useKeepUnavailable()
  const hunkDisabled = scope.partDisabled(lines)
  const item = (id: DiffCommand, keys: string, label: string, icon?: IconName, disabled?: string | null): MenuItem => ({
    id,
    label,
    keys,
    disabled,
    run: commands[id],
    ...(icon ? { icon } : {})
  })
  const items: readonly MenuEntry[] = [
    item('keep-change', 'Alt+Y', keepText(lines), 'check', hunkDisabled ?? keepDisabled),
    item('undo-change', 'Alt+Z', undoText(verb, lines), 'undo', hunkDisabled ?? unavailable),
    item('keep-file', 'Shift+Alt+Y', 'Keep this file', 'check', keepDisabled),
    item('undo-file', 'Shift+Alt+Z', `${verb} this file…`, 'undo', scope.undoDisabled),
    item('comment', 'C', 'Comment on this line', 'chat', hasText ? offline : 'This file has no text'),
    {
      id: 'comment-file',
      label: 'Comment on this file',
      icon: 'chat',
      disabled: offline,
      run: commands['comment-file']
    },
    'separator',
    { ...item('split', 'Alt+S', 'Side by side'), checked: options.split },
    {
      ...item('whitespace', 'Alt+W', 'Ignore indentation and trailing whitespace'),
      checked: options.whitespace === 'ignore-ends'
    },
    {
      ...item('all-whitespace', 'Shift+Alt+W', 'Ignore all whitespace, also inside lines'),
      checked: options.whitespace === 'ignore-all'
    },
    { ...item('unchanged', 'Alt+U', 'Collapse unchanged lines'), checked: options.hideUnchanged },
    item('more-lines', 'Alt+E', 'Show more unchanged lines', 'unfold', hasText ? null : 'This file has no text'),
    { ...item('wrap', 'Alt+L', 'Wrap long lines'), checked: wrapsLines(options, path) },
    { id: 'lines', label: 'Who wrote each line', icon: 'person', run: () => actions.openHistory(path, 'lines') },
    item('viewer-next', 'F7', 'Accessible viewer', 'eye', hasText ? null : 'This file has no text'),
    'separator',
    item('next-file', ']', 'Next file', 'adown'),
    item('previous-file', '[', 'Previous file', 'aup'),
    'separator',
    {
      id: 'apart',
      label: openApartLabel(platform),
      icon: 'external',
      run: () => openApart(path)
    },
    { id: 'copy', label: 'Copy path', icon: 'copy', run: () => actions.copy(path) },
    ...(reveal ? [{ id: 'reveal', label: 'Show in folder', icon: 'folder', run: () => reveal(path) } as const] : [])
  ]
  return (
    <MenuButton label="More" items={items} className="icon-btn sm" align="right">
      <Icon name="more" />
    </MenuButton>
  )
}
