/** The choices of the timeline filter besides its text: a menu, and what is chosen as chips that can be removed. */
import { useMemo, useRef } from 'react'
import { agentIdentity } from '../../../contract/words/agents.ts'
import { baseName, visibleName } from '../../../contract/words/paths.ts'
import { dayInText } from '../../../contract/words/times.ts'
import { type EntryFilter, hasChoices, type KindFilter, NO_FILTER } from '../../model/entry-filter.ts'
import { useActions, useOpenWorkspace, useWorkspaceState } from '../../state/open-workspace.tsx'
import { Icon } from '../../ui/icon.tsx'
import { MenuButton, type MenuEntry } from '../../ui/menu.tsx'

const KINDS: Readonly<Record<KindFilter, string>> = {
  all: 'Everything',
  run: 'Runs',
  checkpoint: 'Checkpoints',
  restore: 'Restores',
  drift: 'Outside changes'
}
const UNDECIDED = 'Outside changes to review'
const CONFLICTS = 'Runs with conflicts'
const TIMES = [
  { id: 'today', label: 'Today', days: 1 },
  { id: 'week', label: 'Last 7 days', days: 7 }
] as const

/** The start of the first of the last `days` days, ms; today is one of them. */
function sinceOf(days: number, now = new Date()): number {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() - days + 1).getTime()
}

/** Entries that are searched for agents: those of a long history are still the same ones. */
const RECENT = 200

/** The agents of recent runs, also while a filter leaves them out. */
function useAgents(): readonly string[] {
  const entries = useWorkspaceState(({ timeline }) => timeline?.pages?.entries)
  const known = useRef<readonly string[]>([])
  return useMemo(() => {
    const recent = entries?.slice(0, RECENT).flatMap((entry) => (entry.kind === 'run' ? [entry.agent] : [])) ?? []
    known.current = [...new Set([...known.current, ...recent])].sort()
    return known.current
  }, [entries])
}

function runsOf(agent: string): string {
  return agent === 'command' ? 'Runs of commands' : `Runs of ${agentIdentity(agent).name}`
}

/** Choices of which only one can hold: what kind of entry, of whom. */
const ANY_KIND: Partial<EntryFilter> = { kinds: 'all', agent: '', undecided: false, conflicts: false }

/** A folder ends with `/`. */
function changesOf(path: string): string {
  const name = visibleName(baseName(path.replace(/\/$/, '')))
  return path.endsWith('/') ? `Changes in ${name}/` : `Changes of ${name}`
}

export function FilterMenu() {
  const { store, actions } = useOpenWorkspace()
  const filter = useWorkspaceState((state) => state.filter)
  const agents = useAgents()
  return (
    <MenuButton
      label="Choose what is shown"
      className="icon-btn tl-filter"
      tone={hasChoices(filter) ? 'active' : undefined}
      items={() => menuItems(filter, agents, store.getState().file?.path ?? '', actions.setFilter)}
    >
      <Icon name="filter" />
    </MenuButton>
  )
}

/** `shown`: the file in the diff, whose changes can be chosen. */
function menuItems(
  filter: EntryFilter,
  agents: readonly string[],
  shown: string,
  setFilter: (filter: EntryFilter) => void
): readonly MenuEntry[] {
  const { kinds, agent, since, undecided, conflicts, path } = filter
  const choice = (id: string, label: string, chosen: Partial<EntryFilter>, checked: boolean) => ({
    id,
    label,
    checked,
    run: () => setFilter({ ...filter, ...chosen })
  })
  const ofKind = (kind: KindFilter) => kind === kinds && !agent && !undecided && !conflicts
  const folder = shown.slice(0, shown.lastIndexOf('/') + 1)
  const paths = [...new Set([path, shown, folder])].filter((each) => each !== '')
  return [
    ...(Object.keys(KINDS) as KindFilter[]).map((kind) =>
      choice(kind, KINDS[kind], { ...ANY_KIND, kinds: kind }, ofKind(kind))
    ),
    choice('undecided', UNDECIDED, { ...ANY_KIND, undecided: true }, undecided),
    choice('conflicts', CONFLICTS, { ...ANY_KIND, conflicts: true }, conflicts),
    'separator',
    ...agents.map((id) => choice(`agent-${id}`, runsOf(id), { ...ANY_KIND, agent: id }, agent === id)),
    'separator',
    choice('any-path', 'Any file', { path: '' }, path === ''),
    ...paths.map((each) => choice(`path-${each}`, changesOf(each), { path: each }, path === each)),
    'separator',
    choice('any-time', 'Any time', { since: 0 }, since === 0),
    ...TIMES.map(({ id, label, days }) => choice(id, label, { since: sinceOf(days) }, since === sinceOf(days)))
  ]
}

interface Chip {
  readonly key: keyof EntryFilter
  readonly label: string
  readonly tip?: string
}

function chipsOf({ kinds, agent, since, undecided, conflicts, path }: EntryFilter): readonly Chip[] {
  const chips: Chip[] = []
  if (kinds !== 'all') chips.push({ key: 'kinds', label: KINDS[kinds] })
  if (agent) chips.push({ key: 'agent', label: runsOf(agent) })
  if (undecided) chips.push({ key: 'undecided', label: UNDECIDED })
  if (conflicts) chips.push({ key: 'conflicts', label: CONFLICTS, tip: 'Others changed files of these runs later' })
  if (path) chips.push({ key: 'path', label: changesOf(path), tip: path })
  if (since > 0) {
    const known = TIMES.find(({ days }) => sinceOf(days) === since)
    chips.push({ key: 'since', label: known?.label ?? `Since ${dayInText(since, Date.now())}` })
  }
  return chips
}

/** What is chosen. Each chip removes its choice. */
export function FilterChips() {
  const actions = useActions()
  const filter = useWorkspaceState((state) => state.filter)
  const chips = chipsOf(filter)
  if (chips.length === 0) return null
  return (
    <ul className="tl-chips" aria-label="Chosen filters">
      {chips.map(({ key, label, tip }) => (
        <li key={key}>
          <button
            type="button"
            className="tl-chip"
            aria-label={`Remove the filter: ${label}`}
            data-tip={tip}
            onClick={() => actions.setFilter({ ...filter, [key]: NO_FILTER[key] })}
          >
            {label}
            <Icon name="x" size="xs" />
          </button>
        </li>
      ))}
    </ul>
  )
}
