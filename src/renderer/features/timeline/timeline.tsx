/** The timeline pane: the filter, and the tree of entries beside the rail. */
import { useEffect, useRef, useState } from 'react'
import { useCommandHub } from '../../commands/hub.tsx'
import { IconButton } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { showKeys } from '../../ui/keys.ts'
import { Menu } from '../../ui/menu.tsx'
import type { TimelineHandle } from '../workspace/state/action-deps.ts'
import { useOpenWorkspace, useWorkspaceState } from '../workspace/state/context.tsx'
import { NO_FILTER } from '../workspace/state/store.ts'
import { rowMenu } from './row-menu.ts'
import { TimelineEmpty } from './timeline-empty.tsx'
import { TimelineHead } from './timeline-head.tsx'
import { TimelineSplitter } from './timeline-splitter.tsx'
import { type RowMenu, TimelineTree } from './timeline-tree.tsx'
import { useTimelineFocus } from './use-timeline-focus.ts'

export function Timeline() {
  const { handles, actions } = useOpenWorkspace()
  const timeline = useWorkspaceState((state) => state.timeline)
  const hasRows = useWorkspaceState(({ rows }) => rows.length > 0)
  const field = useRef<HTMLInputElement>(null)
  const [menu, setMenu] = useState<RowMenu | null>(null)
  const focus = useTimelineFocus()
  useEffect(() => {
    const handle: TimelineHandle = { focus: focus.focusSelected, focusFilter: () => field.current?.focus() }
    handles.timeline.current = handle
    return () => {
      if (handles.timeline.current === handle) handles.timeline.current = null
    }
  }, [handles, focus.focusSelected])

  return (
    <nav className="timeline" aria-label="Timeline" data-pane="timeline" id="timeline-pane" {...focus.preserved}>
      <TimelineHead field={field} onLeave={focus.focusCurrent} />
      <SearchEverything />
      {timeline?.loading ? <div className="loadbar" role="progressbar" aria-label="Loading the timeline" /> : null}
      {timeline?.error && timeline.pages ? (
        <div className="notice warn" role="alert">
          <span className="grow">{timeline.error.message}</span>
          <IconButton icon="redo" size="sm" label="Retry" onClick={timeline.retry} />
        </div>
      ) : null}
      {hasRows ? (
        <TimelineTree focus={focus} onMenu={setMenu} />
      ) : (
        <TimelineEmpty onClear={() => actions.setFilter(NO_FILTER)} />
      )}
      {menu ? <OpenRowMenu {...menu} onClose={() => setMenu(null)} /> : null}
      <TimelineSplitter />
    </nav>
  )
}

/** Offers to search the whole workspace for a filter text that is long enough. */
function SearchEverything() {
  const hub = useCommandHub()
  const text = useWorkspaceState(({ filter }) => filter.text.trim())
  if (text.length < 2) return null
  return (
    <button type="button" className="tl-everywhere" onClick={() => hub.state().openPalette(text)}>
      <Icon name="search" size="s" />
      <span className="ell">
        Search everything <span className="sr">, messages and changes, for “{text}”</span>
      </span>
      <kbd>{showKeys('Mod+Enter')}</kbd>
    </button>
  )
}

function OpenRowMenu({ row, anchor, onClose }: RowMenu & { readonly onClose: () => void }) {
  const { store, actions } = useOpenWorkspace()
  const status = useWorkspaceState((state) => state.status)
  const offline = useWorkspaceState((state) => state.offline)
  const selected = useWorkspaceState((state) => state.selected?.node.key ?? null)
  const items = rowMenu(row, {
    status,
    offline,
    comparable: selected !== null && selected !== row.key,
    restore: () => actions.restoreRow(row),
    undo: () => actions.undoRow(row),
    compare: () => actions.selectRow(row, true),
    pin: () => store.setState({ dialog: 'pin' })
  })
  return <Menu label="Row actions" anchor={anchor} onClose={onClose} items={items} />
}
