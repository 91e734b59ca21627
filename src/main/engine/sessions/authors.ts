/** Who a change belongs to now (GW-4): the tool call that names its path, the windows open at that moment, or nobody. */
import type { Author, AuthorOf } from '../capture/append.ts'
import { prepareCached } from '../db/transaction.ts'
import type { Store } from '../store/open-store.ts'

/** Times of files come from a coarser clock than ours; a change made right after a window opened may seem this much older, ms. */
const CLOCK_SLACK_MS = 20

interface AttributionWindow {
  readonly run: string
  readonly turn: string
  readonly call: string | null
  readonly declared: ReadonlySet<string>
  /** Only changes made since then may be its own; null when everything older was recorded before it opened. */
  readonly since: number | null
  /** Later ones are not; null while it is open. */
  readonly until: number | null
}

type EndedAttributionWindow = AttributionWindow & { readonly since: number; readonly until: number }

/**
 * Reads the windows open now; the function it returns decides per path. `outside` is asked for what nobody claims, once.
 * Call inside a transaction.
 */
export function authorsNow(store: Store, outside: () => Author): AuthorOf {
  const windows = openWindows(store)
  let ended: EndedAttributionWindow[] | null = null
  let nobody: Author | null = null
  const timed = windows.some((window) => window.since !== null || window.until !== null)
  return (path, changedAt) => {
    const at = timed ? changedAt() : null
    const isOpen = ({ until }: AttributionWindow): boolean => until === null || at === null || at <= until + CLOCK_SLACK_MS
    const naming = windows.filter((window) => window.declared.has(path) && isOpen(window))
    if (naming.length > 0) return authorOf(naming, 'declared')
    const around = windows.filter(
      (window) => isOpen(window) && (window.since === null || at === null || at >= window.since - CLOCK_SLACK_MS)
    )
    if (around.length > 0) return authorOf(around, 'inferred')
    ended ??= endedWindows(store)
    // Told by no watcher, it is seen only now. Surely made while a command ran that has ended; else it is nobody's.
    const then = ended.length > 0 ? changedAt() : null
    const late = ended.filter(
      (window) => then !== null && then >= window.since && then <= window.until - CLOCK_SLACK_MS
    )
    if (late.length > 0) return authorOf(late, 'inferred')
    nobody ??= outside()
    return nobody
  }
}

/** One row per run, its innermost call; two runs share what neither of them named alone. */
function authorOf(windows: readonly AttributionWindow[], alone: 'declared' | 'inferred'): Author {
  const byRun = new Map<string, AttributionWindow>()
  for (const window of windows) {
    if (!byRun.get(window.run)?.call) byRun.set(window.run, window)
  }
  return {
    origin: 'agent',
    attribution: byRun.size === 1 ? alone : 'shared',
    by: [...byRun.values()].map(({ run, turn, call }) => ({ run, turn, call })),
    drift: null
  }
}

function openWindows(store: Store): AttributionWindow[] {
  const whole = prepareCached(
    store.db,
    "SELECT r.id AS run, t.id AS turn FROM run r JOIN turn t ON t.run = r.id AND t.ended_at IS NULL WHERE r.state = 'live' AND r.hooked = 0 ORDER BY r.n"
  ).all() as { run: string; turn: string }[]
  const calls = prepareCached(
    store.db,
    `SELECT c.id, c.run, c.turn, c.paths, c.wide, c.complete, c.opened_at, c.ended_at FROM tool_call c JOIN run r ON r.id = c.run
     WHERE c.closed_at IS NULL AND r.state = 'live' AND (c.wide = 1 OR c.paths <> '[]') ORDER BY c.opened_at DESC`
  ).all() as {
    id: string
    run: string
    turn: string
    paths: string
    wide: number
    complete: number
    opened_at: number
    ended_at: number | null
  }[]
  return [
    ...calls.map((call) => ({
      run: call.run,
      turn: call.turn,
      call: call.id,
      declared: new Set(JSON.parse(call.paths) as string[]),
      since: call.wide === 1 && call.complete === 1 ? null : call.opened_at,
      until: call.ended_at
    })),
    ...whole.map(({ run, turn }) => ({ run, turn, call: null, declared: new Set<string>(), since: null, until: null }))
  ]
}

/** Commands of live runs that have ended. */
function endedWindows(store: Store): EndedAttributionWindow[] {
  const calls = prepareCached(
    store.db,
    `SELECT c.run, c.turn, c.id AS call, c.opened_at AS since, coalesce(c.ended_at, c.closed_at) AS until
     FROM tool_call c JOIN run r ON r.id = c.run WHERE r.state = 'live' AND c.wide = 1 AND c.closed_at IS NOT NULL
     ORDER BY c.opened_at DESC`
  ).all() as Omit<EndedAttributionWindow, 'declared'>[]
  return calls.map((call) => ({ ...call, declared: new Set<string>() }))
}
