/** The command palette: one field and sections of results. Unavailable commands show the reason. */

import { type ReactNode, useEffect, useId, useMemo, useRef, useState } from 'react'
import { toErrorShape } from '../../../contract/errors.ts'
import type { SearchHit } from '../../../contract/search.ts'
import type { TimelineEntry } from '../../../contract/timeline.ts'
import { agentIdentity } from '../../../contract/words/agents.ts'
import { baseName } from '../../../contract/words/paths.ts'
import { clock, dayInText } from '../../../contract/words/times.ts'
import type { WorkspaceId } from '../../../contract/workspace.ts'
import { useDriftline } from '../../client/context.tsx'
import { runCommand } from '../../commands/dispatch.ts'
import { useCommandHub } from '../../commands/hub.tsx'
import { AgentTile } from '../../ui/agent.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Icon } from '../../ui/icon.tsx'
import { matchesKeys, showKeys } from '../../ui/keys.ts'
import { listMove } from '../../ui/list-keys.ts'
import { HIT_LIMIT, marked, type PaletteItem, sectionsOf } from './palette-items.ts'

const REMEMBER_MS = 30_000
const SEARCH_PAUSE_MS = 120
let lastInput = { text: '', at: 0 }

interface PaletteProps {
  /** null: the last input, if it is recent. */
  readonly initialText: string | null
  readonly onClose: () => void
}

export function Palette({ initialText, onClose }: PaletteProps) {
  const hub = useCommandHub()
  const [typed, setTyped] = useState(
    () => initialText ?? (Date.now() - lastInput.at < REMEMBER_MS ? lastInput.text : '')
  )
  const search = useSearch(hub.state().workspace?.id ?? null, typed)
  const [at, setAt] = useState(0)
  const list = useRef<HTMLDivElement>(null)
  const id = useId()
  // Availability may change while the palette is open: every input reads the state again.
  // biome-ignore lint/correctness/useExhaustiveDependencies: every input reads the state again.
  const state = useMemo(() => hub.state(), [hub, typed])
  const found = useMatchingEntries(state.workspace?.id ?? null, typed)

  const sections = useMemo(
    () => sectionsOf(typed.trim(), state, found, search.hits),
    [typed, state, found, search.hits]
  )
  const items = sections.flatMap((section) => section.items)
  const current = items[Math.min(at, items.length - 1)]

  const close = () => {
    lastInput = { text: typed, at: Date.now() }
    onClose()
  }
  const run = (item: PaletteItem | undefined, onlyTimeline: boolean) => {
    if (!item || (item.kind === 'action' && item.command.unavailable?.(hub.state()))) return
    close()
    // After the dialog has returned the focus, so that the command can move it.
    requestAnimationFrame(() => {
      if (item.kind === 'action') runCommand(item.command, hub.state())
      else if (item.kind === 'file') state.workspace?.selectFile(item.file.path)
      else if (item.kind === 'hit') state.workspace?.openHit(item.hit)
      else {
        state.workspace?.selectEntry(item.entry.id)
        state.workspace?.focusPane(onlyTimeline ? 'timeline' : 'files')
      }
    })
  }

  const optionId = (item: PaletteItem) => `${id}-${item.kind}-${item.id}`
  const move = (to: number) => {
    setAt(to)
    const item = items[to]
    if (item) document.getElementById(optionId(item))?.scrollIntoView({ block: 'nearest' })
  }
  const onKey = (event: React.KeyboardEvent) => {
    // Home, End and the sideways arrows move in the text.
    const next = listMove({ length: items.length, wraps: true }, at, event, false)
    const inText =
      event.key === 'Home' || event.key === 'End' || event.key === 'ArrowLeft' || event.key === 'ArrowRight'
    if (next && 'to' in next && !inText) move(next.to)
    else if (event.key === 'Enter') run(current, event.metaKey || event.ctrlKey)
    else if (matchesKeys('Mod+K', event)) close()
    else return
    event.preventDefault()
  }

  return (
    <Dialog label="Command palette" className="palette" initialFocus="input" onClose={close}>
      <div className="ask-line">
        <Icon name="search" />
        <input
          value={typed}
          placeholder="Search or run a command"
          role="combobox"
          aria-expanded="true"
          aria-controls={`${id}-list`}
          aria-activedescendant={current ? optionId(current) : undefined}
          aria-label="Search or run a command"
          onFocus={(event) => event.target.select()}
          onChange={(event) => {
            setTyped(event.target.value)
            setAt(0)
          }}
          onKeyDown={onKey}
        />
        <kbd className="box">{showKeys('Escape')}</kbd>
      </div>
      <div className="list" role="listbox" id={`${id}-list`} aria-label="Results" ref={list}>
        {items.length === 0 && !search.busy ? <p className="palette-none muted">Nothing matches “{typed}”.</p> : null}
        {sections.map((section) => (
          // biome-ignore lint/a11y/useSemanticElements: groups of a listbox have no element of their own.
          <div role="group" aria-label={section.title} key={section.title}>
            <div className="group-title" aria-hidden="true">
              {section.title}
            </div>
            {section.items.map((item) => (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the field keeps focus and takes the keys.
              // biome-ignore lint/a11y/useFocusableInteractive: the field points at it by aria-activedescendant.
              <div
                className="cmd"
                role="option"
                key={optionId(item)}
                id={optionId(item)}
                aria-selected={item === current}
                aria-disabled={item.kind === 'action' && item.why !== null ? true : undefined}
                onClick={() => run(item, false)}
                onPointerMove={() => setAt(items.indexOf(item))}
              >
                <ItemView item={item} typed={typed} />
              </div>
            ))}
          </div>
        ))}
        {search.note ? <p className="palette-none muted">{search.note}</p> : null}
      </div>
      <footer>
        <span>
          <kbd>↑↓</kbd>move
        </span>
        <span>
          <kbd>{showKeys('Enter')}</kbd>run
        </span>
        <span>
          <kbd>{showKeys('Mod+Enter')}</kbd>open in timeline
        </span>
        <span className="grow" />
        <span role="status">
          {search.busy ? 'Searching… ' : ''}
          {items.length === 1 ? '1 result' : `${items.length} results`}
        </span>
      </footer>
    </Dialog>
  )
}

/** Timeline entries that match the input, from the whole history; late replies are dropped. */
function useMatchingEntries(workspace: WorkspaceId | null, typed: string): readonly TimelineEntry[] {
  const { client } = useDriftline()
  const [found, setFound] = useState<readonly TimelineEntry[]>([])
  useEffect(() => {
    const text = typed.trim()
    if (!workspace || text === '') return setFound([])
    let stale = false
    const timer = setTimeout(() => {
      client.call('timeline.list', { workspace, limit: 20, text, kinds: ['run', 'checkpoint'] }).then(
        ({ entries }) => {
          if (!stale) setFound(entries)
        },
        (error: unknown) => {
          // Loaded entries are still searched; the header shows a lost connection.
          if (toErrorShape(error).code !== 'Disconnected') console.warn('palette search failed', error)
        }
      )
    }, SEARCH_PAUSE_MS)
    return () => {
      stale = true
      clearTimeout(timer)
    }
  }, [client, workspace, typed])
  return found
}

function ItemView({ item, typed }: { readonly item: PaletteItem; readonly typed: string }) {
  const title = (
    <span className="ell">
      {marked(item.title, typed).map(({ text, hit }, index) =>
        // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text, never moved.
        hit ? <mark key={index}>{text}</mark> : <span key={index}>{text}</span>
      )}
    </span>
  )
  if (item.kind === 'action') {
    const keys = item.command.keys[0]
    return (
      <>
        <Icon name={item.command.icon} />
        {title}
        <span className="hint">
          {item.why}
          {keys && item.why === null ? <kbd>{showKeys(keys)}</kbd> : null}
        </span>
      </>
    )
  }
  if (item.kind === 'file') {
    return (
      <>
        <FileLetter change={item.file.change} />
        {title}
        <span className="hint">in this diff</span>
      </>
    )
  }
  if (item.kind === 'hit') return <HitView hit={item.hit} title={title} />
  const { entry } = item
  const when = `${dayInText(entry.at, Date.now())} ${clock(entry.at)}`
  if (entry.kind !== 'run') {
    return (
      <>
        <Icon name="pin" />
        {title}
        <span className="hint">pinned {when}</span>
      </>
    )
  }
  return (
    <>
      <AgentTile agent={entry.agent} live={entry.state === 'live'} />
      {title}
      <span className="hint">
        {entry.state === 'live' ? <span className="c-live">live</span> : `${agentIdentity(entry.agent).name}, ${when}`}
      </span>
    </>
  )
}

const HIT_ICONS = { prompt: 'person', message: 'chat', path: 'file', change: 'pencil' } as const

function HitView({ hit, title }: { readonly hit: SearchHit; readonly title: ReactNode }) {
  const when = hit.at === null ? '' : `${dayInText(hit.at, Date.now())} ${clock(hit.at)}`
  const where = hit.kind === 'change' && hit.path ? baseName(hit.path) : ''
  return (
    <>
      <Icon name={HIT_ICONS[hit.kind]} />
      {title}
      <span className="hint">{[where, when].filter(Boolean).join(', ')}</span>
    </>
  )
}

const LETTERS = { added: 'A', deleted: 'D', modified: 'M', renamed: 'R', mode: 'M', type: 'M' } as const

function FileLetter({ change }: { readonly change: keyof typeof LETTERS }) {
  const letter = LETTERS[change]
  return <span className={`st ${letter}`}>{letter}</span>
}

/** Searches the whole history for the typed text. Late replies to earlier input are dropped. */

interface SearchResults {
  readonly hits: readonly SearchHit[]
  /** What was not searched, else "". */
  readonly note: string
  readonly busy: boolean
}

const NO_RESULTS: SearchResults = { hits: [], note: '', busy: false }
const PAUSE_MS = 180
/** Shorter text matches almost everything. */
const MIN_LENGTH = 2

function useSearch(workspace: WorkspaceId | null, typed: string): SearchResults {
  const { client } = useDriftline()
  const [state, setState] = useState(NO_RESULTS)
  const text = typed.trim()
  useEffect(() => {
    if (workspace === null || text.length < MIN_LENGTH) return setState(NO_RESULTS)
    let stale = false
    setState((before) => ({ ...before, busy: true }))
    const timer = setTimeout(() => {
      client.call('search.run', { workspace, text, limit: HIT_LIMIT }).then(
        ({ hits, note }) => {
          if (!stale) setState({ hits, note, busy: false })
        },
        (error: unknown) => {
          // Loaded entries are still searched; the header shows a lost connection.
          if (!stale) setState({ ...NO_RESULTS, note: toErrorShape(error).message })
        }
      )
    }, PAUSE_MS)
    return () => {
      stale = true
      clearTimeout(timer)
    }
  }, [client, workspace, text])
  return state
}
