/** The text of a message, with code in monospace. Security: no part of it is parsed as HTML. */
import { useState } from 'react'
import { formatBytes } from '../../../contract/words/sizes.ts'
import { Button } from '../../ui/button.tsx'
import { shortenMessage, splitInlineCode, splitMessage } from './text-parts.ts'

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
