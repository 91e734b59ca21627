/** The timeline as a flat list of rows: days, entries, and below the open run its turns and its start. */
import type { RunEntry, TimelineEntry, Turn } from '../../../contract/domain.ts'
import { dayKey, dayName } from '../../ui/format.ts'

export type Row =
  | { readonly kind: 'day'; readonly key: string; readonly label: string; readonly at: number }
  | { readonly kind: 'entry'; readonly key: string; readonly entry: TimelineEntry; readonly open: boolean }
  /** `turn` null: known by number only, its details are on their way. */
  | { readonly kind: 'turn'; readonly key: string; readonly run: RunEntry; readonly turn: Turn | null }
  | { readonly kind: 'start'; readonly key: string; readonly run: RunEntry }

/** A row a person can select. */
export type NodeRow = Exclude<Row, { kind: 'day' }>

export interface OpenRun {
  readonly run: string
  readonly turns: readonly Turn[] | null
}

const MOST_PLACEHOLDERS = 50

/** Rows for entries that are newest first. A run with a single turn shows no turn row: the run says the same. */
export function rowsOf(entries: readonly TimelineEntry[], open: OpenRun | null, now: number): Row[] {
  const rows: Row[] = []
  let day = ''
  for (const entry of entries) {
    const key = dayKey(entry.at)
    if (key !== day) {
      day = key
      rows.push({ kind: 'day', key: `day-${key}`, label: dayName(entry.at, now), at: entry.at })
    }
    const isOpen = entry.kind === 'run' && open?.run === entry.id
    rows.push({ kind: 'entry', key: entry.id, entry, open: isOpen })
    if (isOpen) rows.push(...below(entry, open.turns))
  }
  return rows
}

function below(run: RunEntry, turns: readonly Turn[] | null): Row[] {
  const rows: Row[] = []
  if (turns) {
    const newestFirst = [...turns].sort((a, b) => b.startSeq - a.startSeq || b.at - a.at)
    if (newestFirst.length > 1) {
      for (const [i, turn] of newestFirst.entries()) {
        rows.push({ kind: 'turn', key: turnKey(run, newestFirst.length - i), run, turn })
      }
    }
  } else if (run.turns > 1) {
    for (let i = 0; i < Math.min(run.turns, MOST_PLACEHOLDERS); i++) {
      rows.push({ kind: 'turn', key: turnKey(run, run.turns - i), run, turn: null })
    }
  }
  rows.push({ kind: 'start', key: `${run.id}:start`, run })
  return rows
}

/** By number from the first turn: the row that waits for its details is the row that shows them. */
function turnKey(run: RunEntry, number: number): string {
  return `${run.id}-turn-${number}`
}

export function heightOf(row: Row): number {
  return row.kind === 'entry' ? 48 : 28
}
