/** Over the text: who wrote some lines, why, and the ways on from there. */
import { useEffect, useLayoutEffect, useRef } from 'react'
import { createPortal } from 'react-dom'
import type { PathVersion } from '../../../contract/log.ts'
import { Who } from '../../ui/agent.tsx'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { overlayRoot } from '../../ui/overlay-root.ts'
import { type Block, blockWords } from './blame-rows.ts'
import { versionBy, versionTitle, versionWhen } from './version-words.ts'

interface LineTipProps {
  readonly version: PathVersion
  readonly block: Block
  readonly anchor: DOMRect
  readonly now: number
  /** Why nothing can be written now, null when it can. */
  readonly offline: string | null
  /** Shows its entry in the timeline. */
  readonly onEntry: (entry: string) => void
  readonly onChange: () => void
  /** Takes it back in this file; null when that is not offered. */
  readonly undo: { readonly label: string; readonly run: () => void } | null
  readonly onClose: () => void
}

/** From the right edge, px: the lines that are told of stay readable. */
const BESIDE = 64
/** Of a long prompt the beginning; the conversation has it all. */
const MOST_QUOTED = 240

export function LineTip({ version, block, anchor, now, offline, onEntry, onChange, undo, onClose }: LineTipProps) {
  const box = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const element = box.current
    if (!element) return
    const opener = document.activeElement
    const { width, height } = element.getBoundingClientRect()
    element.style.left = `${Math.max(8, innerWidth - width - BESIDE)}px`
    element.style.top = `${Math.max(8, Math.min(anchor.bottom + 4, innerHeight - height - 8))}px`
    element.querySelector('button')?.focus()
    return () => {
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus()
    }
  }, [anchor])
  useEffect(() => {
    const away = (event: PointerEvent) => {
      if (event.target instanceof Node && !box.current?.contains(event.target)) onClose()
    }
    document.addEventListener('pointerdown', away, true)
    return () => document.removeEventListener('pointerdown', away, true)
  }, [onClose])

  const { entry, agent, prompt } = version
  const rest = prompt?.split('\n').slice(1).join('\n').trim() ?? ''
  const by = [versionBy(version), versionWhen(version, now), blockWords(block)].filter(Boolean).join(', ')
  return createPortal(
    <div
      className="pop tip"
      role="dialog"
      aria-label={`${blockWords(block)}, ${versionTitle(version)}`}
      ref={box}
      onKeyDown={(event) => {
        event.stopPropagation()
        const all = [...(box.current?.querySelectorAll<HTMLElement>('button') ?? [])]
        const at = all.indexOf(document.activeElement as HTMLElement)
        if (event.key === 'Escape') onClose()
        else if (event.key === 'Tab') all[(at + (event.shiftKey ? -1 : 1) + all.length) % all.length]?.focus()
        else return
        event.preventDefault()
      }}
    >
      <b dir="auto">{versionTitle(version)}</b>
      <div className="by">
        {agent ? <Who agent={agent} /> : <Icon name={version.origin === 'outside' ? 'person' : 'file'} size="s" />}
        <span>{by}</span>
      </div>
      {rest === '' ? null : (
        <p dir="auto">
          “… {rest.slice(0, MOST_QUOTED)}
          {rest.length > MOST_QUOTED ? '…' : ''}”
        </p>
      )}
      <div className="row tip-acts">
        {entry ? (
          <Button size="sm" onClick={() => onEntry(entry)}>
            {agent ? 'Open run' : 'Show in timeline'}
          </Button>
        ) : null}
        {version.origin === 'baseline' ? null : (
          <Button size="sm" onClick={onChange}>
            Show change
          </Button>
        )}
        {version.origin === 'baseline' ? (
          <Button size="sm" onClick={onClose}>
            Close
          </Button>
        ) : null}
        <span className="grow" />
        {undo ? (
          <Button size="sm" kind="ghost" icon="undo" disabledReason={offline} onClick={undo.run}>
            {undo.label}
          </Button>
        ) : null}
      </div>
    </div>,
    overlayRoot()
  )
}
