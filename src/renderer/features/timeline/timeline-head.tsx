/** The bar above the timeline: text filter, kind filter, and the pin button. */
import type { RefObject } from 'react'
import { useCommandHub } from '../../commands/hub.tsx'
import { IconButton } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { matchesKeys } from '../../ui/keys.ts'
import { MenuButton } from '../../ui/menu.tsx'
import { useOpenWorkspace, useWorkspaceFields } from '../workspace/state/context.tsx'
import type { KindFilter } from '../workspace/state/store.ts'

const KINDS: Readonly<Record<KindFilter, string>> = {
  all: 'Everything',
  run: 'Runs',
  checkpoint: 'Checkpoints',
  restore: 'Restores',
  drift: 'Outside changes'
}

interface TimelineHeadProps {
  readonly field: RefObject<HTMLInputElement | null>
  /** Moves the focus to the rows. */
  readonly onLeave: () => void
}

export function TimelineHead({ field, onLeave }: TimelineHeadProps) {
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
      <MenuButton
        label={`Show: ${KINDS[filter.kinds].toLowerCase()}`}
        className={filter.kinds === 'all' ? 'icon-btn' : 'icon-btn on'}
        items={(Object.keys(KINDS) as KindFilter[]).map((kinds) => ({
          id: kinds,
          label: KINDS[kinds],
          checked: kinds === filter.kinds,
          run: () => actions.setFilter({ ...filter, kinds })
        }))}
      >
        <Icon name="filter" />
      </MenuButton>
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
