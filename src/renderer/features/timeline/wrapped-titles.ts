/**
 * Which entries of the timeline have a title in two lines: their rows are higher, and rows that are out of view have no
 * layout, so the titles are measured.
 */
import type { TimelineEntry } from '../../../contract/timeline.ts'
import { formatNumber } from '../../../contract/words/numbers.ts'
import { entryTitle } from '../../../contract/words/timeline.ts'
import { clock } from '../../../contract/words/times.ts'
import { textWidth } from '../../ui/text-width.ts'

/** What a row has beside its title and the time, px: padding of the list, rail, gap, padding of the row. */
const BESIDE_PX = 8 + 36 + 8 + 8
/** The mark of a note or of comments beside the title, px: a gap, the margin, an icon. */
const MARK_PX = 8 + 8 + 12
/** Between the icon of comments and their number, px. */
const NUMBER_GAP_PX = 3
/** A longer title is wider than any row. */
const MOST_CHARACTERS = 200

/**
 * `listWidth`: without its scrollbar, px; 0 while it is not known: every title has one line then. `comments`: the number of
 * unresolved ones, by entry.
 */
export function wrapsTitle(
  listWidth: number,
  comments: Readonly<Record<string, number>>
): (entry: TimelineEntry) => boolean {
  if (listWidth === 0) return () => false
  const { fontFamily } = getComputedStyle(document.body)
  // As if selected: a row keeps its height when it is.
  const title = `600 13px ${fontFamily}`
  const time = `400 11px ${fontFamily}`
  return (entry) => {
    // The row of an outside change is drawn with a bend of one height, and its title is short.
    if (entry.kind === 'drift') return false
    const note = entry.kind === 'run' && entry.userNote !== '' ? MARK_PX : 0
    const count = comments[entry.id] ?? 0
    const chat = count > 0 ? MARK_PX + NUMBER_GAP_PX + textWidth(formatNumber(count), time) : 0
    const room = listWidth - BESIDE_PX - textWidth(clock(entry.at), time) - note - chat
    return textWidth(entryTitle(entry).slice(0, MOST_CHARACTERS), title) > room
  }
}
