/** What a resolution does to the lines of a conflicting file. Pure. */
import type { ConflictCause, Resolution } from '../restore.ts'
import { plural } from './numbers.ts'
import { listAll } from './text.ts'

/** A later line of another writer: its number in the file, and whether a person here wrote it. */
interface OtherLine {
  readonly line: number
  readonly yours: boolean
}

interface Lines {
  /** Later lines of others; null if unknown. */
  readonly own: { readonly lines: readonly OtherLine[] } | null
  /** From the version on disk to the result. */
  readonly counts: { readonly added: number; readonly deleted: number } | null
}

/** "your 2 lines", "1 line written by others". */
export function othersLines(lines: readonly OtherLine[]): string {
  const n = plural(lines.length, 'line')
  return lines.every(({ yours }) => yours) ? `your ${n}` : `${n} written by others`
}

export function consequenceText(resolution: Resolution, { own, counts }: Lines, cause?: ConflictCause): string {
  const lines = own?.lines ?? []
  if (cause === 'other-version' && resolution === 'merge')
    return counts
      ? `Adds ${plural(counts.added, 'line')} and deletes ${plural(counts.deleted, 'line')}; what differs here stays.`
      : 'Makes the changes of the run; what differs here stays.'
  switch (resolution) {
    case 'keep':
      return 'Nothing changes on disk; nothing is lost.'
    case 'replace':
      return lines.length === 0
        ? 'Replaces the whole file. The current version is saved first; undo restores it.'
        : `Replace removes ${othersLines(lines)} (${lineRanges(lines.map(({ line }) => line))}). Undo restores ${lines.length === 1 ? 'it' : 'them'}.`
    case 'merge': {
      const kept = lines.length > 0 ? `; ${othersLines(lines)} ${lines.length === 1 ? 'stays' : 'stay'}` : ''
      if (!counts) return `Changes only the undone lines${kept}.`
      const { added, deleted } = counts
      return `Removes ${plural(deleted, 'line')} and restores ${plural(added, 'line')}${kept}.`
    }
  }
}

const MOST_PLACES = 4

/** "line 7", "lines 33–34 and 40", "lines 1, 3, 5, 7 and more". */
export function lineRanges(lines: readonly number[]): string {
  const ranges: [number, number][] = []
  for (const line of lines) {
    const last = ranges.at(-1)
    if (last && line === last[1] + 1) last[1] = line
    else ranges.push([line, line])
  }
  const words = ranges.slice(0, MOST_PLACES).map(([from, to]) => (from === to ? `${from}` : `${from}–${to}`))
  if (ranges.length > MOST_PLACES) return `lines ${words.join(', ')} and more`
  return `${lines.length === 1 ? 'line' : 'lines'} ${listAll(words)}`
}
