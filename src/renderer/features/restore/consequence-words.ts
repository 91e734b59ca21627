/** What a choice does to the lines of a file in conflict: which are lost, which come back, which stay. Pure. */
import type { Choice } from '../../../contract/restore.ts'
import type { OwnLines } from '../diff/own-lines.ts'
import { count } from '../files/file-words.ts'

interface Lines {
  /** What others wrote since; null when it cannot be told. */
  readonly own: OwnLines | null
  /** On disk now -> after. */
  readonly counts: { readonly added: number; readonly deleted: number } | null
}

/** "your 2 lines", "1 line of others". */
export function ofOthers(lines: OwnLines['lines']): string {
  const n = count(lines.length, 'line')
  return lines.every(({ yours }) => yours) ? `your ${n}` : `${n} of others`
}

export function consequenceWords(choice: Choice, { own, counts }: Lines): string {
  const lines = own?.lines ?? []
  switch (choice) {
    case 'keep':
      return 'Nothing changes on disk; nothing is lost.'
    case 'replace':
      return lines.length === 0
        ? 'The whole file becomes what it was then. What is there now is kept first; Undo returns it.'
        : `Replace drops ${ofOthers(lines)}: ${placeWords(lines.map(({ line }) => line))}. What is there now is kept first; Undo returns it.`
    case 'merge': {
      const stays = lines.length > 0 ? `; ${ofOthers(lines)} ${lines.length === 1 ? 'stays' : 'stay'}` : ''
      if (!counts) return `Only what goes back changes${stays}.`
      const { added, deleted } = counts
      const goes = `${count(deleted, 'line')} ${deleted === 1 ? 'goes' : 'go'}`
      return `${goes}, ${count(added, 'line')} ${added === 1 ? 'comes' : 'come'} back${stays}.`
    }
  }
}

const MOST_PLACES = 4

/** "line 7", "lines 33–34 and 40", "lines 1, 3, 5, 7 and more". */
export function placeWords(lines: readonly number[]): string {
  const ranges: [number, number][] = []
  for (const line of lines) {
    const last = ranges.at(-1)
    if (last && line === last[1] + 1) last[1] = line
    else ranges.push([line, line])
  }
  const words = ranges.slice(0, MOST_PLACES).map(([from, to]) => (from === to ? `${from}` : `${from}–${to}`))
  if (ranges.length > MOST_PLACES) return `lines ${words.join(', ')} and more`
  const all = words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`
  return `${lines.length === 1 ? 'line' : 'lines'} ${all}`
}
