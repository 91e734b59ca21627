/**
 * Which contents the kept positions need. What an Edit replaced was the state of its path from the Edit before it on: it is
 * needed when a kept position lies in between. One pass over the log, in steps.
 */
import type { Store } from '../store/open-store.ts'
import { type Contents, FORGOTTEN, type Forgotten, NEEDED, type Pause, pages, REFERENCED, YOUNG } from './contents.ts'

export interface Replaced {
  readonly seq: number
  readonly path: number
  /** Of what it replaced. */
  readonly content: number
  readonly at: number
  /** The Edit of the path before it, 0 = the first copy. */
  readonly since: number
}

/** Every Edit that replaced content, in the order of the log up to `to`. */
export async function* replacedContents({ db }: Store, to: number, pause: Pause): AsyncGenerator<readonly Replaced[]> {
  const rows = db
    .prepare(
      `SELECT e.seq, e.path, (SELECT v.content FROM version v WHERE v.id = e.before), e.at,
         coalesce((SELECT max(p.seq) FROM edit p WHERE p.path = e.path AND p.seq < e.seq), 0)
       FROM edit e WHERE e.seq > ? AND e.seq <= ? ORDER BY e.seq LIMIT ?`
    )
    .raw()
  for await (const page of pages<[number, number, number | null, number, number]>(rows, to, pause)) {
    const found: Replaced[] = []
    for (const [seq, path, content, at, since] of page)
      if (content !== null) found.push({ seq, path, content, at, since })
    yield found
  }
}

export interface Wanted {
  /** Kept whole; ascending. */
  readonly positions: readonly number[]
  /** When what is older began to be so, ms UTC. */
  readonly cutoff: number
  readonly forgotten: Forgotten
}

/**
 * Marks contents that positions need, that are younger than the cutoff, and when each was replaced last. Where a person lets
 * go of paths, whatever another path ever held is needed.
 */
export async function markNeeded(
  store: Store,
  contents: Contents,
  { positions, cutoff, forgotten }: Wanted,
  pause: Pause
): Promise<void> {
  const { flags, last, seen } = contents
  // Index of the first position that is not before the Edit at hand.
  let next = 0
  // [LG-1] A clock that was wrong makes nothing older than what was recorded before it.
  let latest = 0
  for await (const page of replacedContents(store, seen.edit, pause)) {
    for (const { seq, path, content, at, since } of page) {
      last[content] = seq
      if (forgotten) {
        flags[content]! |= forgotten.has(path) ? FORGOTTEN : NEEDED
        continue
      }
      while (next < positions.length && (positions[next] as number) < seq) next++
      if (next > 0 && (positions[next - 1] as number) >= since) flags[content]! |= NEEDED
      latest = Math.max(latest, at)
      if (latest >= cutoff) flags[content]! |= YOUNG
    }
  }
  const versions = store.db
    .prepare('SELECT id, content FROM version WHERE id > ? AND id <= ? ORDER BY id LIMIT ?')
    .raw()
  for await (const page of pages<[number, number | null]>(versions, seen.version, pause))
    for (const [, content] of page) if (content !== null) flags[content]! |= REFERENCED
  // What no path of theirs held is not asked for.
  if (forgotten)
    for (let id = 1; id < flags.length; id++) if (!((flags[id] as number) & FORGOTTEN)) flags[id]! |= NEEDED
  markOpenRestores(store, contents)
}

/** A restore under way, or waiting for Finish or Undo, needs both sides of every item. */
function markOpenRestores(store: Store, { flags }: Contents): void {
  for (const content of contentsOf(
    store,
    `SELECT i.before AS version FROM restore_item i JOIN restore r ON r.id = i.restore WHERE r.state IN ('applying', 'interrupted')
     UNION SELECT i.after FROM restore_item i JOIN restore r ON r.id = i.restore WHERE r.state IN ('applying', 'interrupted')`
  ))
    if (content < flags.length) flags[content]! |= NEEDED
}

/**
 * [ST-2] What was written since `contents` was read needs too: new versions, both sides of new Edits, what new content is
 * packed against, restores begun since. Call inside the transaction that empties.
 */
export function markWrittenSince(store: Store, contents: Contents): void {
  const { flags, seen } = contents
  const mark = (content: number): void => {
    if (content < flags.length) flags[content]! |= NEEDED | REFERENCED
  }
  const { version, edit, content } = seen
  for (const one of contentsOf(store, 'SELECT id AS version FROM version WHERE id > ?', version)) mark(one)
  for (const one of contentsOf(
    store,
    'SELECT before AS version FROM edit WHERE seq > ? UNION SELECT after FROM edit WHERE seq > ?',
    edit,
    edit
  ))
    mark(one)
  const bases = store.db
    .prepare('SELECT DISTINCT base FROM content WHERE id > ? AND base IS NOT NULL')
    .pluck()
    .all(content) as number[]
  for (const base of bases) mark(base)
  markOpenRestores(store, contents)
}

function contentsOf({ db }: Store, versions: string, ...values: number[]): number[] {
  return db
    .prepare(
      `SELECT DISTINCT v.content FROM version v WHERE v.content IS NOT NULL AND v.id IN (SELECT version FROM (${versions}))`
    )
    .pluck()
    .all(...values) as number[]
}
