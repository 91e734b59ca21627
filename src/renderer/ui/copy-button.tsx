/** Copies a text and confirms it on the button. */
import { useState } from 'react'
import { Button } from './button.tsx'
import { announce } from './live-region.tsx'

interface CopyButtonProps {
  readonly label: string
  readonly text: string
  readonly kind?: 'ghost' | 'primary'
}

export function CopyButton({ label, text, kind }: CopyButtonProps) {
  const [copied, setCopied] = useState('')
  const done = copied === text
  return (
    <Button
      size="sm"
      icon={done ? 'check' : 'copy'}
      {...(kind ? { kind } : {})}
      onClick={() => {
        void navigator.clipboard?.writeText(text).then(() => {
          setCopied(text)
          announce('Copied.')
        })
      }}
    >
      {done ? 'Copied' : label}
    </Button>
  )
}
