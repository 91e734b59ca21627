/** What a timeline row refers to: positions in the log, the diff it shows, its run, session and title. Pure. */
import type { Params } from '../../contract/api.ts'
import type { TimelineEntry } from '../../contract/timeline.ts'
import { firstLine } from '../../contract/words/text.ts'
import { entryTitle } from '../../contract/words/timeline.ts'
import { isSelectable, type Row, type SelectableRow, turnOf } from './timeline-rows.ts'

/** The entry a row is, or the run it belongs to. */
export function entryOf(node: SelectableRow): TimelineEntry {
  return node.kind === 'entry' ? node.entry : node.run
}

/** Turns and their tool calls have their own diff and actions; other child rows use those of their run. */
export function isTurn(node: SelectableRow): boolean {
  return node.kind === 'turn' || node.kind === 'call'
}

/** Target of the position before an entry. */
export function startOf(entry: TimelineEntry): string {
  return entry.kind === 'run' ? `${entry.id}:start` : entry.id
}

/** Target of the position after a row. `newer` is the entry above it, null for the newest entry. */
export function positionOf(node: SelectableRow, newer: TimelineEntry | null): string {
  switch (node.kind) {
    case 'start':
      return `${node.run.id}:start`
    case 'turn':
    case 'call':
      return node.turn ? `${node.turn.id}:end` : `${node.run.id}:end`
    case 'plan':
    case 'review':
    case 'checkpoints':
      return `${node.run.id}:end`
    case 'checkpoint':
      return node.checkpoint.id
    case 'entry':
      if (node.entry.kind === 'run') return `${node.entry.id}:end`
      if (node.entry.kind === 'checkpoint') return node.entry.id
      // Restores and outside changes record no end of their own: their end is the start of the next entry.
      return newer ? startOf(newer) : 'now'
  }
}

export type DiffQuery = Omit<Params<'diff.files'>, 'workspace' | 'quick'>

/** The diff of what a row changed; null for a turn whose details are still loading. */
export function diffQueryOf(node: SelectableRow, newer: TimelineEntry | null): DiffQuery | null {
  if (isTurn(node)) {
    const turn = turnOf(node)
    return turn ? { target: turn.id, scope: 'turn' } : null
  }
  if (node.kind === 'checkpoint') return { target: node.before, to: node.checkpoint.id }
  const entry = entryOf(node)
  switch (entry.kind) {
    case 'run':
      return { target: entry.id, scope: 'run' }
    case 'checkpoint':
      return { target: entry.id, to: 'now' }
    case 'restore':
      return { target: entry.id, to: positionOf(node, newer) }
    case 'drift': {
      const to = entry.state === 'open' ? 'now' : positionOf(node, newer)
      // `paths` may be cut off. Only a complete list can exclude later changes of other files.
      return { target: entry.id, to, ...(entry.paths.length === entry.count ? { paths: entry.paths } : {}) }
    }
  }
}

/** Two rows in the order they are compared: older first, unless swapped. */
export function orderPair(
  a: SelectableRow,
  b: SelectableRow,
  swapped: boolean,
  rows: readonly Row[]
): readonly [SelectableRow, SelectableRow] {
  const order = (node: SelectableRow) => rows.findIndex((row) => row.key === node.key)
  return order(a) > order(b) === swapped ? [b, a] : [a, b]
}

export function compareQueryOf([from, to]: readonly [SelectableRow, SelectableRow], rows: readonly Row[]): DiffQuery {
  return { target: positionIn(from, rows), to: positionIn(to, rows) }
}

/** The position after a row, by one name for each: the newest turn of a run ends with it. */
function positionIn(node: SelectableRow, rows: readonly Row[]): string {
  const turn = turnOf(node)
  const isNewer = (row: Row) => row.kind === 'turn' && row.run.id === entryOf(node).id && row.turn !== turn
  const above = rows.slice(
    0,
    rows.findIndex(({ key }) => key === node.key)
  )
  return turn && !above.some(isNewer) ? `${entryOf(node).id}:end` : positionOf(node, entryAbove(node, rows))
}

/**
 * The row that extends a selection of `selected` in the direction from `from` to `to`: the first one from `to` on whose
 * position differs, since equal positions have nothing to compare; `to` without one.
 */
export function extendedTo(selected: SelectableRow, rows: readonly Row[], from: number, to: number): number {
  const position = positionIn(selected, rows)
  const delta = to < from ? -1 : 1
  for (let at = to; at >= 0 && at < rows.length; at += delta) {
    const row = rows[at]
    if (isSelectable(row) && (row.key === selected.key || positionIn(row, rows) !== position)) return at
  }
  return to
}

/** The next newer entry above a row, null for the newest. */
export function entryAbove(node: SelectableRow, rows: readonly Row[]): TimelineEntry | null {
  const at = rows.findIndex((row) => row.key === node.key)
  for (let i = at - 1; i >= 0; i--) {
    const row = rows[i]
    if (row?.kind === 'entry') return row.entry
    if (row?.kind === 'gap') return row.next
  }
  return null
}

/** Heading of the main area while a row is selected. */
export function rowTitle(node: SelectableRow): string {
  return firstLine(turnOf(node)?.prompt ?? '') || entryTitle(entryOf(node))
}

/** The id that the command line accepts for a row. */
export function commandLineId(node: SelectableRow): string {
  if (node.kind === 'entry') return node.entry.id
  if (node.kind === 'checkpoint') return node.checkpoint.id
  return turnOf(node)?.id ?? (node.kind === 'start' ? `${node.run.id}:start` : node.run.id)
}

/** The position a row stands for in a comparison, in words. */
export function positionTitle(node: SelectableRow): string {
  if (node.kind === 'start') return `start of “${entryTitle(node.run)}”`
  if (isTurn(node)) return `end of turn “${rowTitle(node)}”`
  if (node.kind === 'checkpoint') return `checkpoint of “${entryTitle(node.run)}”`
  const entry = entryOf(node)
  if (entry.kind === 'run') return `end of “${entryTitle(entry)}”`
  return entry.kind === 'checkpoint' ? `“${entryTitle(entry)}”` : `after “${entryTitle(entry)}”`
}

/** Id of the run a row belongs to, null for other entries. */
export function runIdOf(node: SelectableRow | null): string | null {
  if (!node) return null
  if (node.kind !== 'entry') return node.run.id
  return node.entry.kind === 'run' ? node.entry.id : null
}

/** Whether it is of a run that still works. */
export function isLiveRun(node: SelectableRow): boolean {
  const entry = entryOf(node)
  return entry.kind === 'run' && entry.state === 'live'
}

/** Id of the session a row belongs to, null if none. */
export function sessionIdOf(node: SelectableRow | null): string | null {
  if (!node) return null
  if (node.kind !== 'entry') return node.run.session
  if (node.entry.kind === 'run') return node.entry.session
  if (node.entry.kind === 'checkpoint') return node.entry.session
  return node.entry.kind === 'restore' ? (node.entry.conversation?.session ?? null) : null
}
