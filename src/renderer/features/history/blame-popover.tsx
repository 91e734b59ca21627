/** A popover over the blame view: who wrote the selected lines and why, with links to the run and the change. */
import { useEffect, useLayoutEffect, useRef } from 'react'
import { createPortal } from 'react-dom'
import type { PathVersion } from '../../../contract/log.ts'
import { versionAuthor, versionTitle, versionWhen } from '../../../contract/words/versions.ts'
import { AgentTile } from '../../ui/agent.tsx'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { overlayRoot } from '../../ui/overlay-root.ts'
import { type BlameBlock, blockLabel } from './blame-rows.ts'

interface BlamePopoverProps {
  readonly version: PathVersion
  readonly block: BlameBlock
  readonly anchor: DOMRect
  readonly now: number
  /** Why nothing can be written now, null while connected. */
  readonly offline: string | null
  /** Selects an entry of the timeline. */
  readonly onShowEntry: (entry: string) => void
  readonly onShowChange: () => void
  /** Undoes the version's changes in this file; null if not offered. */
  readonly undo: { readonly label: string; readonly run: () => void } | null
  readonly onClose: () => void
}

/** Distance from the right edge, px, so that the selected lines stay readable. */
const RIGHT_MARGIN = 64
/** Longer prompts are cut off; the conversation shows all of it. */
const MAX_QUOTED_CHARS = 240

export function BlamePopover({
  version,
  block,
  anchor,
  now,
  offline,
  onShowEntry,
  onShowChange,
  undo,
  onClose
}: BlamePopoverProps) {
  const box = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const element = box.current
    if (!element) return
    const opener = document.activeElement
    const { width, height } = element.getBoundingClientRect()
    element.style.left = `${Math.max(8, innerWidth - width - RIGHT_MARGIN)}px`
    element.style.top = `${Math.max(8, Math.min(anchor.bottom + 4, innerHeight - height - 8))}px`
    element.querySelector('button')?.focus()
    return () => {
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus()
    }
  }, [anchor])
  useEffect(() => {
    const closeOutside = (event: PointerEvent) => {
      if (event.target instanceof Node && !box.current?.contains(event.target)) onClose()
    }
    document.addEventListener('pointerdown', closeOutside, true)
    return () => document.removeEventListener('pointerdown', closeOutside, true)
  }, [onClose])

  const { entry, agent, prompt } = version
  const restOfPrompt = prompt?.split('\n').slice(1).join('\n').trim() ?? ''
  const byline = [versionAuthor(version), versionWhen(version, now), blockLabel(block)].filter(Boolean).join(', ')
  return createPortal(
    <div
      className="pop tip"
      role="dialog"
      aria-label={`${blockLabel(block)}, ${versionTitle(version)}`}
      ref={box}
      onKeyDown={(event) => {
        event.stopPropagation()
        const buttons = [...(box.current?.querySelectorAll<HTMLElement>('button') ?? [])]
        const at = buttons.indexOf(document.activeElement as HTMLElement)
        if (event.key === 'Escape') onClose()
        else if (event.key === 'Tab')
          buttons[(at + (event.shiftKey ? -1 : 1) + buttons.length) % buttons.length]?.focus()
        else return
        event.preventDefault()
      }}
    >
      <b dir="auto">{versionTitle(version)}</b>
      <div className="by">
        {agent ? (
          <AgentTile agent={agent} />
        ) : (
          <Icon name={version.origin === 'outside' ? 'person' : 'file'} size="s" />
        )}
        <span>{byline}</span>
      </div>
      {restOfPrompt === '' ? null : (
        <p dir="auto">
          “… {restOfPrompt.slice(0, MAX_QUOTED_CHARS)}
          {restOfPrompt.length > MAX_QUOTED_CHARS ? '…' : ''}”
        </p>
      )}
      <div className="row tip-acts">
        {entry ? (
          <Button size="sm" onClick={() => onShowEntry(entry)}>
            {agent ? 'Open run' : 'Show in timeline'}
          </Button>
        ) : null}
        {version.origin === 'baseline' ? null : (
          <Button size="sm" onClick={onShowChange}>
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
