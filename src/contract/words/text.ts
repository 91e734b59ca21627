/** Sentences and lists built from parts. */
import { formatNumber } from './numbers.ts'

/** Shortens one line to `width` characters with an ellipsis; at least one character stays. */
export function clip(text: string, width: number): string {
  const characters = [...text]
  return characters.length <= width ? text : `${characters.slice(0, Math.max(1, width - 1)).join('')}…`
}

/** The first line with text in it: it stands for a prompt, which can be pages long. */
export function firstLine(text: string): string {
  return text.trimStart().split('\n', 1)[0]?.trimEnd() ?? ''
}

/** "a", "a and b", "a, b and c". */
export function listAll(names: readonly string[], conjunction: 'and' | 'or' = 'and'): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} ${conjunction} ${names.at(-1)}`
}

/** "a", "a, b", "a, b and 3 more". `total` counts all names when `names` holds only the first of them. */
export function listSome(names: readonly string[], shown: number, total = names.length): string {
  if (total <= shown) return names.join(', ')
  return `${names.slice(0, shown).join(', ')} and ${formatNumber(total - shown)} more`
}

/** In straight quotation marks, and with none inside, where they could not be paired. */
export function quotedTitle(title: string): string {
  return `"${title.replaceAll('"', "'")}"`
}

/** Typographic quotation marks instead of straight ones. */
export function withCurlyQuotes(title: string): string {
  return title.replace(/"([^"]*)"/g, '“$1”')
}

export function withFullStop(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`
}

export function capitalized(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`
}

/** Capitalised and ended by a full stop, unless the text has an end of its own. */
export function asSentence(text: string): string {
  return withFullStop(capitalized(text))
}
