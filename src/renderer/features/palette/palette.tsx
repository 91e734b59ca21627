/** The command palette: one field and sections of results. Unavailable commands show the reason. */
import { type KeyboardEvent, type ReactNode, useId, useMemo, useState } from 'react'
import type { SearchHit } from '../../../contract/search.ts'
import type { TimelineEntry } from '../../../contract/timeline.ts'
import { agentIdentity } from '../../../contract/words/agents.ts'
import { plural } from '../../../contract/words/numbers.ts'
import { baseName } from '../../../contract/words/paths.ts'
import { searchLimitText } from '../../../contract/words/storage.ts'
import { clock, dayInText } from '../../../contract/words/times.ts'
import type { WorkspaceId } from '../../../contract/workspace.ts'
import { useQuery } from '../../client/use-query.ts'
import { runCommand } from '../../commands/dispatch.ts'
import { useCommandHub } from '../../commands/hub.tsx'
import type { CommandState } from '../../commands/state.ts'
import { AgentTile } from '../../ui/agent.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Icon } from '../../ui/icon.tsx'
import { matchesKeys, showKeys } from '../../ui/keys.ts'
import { listMove } from '../../ui/list-keys.ts'
import { usePaused } from '../../ui/use-paused.ts'
import { HIT_LIMIT, isForSymbols, marked, type PaletteItem, type PaletteSection, sectionsOf } from './palette-items.ts'

const REMEMBER_MS = 30_000
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
  const [at, setAt] = useState(0)
  const id = useId()
  // Availability may change while the palette is open: every input reads the state again.
  // biome-ignore lint/correctness/useExhaustiveDependencies: every input reads the state again.
  const state = useMemo(() => hub.state(), [hub, typed])
  const text = typed.trim()
  const searched = isForSymbols(text) ? '' : text
  const { entries, hits, note, busy } = useSearch(state.workspace?.id ?? null, searched)
  const sections = useMemo(() => sectionsOf(text, state, entries, hits), [text, state, entries, hits])
  const items = sections.flatMap((section) => section.items)
  const current = items[Math.min(at, items.length - 1)]

  const close = () => {
    if (!isForSymbols(typed)) lastInput = { text: typed, at: Date.now() }
    onClose()
  }
  const run = (item: PaletteItem | undefined, onlyTimeline: boolean) => {
    if (!item || (item.kind === 'action' && item.command.unavailable?.(hub.state()))) return
    close()
    // After the dialog has returned the focus, so that the command can move it.
    requestAnimationFrame(() => runItem(item, hub.state(), onlyTimeline))
  }

  const listId = `${id}-list`
  const optionId = (item: PaletteItem) => `${id}-${item.kind}-${item.id}`
  const move = (to: number) => {
    setAt(to)
    const item = items[to]
    if (item) document.getElementById(optionId(item))?.scrollIntoView({ block: 'nearest' })
  }
  const onKey = (event: KeyboardEvent) => {
    const next = KEYS_OF_TEXT.has(event.key) ? null : listMove({ length: items.length, wraps: true }, at, event, false)
    if (next && 'to' in next) move(next.to)
    else if (event.key === 'Enter') run(current, event.metaKey || event.ctrlKey)
    else if (matchesKeys('Mod+K', event)) close()
    else return
    event.preventDefault()
  }

  return (
    <Dialog label="Command palette" className="palette" initialFocus="input" onClose={close}>
      <PaletteField
        value={typed}
        listId={listId}
        currentId={current && optionId(current)}
        onType={(value) => {
          setTyped(value)
          setAt(0)
        }}
        onKey={onKey}
      />
      <div className="list" role="listbox" id={listId} aria-label="Results">
        {items.length === 0 && !busy ? <p className="palette-none muted">{nothingText(typed)}</p> : null}
        {sections.map((section) => (
          <Section
            key={section.title}
            section={section}
            typed={typed}
            current={current}
            idOf={optionId}
            onRun={(item) => run(item, false)}
            onPoint={(item) => setAt(items.indexOf(item))}
          />
        ))}
        {note ? <p className="palette-none muted">{note}</p> : null}
      </div>
      <PaletteFooter busy={busy} results={items.length} />
    </Dialog>
  )
}

function nothingText(typed: string): string {
  return typed.trim() === '@' ? 'No definitions were found in this file.' : `Nothing matches “${typed}”.`
}

interface PaletteFieldProps {
  readonly value: string
  readonly listId: string
  /** The option that Enter runs. */
  readonly currentId: string | undefined
  readonly onType: (value: string) => void
  readonly onKey: (event: KeyboardEvent) => void
}

/** Keeps the focus while the list of results is moved in. */
function PaletteField({ value, listId, currentId, onType, onKey }: PaletteFieldProps) {
  return (
    <div className="ask-line">
      <Icon name="search" />
      <input
        value={value}
        placeholder="Search or run a command"
        role="combobox"
        aria-expanded="true"
        aria-controls={listId}
        aria-activedescendant={currentId}
        aria-label="Search or run a command"
        onFocus={(event) => isForSymbols(event.target.value) || event.target.select()}
        onChange={(event) => onType(event.target.value)}
        onKeyDown={onKey}
      />
      <kbd className="box">{showKeys('Escape')}</kbd>
    </div>
  )
}

/** These move in the text and not in the list. */
const KEYS_OF_TEXT: ReadonlySet<string> = new Set(['Home', 'End', 'ArrowLeft', 'ArrowRight'])

/** Runs the command, or shows what was found. `onlyTimeline`: an entry is selected, and its files are not focused. */
function runItem(item: PaletteItem, state: CommandState, onlyTimeline: boolean): void {
  const { workspace } = state
  if (item.kind === 'action') runCommand(item.command, state)
  else if (item.kind === 'file') workspace?.selectFile(item.file.path)
  else if (item.kind === 'hit') workspace?.openHit(item.hit)
  else if (item.kind === 'symbol') workspace?.review()?.goToLine(item.symbol.line)
  else {
    workspace?.selectEntry(item.entry.id)
    workspace?.focusPane(onlyTimeline ? 'timeline' : 'files')
  }
}

interface SectionProps {
  readonly section: PaletteSection
  readonly typed: string
  readonly current: PaletteItem | undefined
  readonly idOf: (item: PaletteItem) => string
  readonly onRun: (item: PaletteItem) => void
  /** The pointer is over an item. */
  readonly onPoint: (item: PaletteItem) => void
}

function Section({ section, typed, current, idOf, onRun, onPoint }: SectionProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: groups of a listbox have no element of their own.
    <div role="group" aria-label={section.title}>
      <div className="group-title" aria-hidden="true">
        {section.title}
      </div>
      {section.items.map((item) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the field keeps focus and takes the keys.
        // biome-ignore lint/a11y/useFocusableInteractive: the field points at it by aria-activedescendant.
        <div
          className="cmd"
          role="option"
          key={idOf(item)}
          id={idOf(item)}
          aria-selected={item === current}
          aria-disabled={item.kind === 'action' && item.why !== null ? true : undefined}
          onClick={() => onRun(item)}
          onPointerMove={() => onPoint(item)}
        >
          <ItemView item={item} typed={typed} />
        </div>
      ))}
    </div>
  )
}

function PaletteFooter({ busy, results }: { readonly busy: boolean; readonly results: number }) {
  return (
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
        {busy ? 'Searching… ' : ''}
        {plural(results, 'result')}
      </span>
    </footer>
  )
}

const ENTRIES_PAUSE_MS = 120
const SEARCH_PAUSE_MS = 180
/** Shorter text matches almost everything. */
const MIN_LENGTH = 2
const NO_ENTRIES: readonly TimelineEntry[] = []
const NO_HITS: readonly SearchHit[] = []

/** What matches the input in the whole history of a workspace: timeline entries, and hits of the full search. */
function useSearch(workspace: WorkspaceId | null, typed: string) {
  const filter = usePaused(typed, ENTRIES_PAUSE_MS)
  const text = usePaused(typed, SEARCH_PAUSE_MS)
  const matches = useQuery(
    'timeline.list',
    workspace && filter ? { workspace, limit: 20, text: filter, kinds: ['run', 'checkpoint'] } : null,
    { keep: true }
  )
  const searches = workspace !== null && text.length >= MIN_LENGTH
  const search = useQuery('search.run', searches ? { workspace, text, limit: HIT_LIMIT } : null, { keep: true })
  return {
    entries: matches.data?.entries ?? NO_ENTRIES,
    hits: search.data?.hits ?? NO_HITS,
    /** What was not searched, else "". */
    note: search.error?.message ?? searchLimitText(search.data?.searched ?? null),
    busy: workspace !== null && typed.length >= MIN_LENGTH && (typed !== text || !(search.current || search.error))
  }
}

function ItemView({ item, typed }: { readonly item: PaletteItem; readonly typed: string }) {
  const title = (
    <span className="ell">
      {marked(item.title, typed.replace(/^@/, '')).map(({ text, hit }, index) =>
        // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text, never moved.
        hit ? <mark key={index}>{text}</mark> : <span key={index}>{text}</span>
      )}
    </span>
  )
  const { icon, hint } = partsOf(item)
  return (
    <>
      {icon}
      {title}
      <span className="hint">{hint}</span>
    </>
  )
}

const HIT_ICONS = { prompt: 'person', note: 'pencil', message: 'chat', path: 'file', change: 'inline' } as const

/** The icon before the title and the hint after it. */
function partsOf(item: PaletteItem): { readonly icon: ReactNode; readonly hint: ReactNode } {
  const when = (at: number) => `${dayInText(at, Date.now())} ${clock(at)}`
  switch (item.kind) {
    case 'action': {
      const keys = item.command.keys[0]
      return {
        icon: <Icon name={item.command.icon} />,
        hint: item.why ?? (keys ? <kbd>{showKeys(keys)}</kbd> : null)
      }
    }
    case 'symbol': {
      const { depth, line } = item.symbol
      return { icon: <span style={{ width: `${depth}rem` }} />, hint: `line ${line}` }
    }
    case 'file':
      return { icon: <FileLetter change={item.file.change} />, hint: 'in this diff' }
    case 'hit': {
      const { kind, path, at } = item.hit
      const where = kind === 'change' && path ? baseName(path) : ''
      return {
        icon: <Icon name={HIT_ICONS[kind]} />,
        hint: [where, at === null ? '' : when(at)].filter(Boolean).join(', ')
      }
    }
    case 'entry': {
      const { entry } = item
      if (entry.kind !== 'run') return { icon: <Icon name="pin" />, hint: `pinned ${when(entry.at)}` }
      const live = entry.state === 'live'
      return {
        icon: <AgentTile agent={entry.agent} live={live} />,
        hint: live ? <span className="c-live">live</span> : `${agentIdentity(entry.agent).name}, ${when(entry.at)}`
      }
    }
  }
}

const LETTERS = { added: 'A', deleted: 'D', modified: 'M', renamed: 'R', mode: 'M', type: 'M' } as const

function FileLetter({ change }: { readonly change: keyof typeof LETTERS }) {
  const letter = LETTERS[change]
  return <span className={`st ${letter}`}>{letter}</span>
}
