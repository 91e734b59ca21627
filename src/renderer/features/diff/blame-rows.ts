/** The lines of a file with their writers, as rows: a writer is named once for lines that follow each other. Pure. */
import type { BlameLine } from '../../../contract/log.ts'
import { clock, dayInText } from '../../ui/format.ts'

export interface BlameRow {
  readonly n: number
  readonly text: string
  /** First line of its writer's block: the only one that names the writer. */
  readonly first: boolean
  readonly who: string
  readonly outside: boolean
  readonly when: string
  /** 1 for the oldest lines of the file, 4 for the newest. */
  readonly age: 1 | 2 | 3 | 4
}

export function blameRows(lines: readonly BlameLine[], now: number): readonly BlameRow[] {
  const seqs = [...new Set(lines.map((line) => line.seq))].sort((a, b) => a - b)
  const rank = new Map(seqs.map((seq, i) => [seq, i]))
  return lines.map((line, i) => {
    const above = lines[i - 1]
    return {
      n: line.n,
      text: line.text,
      first: above === undefined || above.seq !== line.seq,
      who: whoOf(line),
      outside: line.origin === 'outside',
      when: line.at === null ? '' : whenOf(line.at, now),
      age: (1 + Math.round((3 * (rank.get(line.seq) ?? 0)) / Math.max(1, seqs.length - 1))) as BlameRow['age']
    }
  })
}

function whoOf({ origin, prompt }: BlameLine): string {
  if (origin === 'baseline') return 'from the first copy'
  return origin === 'outside' ? 'outside' : prompt?.split('\n')[0] || 'a run'
}

/** The time of today, else the day. */
function whenOf(at: number, now: number): string {
  const day = dayInText(at, now)
  return day === 'today' ? clock(at) : day
}
