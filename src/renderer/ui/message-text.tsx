/** The text of a message: code in monospace and, in answers, Markdown. Security: no part of it is parsed as HTML. */
import { Fragment, useState } from 'react'
import { formatBytes } from '../../contract/words/sizes.ts'
import { Button } from './button.tsx'
import { type Block, type Piece, splitBlocks, splitInline } from './message-markdown.ts'

interface MessageTextProps {
  readonly text: string
  /** An agent wrote it: its Markdown is drawn. What a person typed is shown as typed. */
  readonly formatted?: boolean
}

export function MessageText({ text, formatted = false }: MessageTextProps) {
  const [showAll, setShowAll] = useState(false)
  const shown = showAll ? text : shortenMessage(text)
  return (
    <div className="words">
      {splitMessage(shown).map((part, index) =>
        part.kind === 'code' ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text, never moved.
          <pre key={index}>{part.text}</pre>
        ) : formatted ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text, never moved.
          <Blocks key={index} text={part.text} />
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text, never moved.
          <p key={index} dir="auto">
            <Inline text={part.text} />
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

function Blocks({ text }: { readonly text: string }) {
  return splitBlocks(text).map((block, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text, never moved.
    <BlockView key={index} block={block} />
  ))
}

function BlockView({ block }: { readonly block: Block }) {
  if (block.kind === 'list') {
    return (
      <ul>
        {block.items.map(({ level, number, text }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text, never moved.
          <li key={index} dir="auto" style={{ '--level': level }} data-mark={number === null ? '•' : `${number}.`}>
            <Inline text={text} formatted />
          </li>
        ))}
      </ul>
    )
  }
  return (
    <p dir="auto" data-heading={block.kind === 'heading' || undefined}>
      <Inline text={block.text} formatted />
    </p>
  )
}

/** A sentence: what is between backticks is drawn as code. */
export function Inline({ text, formatted = false }: MessageTextProps) {
  if (!formatted) return <Code text={text} />
  return splitInline(text).map((piece, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text, never moved.
    <Fragment key={index}>{drawn(piece)}</Fragment>
  ))
}

function Code({ text }: { readonly text: string }) {
  return splitInlineCode(text).map((piece, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text, never moved.
    <Fragment key={index}>{piece.code ? <code>{piece.text}</code> : piece.text}</Fragment>
  ))
}

function drawn({ text, style, url }: Piece) {
  switch (style) {
    case 'plain':
      return text
    case 'code':
      return <code>{text}</code>
    case 'strong':
      return (
        <b>
          <Code text={text} />
        </b>
      )
    case 'emphasis':
      return (
        <em>
          <Code text={text} />
        </em>
      )
    case 'link':
      // Its address is shown and not opened: an agent chose it.
      return (
        <span className="words-link" title={url}>
          <Code text={text} />
        </span>
      )
  }
}

/** Part of a message: fenced blocks and `inline code` are code, as in CommonMark. */
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
