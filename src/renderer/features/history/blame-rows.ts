/** Blame rows: each line of a file with its author, who is named once per block of adjacent lines. Pure. */
import type { BlameLine } from '../../../contract/log.ts'
import { versionWhen } from '../../../contract/words/versions.ts'

export interface BlameRow {
  readonly n: number
  readonly text: string
  /** Seq of the version that wrote the line; 0 is the initial snapshot. */
  readonly seq: number
  /** First line of its block, the only one that names the author. */
  readonly first: boolean
  readonly author: string
  readonly outside: boolean
  readonly when: string
  /** 1 for the oldest lines of the file, 4 for the newest. */
  readonly age: 1 | 2 | 3 | 4
}

/** Adjacent lines of one version, and the number of its lines elsewhere in the file. */
export interface BlameBlock {
  readonly from: number
  readonly to: number
  readonly more: number
}

export function blameRows(lines: readonly BlameLine[], now: number): readonly BlameRow[] {
  const seqs = [...new Set(lines.map((line) => line.seq))].sort((a, b) => a - b)
  const rank = new Map(seqs.map((seq, i) => [seq, i]))
  return lines.map((line, i) => {
    const above = lines[i - 1]
    return {
      n: line.n,
      text: line.text,
      seq: line.seq,
      first: above === undefined || above.seq !== line.seq,
      author: authorOf(line),
      outside: line.origin === 'outside',
      when: line.at === null ? '' : versionWhen({ at: line.at }, now),
      age: (1 + Math.round((3 * (rank.get(line.seq) ?? 0)) / Math.max(1, seqs.length - 1))) as BlameRow['age']
    }
  })
}

/** The block a row is in. */
export function blockAt(rows: readonly BlameRow[], index: number): BlameBlock {
  const seq = rows[index]?.seq
  let first = index
  while (first > 0 && rows[first - 1]?.seq === seq) first--
  let last = index
  while (rows[last + 1]?.seq === seq && last + 1 < rows.length) last++
  const all = rows.filter((row) => row.seq === seq).length
  return { from: rows[first]?.n ?? 0, to: rows[last]?.n ?? 0, more: all - (last - first + 1) }
}

/** "line 8", "lines 8 – 9 and 20 more" */
export function blockLabel({ from, to, more }: BlameBlock): string {
  return `${from === to ? `line ${from}` : `lines ${from} – ${to}`}${more > 0 ? ` and ${more} more` : ''}`
}

function authorOf({ origin, prompt }: BlameLine): string {
  if (origin === 'baseline') return 'initial snapshot'
  return origin === 'outside' ? 'outside' : prompt?.split('\n')[0] || 'Run without a prompt'
}
