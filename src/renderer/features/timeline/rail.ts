/**
 * The line: what was recorded lies on an axis. A change from outside bends it to the right and back. A restore leads
 * it left round what was taken back, which stays dotted. If the disk is off now, the top end hangs off the axis.
 * Pure: points in, strokes out, one list per point; strokes of neighbouring rows meet at the row's edge.
 */

/** A row as the line sees it. */
export interface RailPoint {
  readonly kind: 'day' | 'node' | 'outside' | 'restore'
  /** Of the row, px. */
  readonly height: number
  /** Depth in the tree, from 1. */
  readonly level: number
  /** Where it is in the log; what belongs to a run has the run's. */
  readonly seq: number
  /** It, or its run, was taken back by itself. */
  readonly takenBack: boolean
  /** A run whose rows are shown below it. */
  readonly unfolded: boolean
  /** An outside change that waits for a decision. */
  readonly open: boolean
  /** Of a restore in force: the position it went back to; null when it took single changes back. */
  readonly backTo: number | null
}

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
export function railOf(rows: readonly RailPoint[], ends: RailEnds): Stroke[][] {
  const nodes = rows.flatMap((row, index) => (row.kind === 'day' ? [] : [index]))
  const first = nodes[0] ?? -1
  const last = ends.more ? -1 : (nodes.at(-1) ?? -1)
  const ways = detours(rows)
  return rows.map((row, index) => {
    const { height, kind, open } = row
    const way = ways[index] ?? null
    if (kind === 'day') return index < first ? [] : along(height, way === 'beside' ? 'beside' : null)
    if (way === 'leaves') return leaves(height, index === first)
    if (way === 'turns') return [...joins(height, true), ...leaves(height, true)]
    if (way === 'joins') return kind === 'outside' ? joinsBend(open) : joins(height, index === last)
    if (kind === 'outside') return bend(open, index === first, index === last, way === 'beside')
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
function detours(rows: readonly RailPoint[]): Way[] {
  const ways: Way[] = rows.map(() => null)
  const backTo = (index: number) => rows[index]?.backTo ?? null
  let at = 0
  while (at < rows.length) {
    const to = backTo(at)
    if (to === null) {
      at++
      continue
    }
    let end = at + 1
    let passed = 0
    while (end < rows.length && isAfter(rows[end], to)) {
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
    if (ways[at] === 'joins' && backTo(at) === null) at++
  }
  aroundSingles(rows, ways)
  return ways
}

/** What was undone by itself: the line goes round it, or round it and the rows below it when open. */
function aroundSingles(rows: readonly RailPoint[], ways: Way[]): void {
  for (const [index, row] of rows.entries()) {
    if (row.kind !== 'node' || row.level > 1 || !row.takenBack || ways[index]) continue
    if (!row.unfolded) {
      ways[index] = 'around'
      continue
    }
    let end = index + 1
    while ((rows[end]?.level ?? 1) > 1) end++
    ways[index] = 'goes'
    for (let i = index + 1; i < end - 1; i++) ways[i] = 'beside'
    ways[end - 1] = 'comes'
  }
}

/** True for rows newer than a position; a run that began exactly there and was taken back belongs to them. */
function isAfter(row: RailPoint | undefined, seq: number): boolean {
  if (!row) return false
  if (row.kind === 'day') return true
  return row.seq > seq || (row.seq === seq && row.takenBack)
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
