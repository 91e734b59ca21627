/** What a resolution does to the lines of a conflicting file. Pure. */
import type { Conflict, Resolution, RestoreRequest } from '../restore.ts'
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

const LABELS: Readonly<Record<Resolution, string>> = { keep: 'Keep mine', merge: 'Merge', replace: 'Replace' }

export function resolutionLabel(resolution: Resolution, { deletes }: Pick<Conflict, 'deletes'>): string {
  return resolution === 'replace' && deletes ? 'Delete' : LABELS[resolution]
}

const OF_BUNDLE: Readonly<Record<Resolution, string>> = {
  keep: 'Leave the file as it is on disk',
  merge: 'Make the changes of the run and keep what differs here. No conflicts',
  replace: 'Use the file of the bundle. The current version is saved first'
}

/** The request is about hunks or lines, not about whole files. */
export function isOfParts(request: RestoreRequest): boolean {
  return ('hunks' in request && request.hunks !== undefined) || ('lines' in request && request.lines !== undefined)
}

/** What a resolution means, beside its label. `when`: "at 14:02", "before 14:02", or "" when the target has no time. */
export function resolutionText(
  resolution: Resolution,
  request: RestoreRequest,
  { cause, choices, deletes }: Pick<Conflict, 'cause' | 'choices' | 'deletes'>,
  when: string,
  lines: readonly OtherLine[]
): string {
  if (cause === 'other-version')
    return resolution === 'replace' && deletes
      ? 'The run deleted it. The current version is saved first'
      : OF_BUNDLE[resolution]
  switch (resolution) {
    case 'keep':
      return choices.length === 1 && isOfParts(request)
        ? 'Leave the file as it is on disk. Later edits overlap with this change, so only the whole file can be undone'
        : 'Leave the file as it is on disk'
    case 'merge': {
      const yours = lines.length > 0 ? othersLines(lines) : 'others’ edits'
      return `${choices.includes('replace') ? 'Undo only these changes' : 'Undo this change'} and keep ${yours}. No conflicts`
    }
    case 'replace': {
      const before = request.kind === 'undo-run' ? 'before these edits' : when
      const version = request.kind === 'undo-run' ? `from ${before}` : before || 'from then'
      return deletes
        ? `It did not exist ${before || 'then'}. The current version is saved first`
        : `Use the version ${version}. The current version is saved first`
    }
  }
}

export function consequenceText(
  resolution: Resolution,
  { own, counts }: Lines,
  { cause, deletes }: Partial<Pick<Conflict, 'cause' | 'deletes'>> = {}
): string {
  const lines = own?.lines ?? []
  if (cause === 'other-version' && resolution === 'merge')
    return counts
      ? `Adds ${plural(counts.added, 'line')} and deletes ${plural(counts.deleted, 'line')}; what differs here stays.`
      : 'Makes the changes of the run; what differs here stays.'
  switch (resolution) {
    case 'keep':
      return 'Nothing changes on disk; nothing is lost.'
    case 'replace':
      if (deletes) return 'Deletes the file. The current version is saved first; undo restores it.'
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
