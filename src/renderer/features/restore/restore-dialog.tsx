/** The preview of every write to disk: what changes, what needs a decision, and what cannot be restored. */

import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react'
import type { Client } from '../../../contract/api.ts'
import type { PreviewSide, RestoreRequest, RestoreResult } from '../../../contract/restore.ts'
import { changesConversation, restoredText } from '../../../contract/words/conversation.ts'
import { warningText } from '../../../contract/words/plan.ts'
import { dialogIntro, dialogTitle, momentText } from '../../../contract/words/restore-dialog.ts'
import { withCurlyQuotes } from '../../../contract/words/text.ts'
import { clockWithDay } from '../../../contract/words/times.ts'
import type { WorkspaceId } from '../../../contract/workspace.ts'
import { paneAction } from '../../commands/pane-keys.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Icon } from '../../ui/icon.tsx'
import { announce } from '../../ui/live-region.tsx'
import { preloadMonaco } from '../diff/load-monaco.ts'
import { ConversationChoice, ConversationPreview } from './conversation-choice.tsx'
import { type PlanRow, tallyOf } from './plan-rows.ts'
import { nextSide, sideOptions } from './preview-sides.ts'
import { RestoreFooter } from './restore-footer.tsx'
import { RestoreList, type RestoreListHandle } from './restore-list.tsx'
import { RestoreOutcome, ResumePanel } from './restore-outcome.tsx'
import { RestorePreview } from './restore-preview.tsx'
import { ThenNowArc } from './then-now-arc.tsx'
import { useRestore } from './use-restore.ts'
import './restore.css'

export interface RestoreDialogProps {
  readonly client: Client
  readonly workspace: WorkspaceId
  /** What to restore or undo. A dialog serves one request: a new request needs a new `key`. */
  readonly request: RestoreRequest
  readonly onClose: () => void
  /** Called after a restore that wrote something or cannot be retried. */
  readonly onDone: (result: RestoreResult) => void
}

const NOTHING = { restores: 0, merges: 0, keeps: 0, cannot: 0, writes: 0 }

export function RestoreDialog({ client, workspace, request, onClose, onDone }: RestoreDialogProps) {
  const state = useRestore(client, workspace, request, onDone)
  const { base, parts, error, progress, result } = state
  const [picked, setPicked] = useState<string | null>(null)
  const [side, setSide] = useState<PreviewSide>('result')
  const list = useRef<RestoreListHandle>(null)
  const preview = useRef<HTMLDivElement>(null)
  const waiting = useRef<HTMLDivElement>(null)
  const frame = useRef<HTMLDivElement>(null)
  useEffect(preloadMonaco, [])

  const rows = useMemo<readonly Exclude<PlanRow, { kind: 'section' }>[]>(
    () => (parts ? [...parts.decisions, ...parts.changes, ...parts.cannot] : []),
    [parts]
  )
  const row = rows.find(({ id }) => id === picked) ?? rows[0] ?? null
  const tally = parts ? tallyOf(parts) : NOTHING
  const withConversation = changesConversation(base)
  // With a conversation, restoring no files is still a valid choice.
  const nothing = base !== null && base.items.length === 0 && !base.conversation
  const resumable = result?.state === 'done' ? result.conversation : null
  const hasConflicts = (parts?.decisions.length ?? 0) > 0

  // The list takes focus when it appears, unless a person has moved the focus.
  const ready = parts !== null && !nothing
  useEffect(() => {
    const at = document.activeElement
    if (ready && (at === document.body || at === waiting.current || at === null)) list.current?.focus()
  }, [ready])

  // A button that disappears after its action would drop the focus out of the dialog.
  // biome-ignore lint/correctness/useExhaustiveDependencies: these make buttons appear and disappear.
  useEffect(() => {
    const box = frame.current
    if (!box || progress || (document.activeElement !== document.body && document.activeElement)) return
    const next = result ? 'footer .btn.primary, footer .btn' : '.rlist [tabindex="0"], footer .btn'
    box.querySelector<HTMLElement>(next)?.focus()
  }, [state.live, state.stale, result, progress, error])

  const finish = () => {
    if (result && (resumable || result.items.some((item) => item.result === 'done'))) onDone(result)
    else onClose()
  }
  const close = progress ? undefined : result ? finish : onClose

  const key = (event: KeyboardEvent) => {
    const action = paneAction('dialogs', event.nativeEvent, true)
    if (action === 'next-side' && list.current?.holds(event.target)) {
      const next = nextSide(side)
      setSide(next)
      announce(`${sideOptions(request).find(({ value }) => value === next)?.label ?? ''}.`)
    }
    if (action !== 'confirm') return
    event.preventDefault()
    event.stopPropagation()
    if (result) {
      if (resumable) finish()
      else if (result.state !== 'nothing-to-do' && result.state !== 'interrupted') state.retry()
    } else if (tally.writes > 0 || withConversation) state.apply()
  }

  const then = base?.targetAt == null ? 'then' : clockWithDay(base.targetAt)
  return (
    <Dialog
      labelledBy="restore-title"
      describedBy="restore-intro"
      role={hasConflicts ? 'alertdialog' : 'dialog'}
      className="dialog restore"
      initialFocus=".rwait"
      {...(close ? { onClose: close } : {})}
    >
      <div className="dialog-frame rframe" ref={frame} onKeyDownCapture={key}>
        <header className="row">
          <div className="grow">
            <h1 id="restore-title" className="ell">
              {resumable && result ? `Restored ${restoredText(doneFiles(result), result)}` : dialogTitle(request, base)}
            </h1>
            <p className="muted" id="restore-intro">
              {resumable
                ? 'The previous versions are saved. You can undo this now or later from the timeline.'
                : nothing
                  ? 'Nothing to change.'
                  : base
                    ? dialogIntro(request, base, tally.writes, withConversation)
                    : error
                      ? 'Nothing was written.'
                      : 'Comparing with the disk…'}
            </p>
          </div>
          <ThenNowArc then={then} />
        </header>
        {base?.warnings.map((warning) => (
          <div className="notice warn" key={warning.code}>
            <Icon name="warn" />
            <span>{withCurlyQuotes(warningText(warning))}</span>
          </div>
        ))}
        {resumable ? (
          <ResumePanel conversation={resumable} />
        ) : result ? (
          <RestoreOutcome result={result} />
        ) : nothing ? (
          <div className="blank rempty rwait" tabIndex={-1} ref={waiting}>
            <Icon name="okc" size="big" />
            <h3>Nothing to restore.</h3>
            <p>
              All files already match{base?.targetAt == null ? '' : ` the version ${momentText(request, base)}`}
              {base && base.unchanged > 0 ? ` (${base.unchanged.toLocaleString('en-US')} checked)` : ''}.
            </p>
          </div>
        ) : !parts ? (
          <div className="blank rempty rwait" tabIndex={-1} ref={waiting}>
            {error ? (
              <>
                <Icon name="stop" size="big" />
                <h3>Couldn’t create the preview.</h3>
                <p>Nothing was written or lost.</p>
              </>
            ) : (
              <p className="late">Comparing with the disk…</p>
            )}
          </div>
        ) : (
          <div className="rbody" inert={progress !== null}>
            <div className="rside">
              {base && base.items.length === 0 ? (
                <p className="rnone muted">No files change.</p>
              ) : (
                <RestoreList
                  ref={list}
                  parts={parts}
                  selected={row?.id ?? null}
                  onSelect={setPicked}
                  onResolve={state.resolve}
                  onEnter={() =>
                    preview.current
                      ?.querySelector<HTMLElement>(
                        '[role="radio"][tabindex="0"], .monaco-editor textarea, .native-edit-context'
                      )
                      ?.focus()
                  }
                />
              )}
              {base ? (
                <ConversationChoice
                  plan={base}
                  mode={state.mode}
                  onMode={request.kind === 'restore' ? state.setMode : null}
                />
              ) : null}
            </div>
            <div className="rhold" ref={preview}>
              {base && base.items.length === 0 && base.conversation ? (
                <ConversationPreview plan={base.conversation} mode={base.mode} />
              ) : (
                <RestorePreview
                  client={client}
                  workspace={workspace}
                  request={request}
                  row={row}
                  version={base?.plan ?? ''}
                  when={base ? momentText(request, base) : ''}
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
        )}
        <RestoreFooter
          request={request}
          state={state}
          tally={tally}
          withConversation={withConversation}
          onClose={onClose}
          onFinish={finish}
        />
      </div>
    </Dialog>
  )
}

function doneFiles(result: RestoreResult): number {
  return result.items.filter((item) => item.result === 'done' && item.action !== 'keep').length
}
