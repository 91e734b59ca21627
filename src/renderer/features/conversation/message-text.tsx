/** The words of a message: plain text, code in its own type. Nothing in them is ever read as HTML. */
import { useState } from 'react'
import { bytes } from '../../../contract/sizes.ts'
import { Button } from '../../ui/button.tsx'
import { inlineParts, partsOf, shortened } from './text-parts.ts'

export function MessageText({ text }: { readonly text: string }) {
  const [whole, setWhole] = useState(false)
  const shown = whole ? text : shortened(text)
  return (
    <div className="words">
      {partsOf(shown).map((part, index) =>
        part.kind === 'code' ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text, never moved.
          <pre key={index}>{part.text}</pre>
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text, never moved.
          <p key={index} dir="auto">
            {inlineParts(part.text).map((piece, n) =>
              // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text, never moved.
              piece.code ? <code key={n}>{piece.text}</code> : <span key={n}>{piece.text}</span>
            )}
          </p>
        )
      )}
      {shown.length < text.length ? (
        <Button size="sm" onClick={() => setWhole(true)}>
          Show all {bytes(text.length)}
        </Button>
      ) : null}
    </div>
  )
}
