/** What a selected row of the timeline stands for: a position, a diff, and the two verbs. */
import type { Params } from '../../../contract/api.ts'
import type { Act } from '../../../contract/restore.ts'
import type { WorkspaceStatus } from '../../../contract/status.ts'
import type { TimelineEntry } from '../../../contract/timeline.ts'
import { type NodeRow, type Row, turnOfNode } from './rows.ts'
import { titleOf } from './sentences.ts'

/** An act a person can start from a row, or why they cannot. */
export type Offer = { readonly act: Act; readonly title: string } | { readonly why: string; readonly title: string }

export function isNode(row: Row | undefined): row is NodeRow {
  return row !== undefined && row.kind !== 'day'
}

/** The entry a row is or belongs to; a turn and its calls stand for themselves. */
function entryOf(node: NodeRow): TimelineEntry {
  return node.kind === 'entry' ? node.entry : node.run
}

function isTurn(node: NodeRow): boolean {
  return node.kind === 'turn' || node.kind === 'call'
}

/** Target of the state just before an entry. */
function beforeEntry(entry: TimelineEntry): string {
  return entry.kind === 'run' ? `${entry.id}:start` : entry.id
}

/** Target of the state after a row; `newer` is the entry above it, null for the newest one. */
export function positionOf(node: NodeRow, newer: TimelineEntry | null): string {
  switch (node.kind) {
    case 'start':
      return `${node.run.id}:start`
    case 'turn':
    case 'call':
      return node.turn ? `${node.turn.id}:end` : `${node.run.id}:end`
    case 'plan':
    case 'points':
      return `${node.run.id}:end`
    case 'point':
      return node.point.id
    case 'entry':
      if (node.entry.kind === 'run') return `${node.entry.id}:end`
      if (node.entry.kind === 'checkpoint') return node.entry.id
      // What a restore or an outside change left behind is what lay there when the next thing began.
      return newer ? beforeEntry(newer) : 'now'
  }
}

export type DiffQuestion = Omit<Params<'diff.files'>, 'workspace' | 'quick'>

/** What a row changed. null while that cannot be said yet: a turn whose details are on their way. */
export function diffOf(node: NodeRow, newer: TimelineEntry | null): DiffQuestion | null {
  if (isTurn(node)) {
    const turn = turnOfNode(node)
    return turn ? { target: turn.id, scope: 'turn' } : null
  }
  if (node.kind === 'point') return { target: node.before, to: node.point.id }
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
      // Only the first paths are named; with all of them known, later changes of other files stay out.
      return { target: entry.id, to, ...(entry.paths.length === entry.count ? { paths: entry.paths } : {}) }
    }
  }
}

/** Two rows in the order they are compared: older first, unless turned round. */
export function pairOf(a: NodeRow, b: NodeRow, swapped: boolean, rows: readonly Row[]): readonly [NodeRow, NodeRow] {
  const order = (node: NodeRow) => rows.findIndex((row) => row.key === node.key)
  return order(a) > order(b) === swapped ? [b, a] : [a, b]
}

export function compareOf([from, to]: readonly [NodeRow, NodeRow], rows: readonly Row[]): DiffQuestion {
  return { target: positionOf(from, newerThan(from, rows)), to: positionOf(to, newerThan(to, rows)) }
}

/** The entry above a row, null for the newest. */
export function newerThan(node: NodeRow, rows: readonly Row[]): TimelineEntry | null {
  const at = rows.findIndex((row) => row.key === node.key)
  for (let i = at - 1; i >= 0; i--) {
    const row = rows[i]
    if (row?.kind === 'entry') return row.entry
  }
  return null
}

/** "Restore to here": what was recorded at this point. A run or turn means its start. */
export function restoreOffer(node: NodeRow): Offer {
  if (node.kind === 'start')
    return { act: { kind: 'restore', target: `${node.run.id}:start` }, title: 'Restore to start…' }
  if (isTurn(node)) {
    const title = 'Restore to before this turn…'
    const turn = turnOfNode(node)
    return turn
      ? { act: { kind: 'restore', target: `${turn.id}:start` }, title }
      : { why: 'its details are still loading', title }
  }
  if (node.kind === 'point') {
    const title = 'Restore to here…'
    if (!node.point.restorable) return { why: node.point.why || 'it cannot be restored any more', title }
    return { act: { kind: 'restore', target: node.point.id }, title }
  }
  const entry = entryOf(node)
  switch (entry.kind) {
    case 'run':
      return { act: { kind: 'restore', target: `${entry.id}:start` }, title: 'Restore to start…' }
    case 'checkpoint':
      return { act: { kind: 'restore', target: entry.id }, title: 'Restore to here…' }
    case 'restore':
      return { act: { kind: 'restore', target: entry.id }, title: 'Restore to before this restore…' }
    case 'drift':
      return { act: { kind: 'restore', target: entry.id }, title: 'Restore to before this…' }
  }
}

/** "Undo this": take back only what this row did. */
export function undoOffer(node: NodeRow, status: WorkspaceStatus | null): Offer {
  if (isTurn(node)) {
    const title = 'Undo this turn…'
    const turn = turnOfNode(node)
    return turn ? { act: { kind: 'undo-run', run: turn.id }, title } : { why: 'its details are still loading', title }
  }
  if (node.kind === 'point') return { why: 'a checkpoint changes nothing', title: 'Undo…' }
  const entry = entryOf(node)
  switch (entry.kind) {
    case 'run': {
      const title = 'Undo this run…'
      if (entry.files === 0 && entry.state !== 'live') return { why: 'this run changed no files', title }
      if (entry.takenBack) return { why: 'this run is already taken back', title }
      return { act: { kind: 'undo-run', run: entry.id }, title }
    }
    case 'checkpoint':
      return { why: 'a checkpoint changes nothing', title: 'Undo…' }
    case 'restore': {
      const title = 'Undo this restore…'
      if (entry.undone) return { why: 'this restore is already undone', title }
      if (status?.undo?.restore === entry.id) return { act: { kind: 'undo' }, title }
      return { why: 'a newer restore has to be undone first', title }
    }
    case 'drift': {
      const title = 'Put back…'
      if (entry.state === 'put-back') return { why: 'it is already put back', title }
      return { act: { kind: 'drift', drift: entry.id }, title }
    }
  }
}

export function actOf(offer: Offer): Act | null {
  return 'act' in offer ? offer.act : null
}

export function whyNot(offer: Offer): string | null {
  return 'why' in offer ? offer.why : null
}

/** Heading of the stage for a row. */
export function nodeTitle(node: NodeRow): string {
  return turnOfNode(node)?.prompt || titleOf(entryOf(node))
}

/** What the command line calls it. */
export function idOf(node: NodeRow): string {
  if (node.kind === 'entry') return node.entry.id
  if (node.kind === 'point') return node.point.id
  return turnOfNode(node)?.id ?? (node.kind === 'start' ? `${node.run.id}:start` : node.run.id)
}

/** The point a row stands for in a comparison. */
export function pointTitle(node: NodeRow): string {
  if (node.kind === 'start') return `start of “${titleOf(node.run)}”`
  if (isTurn(node)) return `end of the turn “${nodeTitle(node)}”`
  if (node.kind === 'point') return `a checkpoint of “${titleOf(node.run)}”`
  const entry = entryOf(node)
  if (entry.kind === 'run') return `end of “${titleOf(entry)}”`
  return entry.kind === 'checkpoint' ? `“${titleOf(entry)}”` : `after “${titleOf(entry)}”`
}

/** Id of the run a row belongs to, null for other entries. */
export function runOf(node: NodeRow | null): string | null {
  if (!node) return null
  if (node.kind !== 'entry') return node.run.id
  return node.entry.kind === 'run' ? node.entry.id : null
}

/** The conversation a row is part of, null where there is none. */
export function sessionOf(node: NodeRow | null): string | null {
  if (!node) return null
  if (node.kind !== 'entry') return node.run.session
  if (node.entry.kind === 'run') return node.entry.session
  if (node.entry.kind === 'checkpoint') return node.entry.session
  return node.entry.kind === 'restore' ? (node.entry.conversation?.session ?? null) : null
}

/** Name of the button that undoes a row, null where there is nothing to undo. */
export function undoTitleOf(row: Row, status: WorkspaceStatus | null): string | null {
  if (!isNode(row)) return null
  const offer = undoOffer(row, status)
  return 'act' in offer ? offer.title : null
}
