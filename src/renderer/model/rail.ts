/**
 * The rail: the vertical line beside the rows, drawn as SVG paths. The recorded history is a straight axis. An outside
 * change bends the axis to the right. A restore in force leads it left around the rows that it undid; the axis of those
 * rows is dotted. If the disk differs from the recorded head, the top end hangs off the axis.
 * Pure: rows in, one segment per row out. Invariant: the paths of neighbouring rows meet at the edge between the rows.
 */

/** What the rail needs to know of a row. */
export interface RailRow {
  readonly kind: 'day' | 'node' | 'outside' | 'restore'
  /** Height of the row, px. */
  readonly height: number
  /** Depth in the tree, from 1. */
  readonly level: number
  /** Position in the log; rows below a run have the seq of the run. */
  readonly seq: number
  /** The row, or its run, was undone on its own (not by a restore to an earlier position). */
  readonly undone: boolean
  /** A run whose child rows are shown below it. */
  readonly expanded: boolean
  /** An outside change that is not yet reviewed. */
  readonly open: boolean
  /** For a restore in force: the position it restored. null if it only undid single changes. */
  readonly restoredTo: number | null
}

/**
 * `axis`: solid axis; `off`: dotted axis; `warn`: a bend that is not yet reviewed; `back`: the detour around undone
 * rows.
 */
export interface RailPath {
  /** Also the CSS class. */
  readonly style: 'axis' | 'off' | 'warn' | 'back'
  /** SVG path data. */
  readonly d: string
}

export interface RailSegment {
  readonly paths: readonly RailPath[]
  /** The line passes this row on the left, because a restore in force undid it. */
  readonly bypassed: boolean
}

/** x of the axis, of the knot of an outside change, and of the detour, px. */
const AXIS = 18
const DRIFT = 28
const DETOUR = 4

interface RailOptions {
  /** Older entries exist that are not loaded: the line continues below the last row. */
  readonly more: boolean
}

/** Segments of all rows; rows are newest first. */
export function layOutRail(rows: readonly RailRow[], options: RailOptions): RailSegment[] {
  const nodes = rows.flatMap((row, index) => (row.kind === 'day' ? [] : [index]))
  const first = nodes[0] ?? -1
  const last = options.more ? -1 : (nodes.at(-1) ?? -1)
  const strokes = findStrokes(rows)
  return rows.map((row, index) => {
    const stroke = strokes[index] ?? null
    if (row.kind === 'day' && index < first) return { paths: [], bypassed: false }
    // Below the oldest row there is nothing to merge with: the detour ends at that row instead of passing it.
    const mergesHere = stroke === 'detour' && row.kind !== 'day' && row.kind !== 'outside' && index === last
    const paths = mergesHere ? detourEnd(row.height, true) : drawRow(row, stroke, index === first, index === last)
    return { paths, bypassed: stroke === 'detour' && !mergesHere }
  })
}

/**
 * The shape of the line at a row; null: the plain axis.
 * A restore to an earlier position: `detour-start` at the restore, `detour` at the rows it undid, `detour-end` at the
 * row it restored; `detour-end-start` where that row is itself such a restore.
 * A run undone on its own: `loop`, or `loop-start`, `detour` and `loop-end` if its child rows are shown.
 */
type RailStroke =
  | 'detour-start'
  | 'detour'
  | 'detour-end'
  | 'detour-end-start'
  | 'loop'
  | 'loop-start'
  | 'loop-end'
  | null

function drawRow({ kind, height, open }: RailRow, stroke: RailStroke, isFirst: boolean, isLast: boolean): RailPath[] {
  if (kind === 'day') return stroke === 'detour' ? detour(height) : axis(height)
  if (stroke === 'detour-start') return detourStart(height, isFirst)
  if (stroke === 'detour-end-start') return [...detourEnd(height, true), ...detourStart(height, true)]
  if (stroke === 'detour-end') return kind === 'outside' ? detourEndAtBend(open) : detourEnd(height, isLast)
  if (kind === 'outside') return bend(open, isFirst, isLast, stroke === 'detour')
  if (stroke === 'detour') return detour(height)
  if (stroke === 'loop') return loop(height)
  if (stroke === 'loop-start') return loopStart(height)
  if (stroke === 'loop-end') return loopEnd(height)
  return axis(height, isFirst, isLast)
}

/** Finds the rows the line goes around. A restore inside a detour is part of it and starts none of its own. */
function findStrokes(rows: readonly RailRow[]): RailStroke[] {
  const strokes: RailStroke[] = rows.map(() => null)
  const restoredTo = (index: number) => rows[index]?.restoredTo ?? null
  let at = 0
  while (at < rows.length) {
    const target = restoredTo(at)
    if (target === null) {
      at++
      continue
    }
    let end = at + 1
    let passed = 0
    while (end < rows.length && isAfter(rows[end], target)) {
      if (rows[end]?.kind !== 'day') passed++
      end++
    }
    if (passed > 0) {
      strokes[at] = strokes[at] === 'detour-end' ? 'detour-end-start' : 'detour-start'
      for (let i = at + 1; i < end; i++) strokes[i] = 'detour'
      if (end < rows.length) strokes[end] = 'detour-end'
    }
    // The row where a detour ends may itself be a restore; its own detour then starts below the meeting point.
    at = passed > 0 ? Math.max(end, at + 1) : at + 1
    if (strokes[at] === 'detour-end' && restoredTo(at) === null) at++
  }
  addLoops(rows, strokes)
  return strokes
}

/** Leads the line around each run that was undone on its own, including its child rows where they are shown. */
function addLoops(rows: readonly RailRow[], strokes: RailStroke[]): void {
  for (const [index, row] of rows.entries()) {
    if (row.kind !== 'node' || row.level > 1 || !row.undone || strokes[index]) continue
    if (!row.expanded) {
      strokes[index] = 'loop'
      continue
    }
    let end = index + 1
    while ((rows[end]?.level ?? 1) > 1) end++
    strokes[index] = 'loop-start'
    for (let i = index + 1; i < end - 1; i++) strokes[i] = 'detour'
    strokes[end - 1] = 'loop-end'
  }
}

/** Whether a row is newer than a position. A run that began exactly there and was undone counts as newer. */
function isAfter(row: RailRow | undefined, seq: number): boolean {
  if (!row) return false
  if (row.kind === 'day') return true
  return row.seq > seq || (row.seq === seq && row.undone)
}

/** The axis, from the middle of the first row to the middle of the last one. */
function axis(h: number, isFirst = false, isLast = false): RailPath[] {
  const from = isFirst ? h / 2 : 0
  const to = isLast ? h / 2 : h
  return from === to ? [] : [{ style: 'axis', d: `M${AXIS} ${from}V${to}` }]
}

function detour(h: number): RailPath[] {
  return [
    { style: 'off', d: `M${AXIS} 0V${h}` },
    { style: 'back', d: `M${DETOUR} 0V${h}` }
  ]
}

function detourStart(h: number, isFirst: boolean): RailPath[] {
  const axisAbove: RailPath[] = isFirst ? [] : [{ style: 'axis', d: `M${AXIS} 0V${h / 2}` }]
  return [
    ...axisAbove,
    { style: 'off', d: `M${AXIS} ${h - 10}V${h}` },
    { style: 'back', d: curve(AXIS, h / 2, DETOUR, h, 0.36 * h, 0.3 * h) }
  ]
}

function detourEnd(h: number, isLast: boolean): RailPath[] {
  return [
    { style: 'off', d: `M${AXIS} 0V${round(0.24 * h)}` },
    { style: 'back', d: `${curve(DETOUR, 0, AXIS, h / 2, 0.3 * h, 0.36 * h)}${isLast ? '' : `V${h}`}` }
  ]
}

/** The detour ends at an outside change: first at its knot, then on the axis. */
function detourEndAtBend(open: boolean): RailPath[] {
  const h = 48
  return [
    { style: 'off', d: `M${AXIS} 0V${h - 3}` },
    { style: 'back', d: curve(DETOUR, 0, DRIFT, h / 2, 0.3 * h, 0.2 * h) },
    { style: open ? 'warn' : 'axis', d: curve(DRIFT, h / 2, AXIS, h, 0.2 * h, 0.3 * h) }
  ]
}

/** A bend to the right with its knot at half height. */
function bend(open: boolean, isFirst: boolean, isLast: boolean, bypassed: boolean): RailPath[] {
  const h = 48
  const style = open ? 'warn' : 'axis'
  const passing: RailPath[] = bypassed ? [{ style: 'back', d: `M${DETOUR} 0V${h}` }] : []
  if (isFirst) {
    return [
      { style: 'off', d: `M${AXIS} ${h / 2}V${h - 4}` },
      { style, d: isLast ? `M${DRIFT} ${h / 2}V${h / 2}` : curve(DRIFT, h / 2, AXIS, h, 0.3 * h, 0.3 * h) }
    ]
  }
  const down = isLast ? '' : `S${AXIS} ${round(0.7 * h)} ${AXIS} ${h}`
  return [
    ...passing,
    { style: 'off', d: `M${AXIS} 3V${isLast ? h / 2 : h - 3}` },
    {
      style: bypassed ? 'off' : style,
      d: `M${AXIS} 0C${AXIS} ${round(0.3 * h)} ${DRIFT} ${round(0.2 * h)} ${DRIFT} ${h / 2}${down}`
    }
  ]
}

function loop(h: number): RailPath[] {
  const d = `M${AXIS} 0C${AXIS} ${round(0.3 * h)} ${DETOUR} ${round(0.2 * h)} ${DETOUR} ${h / 2}S${AXIS} ${round(0.7 * h)} ${AXIS} ${h}`
  return [
    { style: 'off', d: `M${AXIS} 3V${h - 3}` },
    { style: 'back', d }
  ]
}

function loopStart(h: number): RailPath[] {
  return [
    { style: 'off', d: `M${AXIS} 3V${h}` },
    { style: 'back', d: curve(AXIS, 0, DETOUR, h, 0.3 * h, 0.3 * h) }
  ]
}

function loopEnd(h: number): RailPath[] {
  return [
    { style: 'off', d: `M${AXIS} 0V${h - 3}` },
    { style: 'back', d: curve(DETOUR, 0, AXIS, h, 0.4 * h, 0.4 * h) }
  ]
}

/** A cubic curve with vertical tangents; `pull1` and `pull2` are the lengths of the control arms, px. */
function curve(x1: number, y1: number, x2: number, y2: number, pull1: number, pull2: number): string {
  return `M${x1} ${round(y1)}C${x1} ${round(y1 + pull1)} ${x2} ${round(y2 - pull2)} ${x2} ${round(y2)}`
}

function round(n: number): number {
  return Math.round(n * 100) / 100
}
