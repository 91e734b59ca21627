/** A plan that can be restored: its files, the conversation, and the preview of the selected file. */
import { useEffect, useMemo, useRef, useState } from 'react'
import type { PreviewSide, RestorePlan, RestoreRequest } from '../../../contract/restore.ts'
import type { WorkspaceId } from '../../../contract/workspace.ts'
import { layoutNow } from '../../state/layout.ts'
import { announce } from '../../ui/live-region.tsx'
import { Splitter } from '../../ui/splitter.tsx'
import { ConversationChoice, ConversationPreview } from './conversation-choice.tsx'
import { GitChoice } from './git-choice.tsx'
import type { Parts } from './plan-rows.ts'
import { RestoreList, type RestoreListHandle } from './restore-list.tsx'
import { RestorePreview, sideOptions } from './restore-preview.tsx'
import type { RestoreState } from './use-restore.ts'

interface PlannedFilesProps {
  readonly workspace: WorkspaceId
  readonly request: RestoreRequest
  readonly state: RestoreState
  readonly plan: RestorePlan
  readonly parts: Parts
}

export function PlannedFiles({ workspace, request, state, plan, parts }: PlannedFilesProps) {
  const [picked, setPicked] = useState<string | null>(null)
  const [side, setSide] = useState<PreviewSide>('result')
  const list = useRef<RestoreListHandle>(null)
  const preview = useRef<HTMLDivElement>(null)
  const rows = useMemo(() => [...parts.decisions, ...parts.changes, ...parts.cannot], [parts])
  const row = rows.find(({ id }) => id === picked) ?? rows[0] ?? null

  // The list takes focus when it appears, unless a person has moved the focus.
  useEffect(() => {
    if (!document.activeElement || document.activeElement.matches('body, .restore-frame')) list.current?.focus()
  }, [])

  const showNextSide = () => {
    const options = sideOptions(request)
    const next = options[(options.findIndex(({ value }) => value === side) + 1) % options.length]
    if (!next) return
    setSide(next.value)
    announce(`${next.label}.`)
  }
  const enterPreview = () =>
    preview.current
      ?.querySelector<HTMLElement>('[role="radio"][tabindex="0"], .monaco-editor textarea, .native-edit-context')
      ?.focus()

  const noFiles = plan.items.length === 0
  const { width, splitter } = useListWidth()
  return (
    <div className="restore-body" style={{ '--list': `${width}px` }} inert={state.progress !== null}>
      <div className="restore-side" id="restore-list">
        {noFiles ? (
          <p className="restore-none muted">No files change.</p>
        ) : (
          <RestoreList
            ref={list}
            parts={parts}
            selected={row?.id ?? null}
            onSelect={setPicked}
            onResolve={state.resolve}
            onNextSide={showNextSide}
            onEnter={enterPreview}
          />
        )}
        <GitChoice items={plan.git} chosen={state.git} onChoose={state.chooseGit} />
        <ConversationChoice plan={plan} mode={state.mode} onMode={request.kind === 'restore' ? state.setMode : null} />
      </div>
      {splitter}
      <div className="restore-preview" ref={preview}>
        {noFiles && plan.conversation ? (
          <ConversationPreview plan={plan.conversation} mode={plan.mode} />
        ) : (
          <RestorePreview
            workspace={workspace}
            request={request}
            plan={plan}
            row={row}
            side={side}
            onSide={setSide}
            onResolve={(choice) => {
              setSide('result')
              if (row) state.resolve([row.id], choice)
            }}
          />
        )}
      </div>
    </div>
  )
}

const LIST = { min: 260, max: 960 } as const
const WIDTH_KEY = 'driftline.restore.list'

/** Width of the list until a person changes it, px. */
function defaultWidth(): number {
  return layoutNow() === 'wide' ? Math.round(Math.min(640, Math.max(388, innerWidth * 0.28))) : 300
}

/** The list's width, px, and the border that changes it. The browser stores what a person chose. */
function useListWidth() {
  const [chosen, setChosen] = useState(() => Number(localStorage.getItem(WIDTH_KEY)) || null)
  const [initial, setInitial] = useState(defaultWidth)
  useEffect(() => {
    const resized = () => setInitial(defaultWidth())
    addEventListener('resize', resized)
    return () => removeEventListener('resize', resized)
  }, [])
  const width = chosen ?? initial
  const splitter = (
    <Splitter
      label="Width of the list of files"
      controls="restore-list"
      value={width}
      {...LIST}
      initial={initial}
      onChange={(next) => {
        localStorage.setItem(WIDTH_KEY, String(next))
        setChosen(next)
      }}
    />
  )
  return { width, splitter }
}
