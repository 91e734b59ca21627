/** The text of a message, with code in monospace. Security: no part of it is parsed as HTML. */
import { useState } from 'react'
import { formatBytes } from '../../../contract/words/sizes.ts'
import { Button } from '../../ui/button.tsx'

export function MessageText({ text }: { readonly text: string }) {
  const [showAll, setShowAll] = useState(false)
  const shown = showAll ? text : shortenMessage(text)
  return (
    <div className="words">
      {splitMessage(shown).map((part, index) =>
        part.kind === 'code' ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text, never moved.
          <pre key={index}>{part.text}</pre>
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text, never moved.
          <p key={index} dir="auto">
            {splitInlineCode(part.text).map((piece, n) =>
              // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text, never moved.
              piece.code ? <code key={n}>{piece.text}</code> : <span key={n}>{piece.text}</span>
            )}
          </p>
        )
      )}
      {shown.length < text.length ? (
        <Button size="sm" onClick={() => setShowAll(true)}>
          Show all {formatBytes(text.length)}
        </Button>
      ) : null}
    </div>
  )
}

/** Part of a message: fenced blocks and `inline code` are code, as in CommonMark; other Markdown stays as written. */
type TextPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'code'; readonly text: string; readonly language: string }

const FENCE = /^ {0,3}(`{3,}|~{3,})(.*)$/

/** Splits a message at its fenced blocks. A block without an end counts, because the message may still grow. */
export function splitMessage(message: string): TextPart[] {
  const parts: TextPart[] = []
  let lines: string[] = []
  let fence: { readonly mark: string; readonly language: string } | null = null
  const endPart = () => {
    const text = lines.join('\n')
    lines = []
    if (fence) parts.push({ kind: 'code', text, language: fence.language })
    else if (text.trim() !== '') parts.push({ kind: 'text', text: text.replace(/^\n+|\n+$/g, '') })
  }
  for (const line of message.split('\n')) {
    const [, mark = '', rest = ''] = FENCE.exec(line) ?? []
    if (!fence && mark !== '') {
      endPart()
      fence = { mark, language: rest.trim() }
    } else if (fence && mark.startsWith(fence.mark) && rest.trim() === '') {
      endPart()
      fence = null
    } else lines.push(line)
  }
  if (fence || lines.length > 0) endPart()
  return parts
}

/** Splits a text at its inline code, which is enclosed in single backticks. */
export function splitInlineCode(text: string): { readonly text: string; readonly code: boolean }[] {
  return text
    .split(/(`[^`\n]+`)/)
    .filter((piece) => piece !== '')
    .map((piece) =>
      piece.length > 2 && piece.startsWith('`') && piece.endsWith('`')
        ? { text: piece.slice(1, -1), code: true }
        : { text: piece, code: false }
    )
}

/** Longer messages are cut off until the user shows all of them. */
export const MAX_SHOWN_CHARS = 4000

/** The start of a long message, cut at a line end if one is near the limit. */
export function shortenMessage(message: string): string {
  if (message.length <= MAX_SHOWN_CHARS) return message
  const line = message.lastIndexOf('\n', MAX_SHOWN_CHARS)
  return message.slice(0, line > MAX_SHOWN_CHARS / 2 ? line : MAX_SHOWN_CHARS)
}
