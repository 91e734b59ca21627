/** Copies a text and says on the button whether that was possible. */
import { useState } from 'react'
import { Button } from './button.tsx'
import { copyText } from './clipboard.ts'
import { announce } from './live-region.tsx'

interface CopyButtonProps {
  readonly label: string
  readonly text: string
  readonly kind?: 'ghost' | 'primary'
}

export function CopyButton({ label, text, kind }: CopyButtonProps) {
  const [result, setResult] = useState({ text: '', error: '' })
  const tried = result.text === text
  const failed = tried && result.error !== ''
  return (
    <Button
      size="sm"
      icon={failed ? 'warn' : tried ? 'check' : 'copy'}
      {...(failed ? { 'data-tip': result.error } : {})}
      {...(kind ? { kind } : {})}
      onClick={() => {
        copyText(text).then(
          () => {
            setResult({ text, error: '' })
            announce('Copied.')
          },
          ({ message }: Error) => {
            setResult({ text, error: message })
            announce(message, 'assertive')
          }
        )
      }}
    >
      {failed ? 'Couldn’t copy' : tried ? 'Copied' : label}
    </Button>
  )
}
