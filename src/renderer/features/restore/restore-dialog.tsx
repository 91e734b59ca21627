/** The preview of every write to disk: what changes, what needs a decision, and what cannot be restored. */
import { type KeyboardEvent, type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import type { PlanWarning, RestorePlan, RestoreRequest } from '../../../contract/restore.ts'
import { formatNumber } from '../../../contract/words/numbers.ts'
import { warningText } from '../../../contract/words/plan.ts'
import { dialogIntro, dialogTitle, momentText, restoredText, resultText } from '../../../contract/words/restores.ts'
import { withCurlyQuotes } from '../../../contract/words/text.ts'
import { clockWithDay } from '../../../contract/words/times.ts'
import type { WorkspaceId } from '../../../contract/workspace.ts'
import { paneAction } from '../../commands/pane-keys.ts'
import { Blank } from '../../ui/blank.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Icon } from '../../ui/icon.tsx'
import { announce } from '../../ui/live-region.tsx'
import { preloadMonaco } from '../diff/load-monaco.ts'
import { changesNothing } from './plan-rows.ts'
import { PlannedFiles } from './planned-files.tsx'
import { blockedReason, RestoreFooter } from './restore-footer.tsx'
import { RestoreOutcome, ResumePanel } from './restore-outcome.tsx'
import { type RestoreEnds, type RestoreState, useRestore } from './use-restore.ts'
import './restore.css'

interface RestoreDialogProps extends RestoreEnds {
  readonly workspace: WorkspaceId
  /** What to restore or undo. A dialog serves one request: a new request needs a new `key`. */
  readonly request: RestoreRequest
  /** Hands out the plan that was requested before the dialog was drawn, if there is one. */
  readonly firstPlan?: () => Promise<RestorePlan> | null
  readonly onClose: () => void
  /** Undoes the last restore, once the dialog is closed. */
  readonly onUndo?: () => void
}

export function RestoreDialog(props: RestoreDialogProps) {
  const { workspace, request, firstPlan, onClose, onUndo, onDone, onQueued } = props
  const state = useRestore(workspace, request, { onDone, onQueued }, firstPlan)
  const { base, parts, progress, result, tally, withConversation } = state
  const frame = useRef<HTMLDivElement>(null)
  useEffect(() => preloadMonaco(), [])
  const resumable = result?.state === 'done' ? result.conversation : null

  useFocusInDialog(frame, state)

  const finish = () => {
    if (result && (resumable || [...result.items, ...result.git].some((item) => item.result === 'done'))) onDone(result)
    else onClose()
  }
  const close = progress ? undefined : result ? finish : onClose

  const undoOutcome = () => {
    if (result?.state === 'partial') return state.undoAll()
    if (result?.state !== 'done' || !onUndo) return
    finish()
    onUndo()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const action = paneAction('dialogs', event.nativeEvent, true)
    if (action !== 'confirm' && action !== 'undo') return
    event.preventDefault()
    event.stopPropagation()
    if (action === 'undo') undoOutcome()
    else if (result) {
      if (resumable) finish()
      else if (result.state !== 'nothing-to-do' && result.state !== 'interrupted') state.retry()
    } else if (tally.changes || withConversation || state.git.length > 0) state.apply()
    else announce(`${blockedReason(state) ?? 'Nothing to change'}.`, 'assertive')
  }

  return (
    <Dialog
      labelledBy="restore-title"
      describedBy="restore-intro"
      role={parts && parts.decisions.length > 0 ? 'alertdialog' : 'dialog'}
      className="dialog restore"
      initialFocus=".restore-frame"
      {...(close ? { onClose: close } : {})}
    >
      <div
        className="dialog-frame restore-frame"
        tabIndex={-1}
        ref={frame}
        data-small={result !== null || (base && changesNothing(base)) || undefined}
        onKeyDownCapture={onKeyDown}
      >
        <header className="row">
          <div className="grow">
            <h1 id="restore-title" className="restore-title">
              {resumable && result ? `Restored ${restoredText(result)}` : dialogTitle(request, base)}
            </h1>
            <p className="muted" id="restore-intro">
              {introText(request, state, resumable !== null)}
            </p>
          </div>
          <ThenNowArc then={base?.targetAt == null ? 'then' : clockWithDay(base.targetAt)} />
        </header>
        {shownWarnings(state).map((warning) => (
          <div className="notice restore-notice restore-notice-line" data-tone="warn" key={warning.code}>
            <Icon name="warn" />
            <span>{withCurlyQuotes(warningText(warning))}</span>
          </div>
        ))}
        {resumable ? (
          <ResumePanel conversation={resumable} />
        ) : result ? (
          <RestoreOutcome result={result} />
        ) : (
          <Plan workspace={workspace} request={request} state={state} />
        )}
        <RestoreFooter request={request} state={state} onClose={onClose} onFinish={finish} />
      </div>
    </Dialog>
  )
}

/** Which runs it undoes is a question before a restore; afterwards the timeline marks them. */
function shownWarnings({ base, result }: RestoreState): readonly PlanWarning[] {
  return result ? result.warnings.filter(({ code }) => code !== 'undoes-runs') : (base?.warnings ?? [])
}

/**
 * The frame holds the focus while the plan loads, because keys that come before the list has taken the focus must reach
 * the dialog. A button that disappears after its action would drop the focus out of the dialog.
 */
function useFocusInDialog(frame: RefObject<HTMLElement | null>, state: RestoreState): void {
  const { live, stale, result, progress, error } = state
  // biome-ignore lint/correctness/useExhaustiveDependencies: these make buttons appear and disappear.
  useLayoutEffect(() => {
    const box = frame.current
    if (!box || progress || (document.activeElement !== document.body && document.activeElement)) return
    const next = result ? 'footer .btn.primary, footer .btn' : '.restore-list [tabindex="0"], footer .btn'
    box.querySelector<HTMLElement>(next)?.focus()
  }, [live, stale, result, progress, error])
}

interface PlanProps {
  readonly workspace: WorkspaceId
  readonly request: RestoreRequest
  readonly state: RestoreState
}

/** What will be written: nothing yet, nothing at all, or files. */
function Plan({ workspace, request, state }: PlanProps) {
  const { base, parts, error } = state
  if (!base || !parts) return <PendingPlan failed={error !== null} />
  if (!changesNothing(base))
    return <PlannedFiles workspace={workspace} request={request} state={state} plan={base} parts={parts} />
  return (
    <Blank className="restore-empty" icon="okc" title="Nothing to restore.">
      <p>
        All files already match{base.targetAt == null ? '' : ` the version ${momentText(request, base)}`}
        {base.unchanged > 0 ? ` (${formatNumber(base.unchanged)} checked)` : ''}.
      </p>
    </Blank>
  )
}

function introText(request: RestoreRequest, state: RestoreState, resumable: boolean): string {
  const { base, tally, withConversation, result } = state
  if (resumable) return 'The previous versions are saved, so you can undo this later.'
  if (result) return resultText(result).safe
  if (!base) return state.error ? 'Nothing was written.' : 'Comparing with the disk…'
  return changesNothing(base)
    ? 'Nothing to change.'
    : dialogIntro(request, base, tally.writes, withConversation, state.git.length)
}

function PendingPlan({ failed }: { readonly failed: boolean }) {
  if (failed) {
    return (
      <Blank className="restore-empty" icon="stop" title="Couldn’t create the preview.">
        <p>Nothing was written or lost.</p>
      </Blank>
    )
  }
  return (
    <div className="blank restore-empty">
      <p className="late">Comparing with the disk…</p>
    </div>
  )
}

/** Decoration: a line from now back to the target; the undone part is dotted. */
function ThenNowArc({ then }: { readonly then: string }) {
  return (
    <svg className="restore-loop" viewBox="0 0 112 44" role="img" aria-label={`From now back to ${then}`}>
      <path className="restore-loop-off" d="M16 20H96" />
      <path d="M96 20C78 20 84 5 56 5S34 20 18 20" />
      <circle cx="96" cy="20" r="3.5" className="restore-loop-end" />
      <circle cx="16" cy="20" r="4.5" />
      <text x="16" y="40">
        {then}
      </text>
      <text x="96" y="40">
        now
      </text>
    </svg>
  )
}
