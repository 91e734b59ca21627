/** A message as plain text and code: fenced blocks and `ticks` are told apart, nothing else of the markup is read. Pure. */

export type TextPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'code'; readonly text: string; readonly language: string }

const FENCE = /^ {0,3}(`{3,}|~{3,})(.*)$/

/** Fenced blocks, also one that never ends: a message may still be on its way. */
export function partsOf(message: string): TextPart[] {
  const parts: TextPart[] = []
  let lines: string[] = []
  let fence: { readonly mark: string; readonly language: string } | null = null
  const flush = () => {
    const text = lines.join('\n')
    lines = []
    if (fence) parts.push({ kind: 'code', text, language: fence.language })
    else if (text.trim() !== '') parts.push({ kind: 'text', text: text.replace(/^\n+|\n+$/g, '') })
  }
  for (const line of message.split('\n')) {
    const [, mark = '', rest = ''] = FENCE.exec(line) ?? []
    if (!fence && mark !== '') {
      flush()
      fence = { mark, language: rest.trim() }
    } else if (fence && mark.startsWith(fence.mark) && rest.trim() === '') {
      flush()
      fence = null
    } else lines.push(line)
  }
  if (fence || lines.length > 0) flush()
  return parts
}

/** Pieces of a text: what stands between single ticks is code. */
export function inlineParts(text: string): { readonly text: string; readonly code: boolean }[] {
  return text
    .split(/(`[^`\n]+`)/)
    .filter((piece) => piece !== '')
    .map((piece) =>
      piece.length > 2 && piece.startsWith('`') && piece.endsWith('`')
        ? { text: piece.slice(1, -1), code: true }
        : { text: piece, code: false }
    )
}

/** More than this is cut until somebody asks for all of it. */
export const SHOWN_CHARS = 4000

/** The first part of a long message, cut at a line where there is one near. */
export function shortened(message: string): string {
  if (message.length <= SHOWN_CHARS) return message
  const line = message.lastIndexOf('\n', SHOWN_CHARS)
  return message.slice(0, line > SHOWN_CHARS / 2 ? line : SHOWN_CHARS)
}
