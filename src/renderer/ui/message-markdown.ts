/**
 * The Markdown that agents write most: headings, lists, inline code, emphasis and links. Anything else stays as written,
 * and no character of a text is lost but the marks. Pure.
 */

interface ListItem {
  /** Depth of nesting, from 0. */
  readonly level: number
  /** null for a bullet. */
  readonly number: number | null
  readonly text: string
}

export type Block =
  | { readonly kind: 'paragraph' | 'heading'; readonly text: string }
  | { readonly kind: 'list'; readonly items: readonly ListItem[] }

const HEADING = /^ {0,3}#{1,6}\s+(.*?)\s*#*$/
const ITEM = /^(\s*)(?:[-*+]|(\d{1,9})[.)])\s+(.*)$/
const INDENT = 2
const MAX_LEVEL = 4

/** Splits a text without fenced code. Lines that belong to nothing else are paragraphs, with their line ends. */
export function splitBlocks(text: string): Block[] {
  const blocks: Block[] = []
  let paragraph: string[] = []
  let items: ListItem[] = []
  const endParagraph = () => {
    if (paragraph.length > 0) blocks.push({ kind: 'paragraph', text: paragraph.join('\n') })
    paragraph = []
  }
  const endList = () => {
    if (items.length > 0) blocks.push({ kind: 'list', items })
    items = []
  }
  for (const line of text.split('\n')) {
    const [, heading] = HEADING.exec(line) ?? []
    const [, indent = '', number, item] = ITEM.exec(line) ?? []
    const last = items.at(-1)
    if (line.trim() === '') endParagraph()
    else if (heading !== undefined) {
      endParagraph()
      endList()
      blocks.push({ kind: 'heading', text: heading })
    } else if (item !== undefined) {
      endParagraph()
      const level = Math.min(MAX_LEVEL, Math.floor(indent.length / INDENT))
      const isNumbered = number !== undefined
      if (level === 0 && items[0] && isNumbered !== (items[0].number !== null)) endList()
      items.push({ level, number: isNumbered ? Number(number) : null, text: item })
    } else if (last && /^\s/.test(line)) items[items.length - 1] = { ...last, text: `${last.text}\n${line.trim()}` }
    else {
      endList()
      paragraph.push(line)
    }
  }
  endParagraph()
  endList()
  return blocks
}

export interface Piece {
  readonly text: string
  /** Emphasised text may hold code, whose marks it keeps. */
  readonly style: 'plain' | 'code' | 'strong' | 'emphasis' | 'link'
  /** Of a link. */
  readonly url?: string
}

/** Lengths are bounded, so that a mark without a partner costs little. */
const CODE = '`([^`\\n]{1,500})`'
const STRONG = String.raw`\*\*(?=\S)(.{1,500}?)(?<=\S)\*\*`
/** A mark within a word, as in snake_case or 2*3, is a character. */
const STAR = String.raw`(?<![\w*])\*(?=[^\s*])([^*\n]{0,300}[^\s*])\*(?![\w*])`
const UNDERSCORE = String.raw`(?<!\w)_(?=[^\s_])([^_\n]{0,300}[^\s_])_(?!\w)`
const LINK = String.raw`\[([^\]\n]{1,300})\]\(([^)\s]{1,2000})\)`
const INLINE = new RegExp([CODE, STRONG, STAR, UNDERSCORE, LINK].join('|'), 'g')

/** Splits a text at its code, emphasis and links. */
export function splitInline(text: string): Piece[] {
  const pieces: Piece[] = []
  let at = 0
  for (const match of text.matchAll(INLINE)) {
    if (match.index > at) pieces.push({ text: text.slice(at, match.index), style: 'plain' })
    pieces.push(pieceOf(match))
    at = match.index + match[0].length
  }
  if (at < text.length) pieces.push({ text: text.slice(at), style: 'plain' })
  return pieces
}

function pieceOf([, code, strong, star, underscore, link, url = '']: RegExpExecArray): Piece {
  if (code !== undefined) return { text: code, style: 'code' }
  if (strong !== undefined) return { text: strong, style: 'strong' }
  const emphasis = star ?? underscore
  return emphasis === undefined ? { text: link ?? '', style: 'link', url } : { text: emphasis, style: 'emphasis' }
}
