/** The timeline pane: the filter, and the tree of entries beside the rail. */
import { type RefObject, useEffect, useRef, useState } from 'react'
import type { ErrorShape } from '../../../contract/errors.ts'
import { useCommandHub } from '../../commands/hub.tsx'
import { isFiltered, NO_FILTER } from '../../model/entry-filter.ts'
import type { TimelineHandle } from '../../state/action-deps.ts'
import { useOpenWorkspace, useWorkspaceFields, useWorkspaceState } from '../../state/open-workspace.tsx'
import { Blank, FailedBlank } from '../../ui/blank.tsx'
import { IconButton } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { matchesKeys, showKeys } from '../../ui/keys.ts'
import { RowMenu } from './row-menu.tsx'
import { FilterChips, FilterMenu } from './timeline-filter.tsx'
import { TimelineSplitter } from './timeline-splitter.tsx'
import { type OpenRowMenu, TimelineTree } from './timeline-tree.tsx'
import { useTimelineFocus } from './use-timeline-focus.ts'

export function Timeline() {
  const { handles, actions } = useOpenWorkspace()
  const timeline = useWorkspaceState((state) => state.timeline)
  const hasRows = useWorkspaceState(({ rows }) => rows.length > 0)
  const field = useRef<HTMLInputElement>(null)
  const [menu, setMenu] = useState<OpenRowMenu | null>(null)
  const focus = useTimelineFocus()
  useEffect(() => {
    const handle: TimelineHandle = { focus: focus.focusSelected, focusFilter: () => field.current?.focus() }
    handles.timeline.current = handle
    return () => {
      if (handles.timeline.current === handle) handles.timeline.current = null
    }
  }, [handles, focus.focusSelected])

  useEffect(() => actions.endLingering, [actions])

  return (
    <nav
      className="timeline"
      aria-label="Timeline"
      data-pane="timeline"
      id="timeline-pane"
      onPointerLeave={actions.endLingering}
      {...focus.preserved}
    >
      <TimelineHead field={field} onLeave={focus.focusCurrent} />
      <FilterChips />
      <SearchEverything />
      {timeline?.loading ? <div className="loadbar" role="progressbar" aria-label="Loading the timeline" /> : null}
      {timeline?.error && timeline.pages ? (
        <div className="notice" data-tone="warn" role="alert">
          <span className="grow">{timeline.error.message}</span>
          <IconButton icon="redo" size="sm" label="Retry" onClick={timeline.retry} />
        </div>
      ) : null}
      {hasRows ? <TimelineTree focus={focus} onMenu={setMenu} /> : <TimelineEmpty />}
      {menu ? <RowMenu {...menu} onClose={() => setMenu(null)} /> : null}
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
      <span className="ell grow">
        Search everything <span className="sr">, messages and changes, for “{text}”</span>
      </span>
      <kbd>{showKeys('Mod+Enter')}</kbd>
    </button>
  )
}

/** Shown instead of the rows: the error, no match, or nothing recorded yet. */
function TimelineEmpty() {
  const { actions } = useOpenWorkspace()
  const { timeline, filter } = useWorkspaceFields('timeline', 'filter')
  const { text } = filter
  if (timeline?.error && !timeline.pages) return <TimelineFailed error={timeline.error} onRetry={timeline.retry} />
  if (!timeline?.pages) return <div className="blank" aria-busy="true" />
  if (isFiltered(filter)) {
    return (
      <Blank
        icon="search"
        title={text ? `Nothing matches “${text}”.` : 'No entries match this filter.'}
        actions={[{ label: text ? 'Clear filter' : 'Show everything', run: () => actions.setFilter(NO_FILTER) }]}
      >
        <p>The filter searches names, notes, prompts and agents in this folder.</p>
      </Blank>
    )
  }
  return (
    <Blank icon="history" title="No runs recorded yet">
      <p>Runs will appear here.</p>
    </Blank>
  )
}

interface TimelineFailedProps {
  readonly error: ErrorShape
  readonly onRetry: () => void
  /** `main` in place of the changes, where the timeline is not beside them. */
  readonly as?: 'main'
}

export function TimelineFailed({ error, onRetry, ...rest }: TimelineFailedProps) {
  return (
    <FailedBlank
      title="Couldn’t load the timeline."
      text={error.message}
      details={JSON.stringify(error, null, 2)}
      onRetry={onRetry}
      {...rest}
    />
  )
}

interface TimelineHeadProps {
  readonly field: RefObject<HTMLInputElement | null>
  /** Moves the focus to the rows. */
  readonly onLeave: () => void
}

/** The bar above the rows: text filter, kind filter, and the pin button. */
function TimelineHead({ field, onLeave }: TimelineHeadProps) {
  const { store, actions } = useOpenWorkspace()
  const hub = useCommandHub()
  const { filter, offline } = useWorkspaceFields('filter', 'offline')
  const setText = (text: string) => actions.setFilter({ ...filter, text })
  return (
    <div className="tl-head">
      <div className="field quiet grow">
        <Icon name="search" size="s" />
        <input
          ref={field}
          aria-label="Filter the timeline"
          placeholder="Filter"
          value={filter.text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Escape') {
              event.preventDefault()
              if (filter.text) setText('')
              else onLeave()
            } else if (matchesKeys('Mod+Enter', event.nativeEvent) && filter.text.trim() !== '') {
              event.preventDefault()
              hub.state().openPalette(filter.text.trim())
            } else if (event.key === 'ArrowDown' || event.key === 'Enter') {
              event.preventDefault()
              onLeave()
            }
          }}
        />
        {filter.text ? (
          <IconButton
            icon="x"
            iconSize="s"
            size="sm"
            label="Clear the filter"
            onClick={() => {
              setText('')
              field.current?.focus()
            }}
          />
        ) : (
          <kbd>/</kbd>
        )}
      </div>
      <FilterMenu />
      <IconButton
        icon="pin"
        label="Pin a checkpoint"
        keys="P"
        disabledReason={offline}
        onClick={() => store.setState({ dialog: 'pin' })}
      />
    </div>
  )
}
