/** The context menu of the text of a diff: what can be done with the line or the change under the pointer. */
import { type MouseEvent, type RefObject, useState } from 'react'
import { useActions, useFileActions, useKeepUnavailable, useWorkspaceState } from '../../state/open-workspace.tsx'
import { Menu, type MenuEntry } from '../../ui/menu.tsx'
import type { DiffCommands } from './diff-keys.ts'
import { keepText, type ReviewScope, undoText } from './review.ts'
import type { PointedLines, TextPoint } from './text-doc.ts'
import type { TextViewHandle } from './text-view.tsx'

interface OpenTextMenu extends TextPoint {
  readonly anchor: DOMRect
}

/** `open` handles the event of a pane: over its text it opens our menu; with Shift the browser's own one opens. */
export function useTextMenu(text: RefObject<TextViewHandle | null>) {
  const [menu, setMenu] = useState<OpenTextMenu | null>(null)
  return {
    menu,
    close: () => setMenu(null),
    open: (event: MouseEvent) => {
      const { clientX, clientY, shiftKey, target } = event
      if (shiftKey || !(target instanceof Element) || !target.closest('.text-view')) return
      const point = text.current?.pointAt(clientX, clientY)
      if (!point) return
      event.preventDefault()
      setMenu({ ...point, anchor: new DOMRect(clientX, clientY, 0, 0) })
    }
  }
}

interface TextMenuProps {
  readonly menu: OpenTextMenu
  readonly path: string
  /** "Undo" or "Restore". */
  readonly verb: string
  readonly scope: ReviewScope
  /** Why nothing can be undone now, null if it can. */
  readonly undoDisabled: string | null
  readonly commands: DiffCommands
  readonly onComment: (lines: PointedLines) => void
  readonly onClose: () => void
}

export function TextMenu({ menu, path, verb, scope, undoDisabled, commands, onComment, onClose }: TextMenuProps) {
  const actions = useActions()
  const { openInEditor } = useFileActions()
  const { line, selection, lines, pointed } = menu
  const offline = useWorkspaceState((state) => state.offline)
  const keepDisabled = useKeepUnavailable()
  const hunkDisabled = scope.partDisabled(lines)
  const copy = (what: string) => () => actions.copy(what)
  const place = line === null ? path : `${path}:${line}`
  const items: readonly MenuEntry[] = [
    {
      id: 'copy',
      label: 'Copy',
      icon: 'copy',
      keys: 'Mod+C',
      disabled: selection === '' ? 'No text is selected' : null,
      run: copy(selection)
    },
    { id: 'copy-place', label: line === null ? 'Copy path' : 'Copy path and line', icon: 'link', run: copy(place) },
    'separator',
    {
      id: 'keep',
      label: keepText(lines),
      icon: 'check',
      keys: 'Alt+Y',
      disabled: hunkDisabled ?? keepDisabled,
      run: commands['keep-change']
    },
    {
      id: 'undo',
      label: undoText(verb, lines),
      icon: 'undo',
      keys: 'Alt+Z',
      disabled: hunkDisabled ?? undoDisabled,
      run: commands['undo-change']
    },
    {
      id: 'comment',
      label: pointed && pointed.to > pointed.from ? 'Comment on these lines' : 'Comment on this line',
      icon: 'chat',
      keys: 'C',
      disabled: pointed ? offline : 'No line is here',
      run: () => {
        if (pointed) onComment(pointed)
      }
    },
    'separator',
    { id: 'lines', label: 'Who wrote each line', icon: 'person', run: () => actions.openHistory(path, 'lines') },
    { id: 'versions', label: 'History of this file', icon: 'history', keys: 'Alt+H', run: commands.versions },
    ...(openInEditor
      ? [
          {
            id: 'editor',
            label: 'Open in editor',
            icon: 'external',
            run: () => openInEditor(path, line ?? undefined)
          } as const
        ]
      : [])
  ]
  return <Menu label={`Actions for ${place}`} anchor={menu.anchor} items={items} onClose={onClose} />
}
