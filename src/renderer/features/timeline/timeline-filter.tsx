/** The choices of the timeline filter besides its text: a menu, and what is chosen as chips that can be removed. */
import { useMemo, useRef } from 'react'
import { agentIdentity } from '../../../contract/words/agents.ts'
import { dayInText } from '../../../contract/words/times.ts'
import { type EntryFilter, hasChoices, type KindFilter, NO_FILTER } from '../../model/entry-filter.ts'
import { useActions, useWorkspaceState } from '../../state/open-workspace.tsx'
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
const TIMES = [
  { id: 'today', label: 'Today', days: 1 },
  { id: 'week', label: 'Last 7 days', days: 7 }
] as const

/** The start of the first of the last `days` days, ms; today is one of them. */
export function sinceOf(days: number, now = new Date()): number {
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

export function FilterMenu() {
  const actions = useActions()
  const filter = useWorkspaceState((state) => state.filter)
  const agents = useAgents()
  const choice = (id: string, label: string, chosen: Partial<EntryFilter>, checked: boolean) => ({
    id,
    label,
    checked,
    run: () => actions.setFilter({ ...filter, ...chosen })
  })
  const { kinds, agent, since, undecided } = filter
  const items: readonly MenuEntry[] = [
    ...(Object.keys(KINDS) as KindFilter[]).map((kind) =>
      choice(kind, KINDS[kind], { kinds: kind, agent: '', undecided: false }, kind === kinds && !agent && !undecided)
    ),
    choice('undecided', UNDECIDED, { kinds: 'all', agent: '', undecided: true }, undecided),
    'separator',
    ...agents.map((id) =>
      choice(`agent-${id}`, runsOf(id), { kinds: 'all', agent: id, undecided: false }, agent === id)
    ),
    'separator',
    choice('any-time', 'Any time', { since: 0 }, since === 0),
    ...TIMES.map(({ id, label, days }) => choice(id, label, { since: sinceOf(days) }, since === sinceOf(days)))
  ]
  return (
    <MenuButton
      label="Choose what is shown"
      className="icon-btn tl-filter"
      tone={hasChoices(filter) ? 'active' : undefined}
      items={items}
    >
      <Icon name="filter" />
    </MenuButton>
  )
}

/** What is chosen. Each chip removes its choice. */
export function FilterChips() {
  const actions = useActions()
  const filter = useWorkspaceState((state) => state.filter)
  const { kinds, agent, since, undecided } = filter
  const chips = [
    ...(kinds === 'all' ? [] : [{ key: 'kinds', label: KINDS[kinds] }]),
    ...(agent ? [{ key: 'agent', label: runsOf(agent) }] : []),
    ...(undecided ? [{ key: 'undecided', label: UNDECIDED }] : []),
    ...(since > 0
      ? [
          {
            key: 'since',
            label: TIMES.find(({ days }) => sinceOf(days) === since)?.label ?? `Since ${dayInText(since, Date.now())}`
          }
        ]
      : [])
  ] as const
  if (chips.length === 0) return null
  return (
    <ul className="tl-chips" aria-label="Chosen filters">
      {chips.map(({ key, label }) => (
        <li key={key}>
          <button
            type="button"
            className="tl-chip"
            aria-label={`Remove the filter: ${label}`}
            onClick={() => actions.setFilter({ ...filter, [key]: NO_FILTER[key as keyof EntryFilter] })}
          >
            {label}
            <Icon name="x" size="xs" />
          </button>
        </li>
      ))}
    </ul>
  )
}
