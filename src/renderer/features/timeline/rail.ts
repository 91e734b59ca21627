/**
 * The line: what was recorded lies on an axis. A change from outside bends it to the right and back. A restore leads
 * it left round what was taken back, which stays dotted. If the disk is off now, the top end hangs off the axis.
 * Pure: rows in, strokes out, one list per row; strokes of neighbouring rows meet at the row's edge.
 */
import type { RestoreEntry, TimelineEntry } from '../../../contract/timeline.ts'
import { heightOf, levelOf, type Row } from './rows.ts'

/** `axis` solid, `off` dotted axis, `warn` a bend not yet reviewed, `back` the way round. */
export interface Stroke {
  readonly as: 'axis' | 'off' | 'warn' | 'back'
  readonly d: string
}

const AXIS = 18
const DRIFT = 28
const DETOUR = 4

/** Where the line ends and whether older rows than these exist. */
export interface RailEnds {
  /** Older entries are not loaded yet: the line goes on below the last row. */
  readonly more: boolean
}

/** Strokes of every row; rows are newest first. */
export function railOf(rows: readonly Row[], ends: RailEnds): Stroke[][] {
  const nodes = rows.flatMap((row, index) => (row.kind === 'day' ? [] : [index]))
  const first = nodes[0] ?? -1
  const last = ends.more ? -1 : (nodes.at(-1) ?? -1)
  const ways = detours(rows)
  return rows.map((row, index) => {
    const height = heightOf(row)
    const way = ways[index] ?? null
    if (row.kind === 'day') return index < first ? [] : along(height, way === 'beside' ? 'beside' : null)
    if (way === 'leaves') return leaves(height, index === first)
    if (way === 'turns') return [...joins(height, true), ...leaves(height, true)]
    const entry = row.kind === 'entry' ? row.entry : null
    if (way === 'joins')
      return entry?.kind === 'drift' ? joinsBend(entry.state === 'open') : joins(height, index === last)
    if (entry?.kind === 'drift') return bend(entry.state === 'open', index === first, index === last, way === 'beside')
    // Nothing older is left to join: the way back ends at the oldest row.
    if (way === 'beside') return index === last ? joins(height, true) : along(height, 'beside')
    if (way === 'around') return around(height)
    if (way === 'goes') return goes(height)
    if (way === 'comes') return comes(height)
    return straight(height, index === first, index === last)
  })
}

/** `leaves`, `beside`, `joins`: a restore to an earlier point; `turns`: one joins and the next leaves. `around`, `goes`, `comes`: one run taken back alone. */
type Way = 'leaves' | 'beside' | 'joins' | 'turns' | 'around' | 'goes' | 'comes' | null

/** Which rows the line goes round. A restore inside such a stretch is part of it. */
function detours(rows: readonly Row[]): Way[] {
  const ways: Way[] = rows.map(() => null)
  let at = 0
  while (at < rows.length) {
    const restore = wentBack(rows[at])
    if (!restore) {
      at++
      continue
    }
    let end = at + 1
    let passed = 0
    while (end < rows.length && isAfter(rows[end], restore.toSeq)) {
      if (rows[end]?.kind !== 'day') passed++
      end++
    }
    if (passed > 0) {
      ways[at] = ways[at] === 'joins' ? 'turns' : 'leaves'
      for (let i = at + 1; i < end; i++) ways[i] = 'beside'
      if (end < rows.length) ways[end] = 'joins'
    }
    // The row it joins may itself be a restore: its own detour then starts below the meeting point.
    at = passed > 0 ? Math.max(end, at + 1) : at + 1
    if (ways[at] === 'joins' && !wentBack(rows[at])) at++
  }
  aroundSingleRuns(rows, ways)
  return ways
}

/** Runs that were undone by themselves: the line goes round the run, or round it and the rows below it when open. */
function aroundSingleRuns(rows: readonly Row[], ways: Way[]): void {
  for (const [index, row] of rows.entries()) {
    if (row.kind !== 'entry' || row.entry.kind !== 'run' || !row.entry.takenBack || ways[index]) continue
    if (!row.open) {
      ways[index] = 'around'
      continue
    }
    let end = index + 1
    while (levelOf(rows[end]) > 1) end++
    ways[index] = 'goes'
    for (let i = index + 1; i < end - 1; i++) ways[i] = 'beside'
    ways[end - 1] = 'comes'
  }
}

function wentBack(row: Row | undefined): (RestoreEntry & { readonly toSeq: number }) | null {
  if (row?.kind !== 'entry' || row.entry.kind !== 'restore') return null
  const { entry } = row
  const inForce = !entry.undone && (entry.state === 'done' || entry.state === 'partial')
  return inForce && entry.toSeq !== null ? { ...entry, toSeq: entry.toSeq } : null
}

/** True for rows newer than a position; a run that began exactly there and was taken back belongs to them. */
function isAfter(row: Row | undefined, seq: number): boolean {
  if (!row) return false
  if (row.kind === 'day') return true
  if (row.kind !== 'entry') return row.run.seq > seq || (row.run.seq === seq && row.run.takenBack)
  const entry: TimelineEntry = row.entry
  return entry.seq > seq || (entry.seq === seq && entry.kind === 'run' && entry.takenBack)
}

function straight(h: number, isFirst: boolean, isLast: boolean): Stroke[] {
  const from = isFirst ? h / 2 : 0
  const to = isLast ? h / 2 : h
  return from === to ? [] : [{ as: 'axis', d: `M${AXIS} ${from}V${to}` }]
}

function along(h: number, way: 'beside' | null): Stroke[] {
  if (way === null) return [{ as: 'axis', d: `M${AXIS} 0V${h}` }]
  return [
    { as: 'off', d: `M${AXIS} 0V${h}` },
    { as: 'back', d: `M${DETOUR} 0V${h}` }
  ]
}

function leaves(h: number, isFirst: boolean): Stroke[] {
  const strokes: Stroke[] = isFirst ? [] : [{ as: 'axis', d: `M${AXIS} 0V${h / 2}` }]
  return [
    ...strokes,
    { as: 'off', d: `M${AXIS} ${h - 10}V${h}` },
    { as: 'back', d: curve(AXIS, h / 2, DETOUR, h, 0.36 * h, 0.3 * h) }
  ]
}

function joins(h: number, isLast: boolean): Stroke[] {
  return [
    { as: 'off', d: `M${AXIS} 0V${round(0.24 * h)}` },
    { as: 'back', d: `${curve(DETOUR, 0, AXIS, h / 2, 0.3 * h, 0.36 * h)}${isLast ? '' : `V${h}`}` }
  ]
}

/** The way round comes back at an outside change: over to its knot, then to the axis. */
function joinsBend(open: boolean): Stroke[] {
  const h = 48
  return [
    { as: 'off', d: `M${AXIS} 0V${h - 3}` },
    { as: 'back', d: curve(DETOUR, 0, DRIFT, h / 2, 0.3 * h, 0.2 * h) },
    { as: open ? 'warn' : 'axis', d: curve(DRIFT, h / 2, AXIS, h, 0.2 * h, 0.3 * h) }
  ]
}

/** A bend to the right with its knot at half height. */
function bend(open: boolean, isFirst: boolean, isLast: boolean, beside: boolean): Stroke[] {
  const h = 48
  const as = open ? 'warn' : 'axis'
  const way: Stroke[] = beside ? [{ as: 'back', d: `M${DETOUR} 0V${h}` }] : []
  if (isFirst) {
    return [
      { as: 'off', d: `M${AXIS} ${h / 2}V${h - 4}` },
      { as, d: isLast ? `M${DRIFT} ${h / 2}V${h / 2}` : curve(DRIFT, h / 2, AXIS, h, 0.3 * h, 0.3 * h) }
    ]
  }
  const down = isLast ? '' : `S${AXIS} ${round(0.7 * h)} ${AXIS} ${h}`
  return [
    ...way,
    { as: 'off', d: `M${AXIS} 3V${isLast ? h / 2 : h - 3}` },
    {
      as: beside ? 'off' : as,
      d: `M${AXIS} 0C${AXIS} ${round(0.3 * h)} ${DRIFT} ${round(0.2 * h)} ${DRIFT} ${h / 2}${down}`
    }
  ]
}

function around(h: number): Stroke[] {
  const d = `M${AXIS} 0C${AXIS} ${round(0.3 * h)} ${DETOUR} ${round(0.2 * h)} ${DETOUR} ${h / 2}S${AXIS} ${round(0.7 * h)} ${AXIS} ${h}`
  return [
    { as: 'off', d: `M${AXIS} 3V${h - 3}` },
    { as: 'back', d }
  ]
}

function goes(h: number): Stroke[] {
  return [
    { as: 'off', d: `M${AXIS} 3V${h}` },
    { as: 'back', d: curve(AXIS, 0, DETOUR, h, 0.3 * h, 0.3 * h) }
  ]
}

function comes(h: number): Stroke[] {
  return [
    { as: 'off', d: `M${AXIS} 0V${h - 3}` },
    { as: 'back', d: curve(DETOUR, 0, AXIS, h, 0.4 * h, 0.4 * h) }
  ]
}

function curve(x1: number, y1: number, x2: number, y2: number, pull1: number, pull2: number): string {
  return `M${x1} ${round(y1)}C${x1} ${round(y1 + pull1)} ${x2} ${round(y2 - pull2)} ${x2} ${round(y2)}`
}

function round(n: number): number {
  return Math.round(n * 100) / 100
}
