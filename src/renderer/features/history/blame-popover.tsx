/** A popover over the blame view: who wrote the selected lines and why, with links to the run and the change. */
import { type KeyboardEvent, useMemo } from 'react'
import type { PathVersion } from '../../../contract/log.ts'
import type { RestoreRequest } from '../../../contract/restore.ts'
import { versionAuthor, versionTitle, versionWhen } from '../../../contract/words/versions.ts'
import { restoreUnavailable } from '../../state/derived.ts'
import { useOpenWorkspace, useWorkspaceState } from '../../state/open-workspace.tsx'
import { AgentTile } from '../../ui/agent.tsx'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Popover } from '../../ui/popover.tsx'
import { useNow } from '../../ui/use-now.ts'
import { type BlameBlock, blockLabel } from './blame-rows.ts'
import type { FileHistory } from './use-file-history.ts'

interface BlamePopoverProps {
  readonly version: PathVersion
  readonly block: BlameBlock
  readonly anchor: DOMRect
  readonly history: FileHistory
  readonly onClose: () => void
}

/** Distance from the right edge, px, so that the selected lines stay readable. */
const RIGHT_MARGIN = 64
/** From the authors to its right edge, px: beside lines of 80 characters, also in a wide window. */
const MOST_TO_RIGHT = 1200
/** Longer prompts are cut off; the conversation shows all of it. */
const MAX_QUOTED_CHARS = 240

export function BlamePopover({ version, block, anchor, history, onClose }: BlamePopoverProps) {
  const now = useNow('minute')
  const place = useMemo(
    () => new DOMRect(anchor.x, anchor.y, Math.min(MOST_TO_RIGHT, innerWidth - RIGHT_MARGIN - anchor.x), anchor.height),
    [anchor]
  )
  const { agent, prompt } = version
  const restOfPrompt = prompt?.split('\n').slice(1).join('\n').trim() ?? ''
  const byline = [versionAuthor(version), versionWhen(version, now), blockLabel(block)].filter(Boolean).join(', ')
  return (
    <Popover
      role="dialog"
      aria-label={`${blockLabel(block)}, ${versionTitle(version)}`}
      className="tip"
      anchor={place}
      align="right"
      initialFocus={['button']}
      onKeyDown={keepTabInside}
      onClose={onClose}
    >
      <b dir="auto">{versionTitle(version)}</b>
      <div className="tip-by">
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
      <VersionLinks version={version} history={history} onClose={onClose} />
    </Popover>
  )
}

/** To the run or the change that wrote the lines, and its undo. */
function VersionLinks({ version, history, onClose }: Pick<BlamePopoverProps, 'version' | 'history' | 'onClose'>) {
  const { actions } = useOpenWorkspace()
  const unavailable = useWorkspaceState(restoreUnavailable)
  const undo = undoRequest(version, history.path)
  const { entry, agent } = version
  const afterClose = (act: () => void) => () => {
    onClose()
    act()
  }
  return (
    <div className="row tip-acts">
      {entry ? (
        <Button size="sm" onClick={() => actions.showEntry(entry)}>
          {agent ? 'Open run' : 'Show in timeline'}
        </Button>
      ) : null}
      {version.origin === 'baseline' ? (
        <Button size="sm" onClick={onClose}>
          Close
        </Button>
      ) : (
        <Button size="sm" onClick={afterClose(() => history.select(version.seq, 'change'))}>
          Show change
        </Button>
      )}
      <span className="grow" />
      {undo ? (
        <Button
          size="sm"
          kind="ghost"
          icon="undo"
          disabledReason={unavailable}
          onClick={afterClose(() => actions.openPreview(undo))}
        >
          Undo in this file…
        </Button>
      ) : null}
    </div>
  )
}

function keepTabInside(event: KeyboardEvent<HTMLElement>): void {
  event.stopPropagation()
  if (event.key !== 'Tab') return
  const buttons = [...event.currentTarget.querySelectorAll<HTMLElement>('button')]
  const at = buttons.indexOf(document.activeElement as HTMLElement)
  buttons[(at + (event.shiftKey ? -1 : 1) + buttons.length) % buttons.length]?.focus()
  event.preventDefault()
}

/** The request that undoes a version's changes in this file; null if they cannot be undone. */
function undoRequest({ origin, run, entry, drift, inForce }: PathVersion, path: string): RestoreRequest | null {
  if (!inForce) return null
  if (origin === 'agent' && run) return { kind: 'undo-run', run, paths: [path] }
  return drift === 'open' && entry ? { kind: 'drift', drift: entry, paths: [path] } : null
}
