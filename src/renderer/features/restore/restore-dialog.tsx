/** The preview of everything that writes to disk: what will change, what needs a decision, and what cannot go back. */
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react'
import type { Client } from '../../../contract/api.ts'
import type { Act, PreviewSide, RestoreResult } from '../../../contract/restore.ts'
import type { WorkspaceId } from '../../../contract/workspace.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { curly } from '../../ui/format.ts'
import { Icon } from '../../ui/icon.tsx'
import { matchesKeys } from '../../ui/keys.ts'
import { announce } from '../../ui/live-region.tsx'
import { warmMonaco } from '../diff/load-monaco.ts'
import { GoOn } from './go-on.tsx'
import { type PlanRow, tallyOf } from './plan-rows.ts'
import { RestoreFooter } from './restore-footer.tsx'
import { RestoreList, type RestoreListHandle } from './restore-list.tsx'
import { RestoreOutcome } from './restore-outcome.tsx'
import { RestorePreview } from './restore-preview.tsx'
import { clock, introWords, momentWords, titleWords } from './restore-words.ts'
import { nextSide, sideOptions } from './side-words.ts'
import { TalkChoice, TalkPreview } from './talk-choice.tsx'
import { movesTalk, restoredWords } from './talk-words.ts'
import { ThenNowArc } from './then-now-arc.tsx'
import { useRestore } from './use-restore.ts'
import './restore.css'

export interface RestoreDialogProps {
  readonly client: Client
  readonly workspace: WorkspaceId
  /** What to write back. A dialog serves one act: give it a key when the act changes. */
  readonly act: Act
  readonly onClose: () => void
  /** After a restore that wrote something or ended for good. */
  readonly onDone: (result: RestoreResult) => void
}

const NOTHING = { restores: 0, merges: 0, keeps: 0, cannot: 0, writes: 0 }

export function RestoreDialog({ client, workspace, act, onClose, onDone }: RestoreDialogProps) {
  const state = useRestore(client, workspace, act, onDone)
  const { base, parts, error, progress, result } = state
  const [picked, setPicked] = useState<string | null>(null)
  const [side, setSide] = useState<PreviewSide>('result')
  const list = useRef<RestoreListHandle>(null)
  const preview = useRef<HTMLDivElement>(null)
  const waiting = useRef<HTMLDivElement>(null)
  const frame = useRef<HTMLDivElement>(null)
  useEffect(warmMonaco, [])

  const rows = useMemo<readonly Exclude<PlanRow, { kind: 'section' }>[]>(
    () => (parts ? [...parts.decisions, ...parts.changes, ...parts.cannot] : []),
    [parts]
  )
  const row = rows.find((one) => one.id === picked) ?? rows[0] ?? null
  const tally = parts ? tallyOf(parts) : NOTHING
  const talk = movesTalk(base)
  // With a conversation to choose about, that nothing changes is one of the choices.
  const nothing = base !== null && base.items.length === 0 && !base.conversation
  const goesOn = result?.state === 'done' ? result.conversation : null
  const hasConflicts = (parts?.decisions.length ?? 0) > 0

  // Focus opens on the list as soon as there is one, unless a person has gone elsewhere meanwhile.
  const ready = parts !== null && !nothing
  useEffect(() => {
    const at = document.activeElement
    if (ready && (at === document.body || at === waiting.current || at === null)) list.current?.focus()
  }, [ready])

  // A button that did its work goes away; focus then goes on to what comes next, never out of the dialog.
  // biome-ignore lint/correctness/useExhaustiveDependencies: these are what make buttons come and go.
  useEffect(() => {
    const box = frame.current
    if (!box || progress || (document.activeElement !== document.body && document.activeElement)) return
    const next = result ? 'footer .btn.primary, footer .btn' : '.rlist [tabindex="0"], footer .btn'
    box.querySelector<HTMLElement>(next)?.focus()
  }, [state.live, state.stale, result, progress, error])

  const leave = () => {
    if (result && (goesOn || result.items.some((item) => item.result === 'done'))) onDone(result)
    else onClose()
  }
  const close = progress ? undefined : result ? leave : onClose

  const key = (event: KeyboardEvent) => {
    const plain = !event.metaKey && !event.ctrlKey && !event.altKey
    if (plain && event.key.toLowerCase() === 'v' && list.current?.holds(event.target)) {
      const next = nextSide(side)
      setSide(next)
      announce(`${sideOptions(act).find(({ value }) => value === next)?.label ?? ''}.`)
    }
    if (!matchesKeys('Mod+Enter', event.nativeEvent)) return
    event.preventDefault()
    event.stopPropagation()
    if (result) {
      if (goesOn) leave()
      else if (result.state !== 'nothing-to-do' && result.state !== 'interrupted') state.retry()
    } else if (tally.writes > 0 || talk) state.apply()
  }

  const then = base?.targetAt == null ? 'then' : clock(base.targetAt)
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
              {goesOn && result ? `Restored ${restoredWords(doneFiles(result), result)}` : titleWords(act, base)}
            </h1>
            <p className="muted" id="restore-intro">
              {goesOn
                ? 'What was there before is kept: undo brings all of it back, now or from the timeline.'
                : nothing
                  ? 'Nothing would change.'
                  : base
                    ? introWords(act, base, tally.writes, talk)
                    : error
                      ? 'Nothing was written.'
                      : 'Looking at what is on disk…'}
            </p>
          </div>
          <ThenNowArc then={then} />
        </header>
        {base?.warnings.map((warning) => (
          <div className="notice warn" key={warning}>
            <Icon name="warn" />
            <span>{curly(warning)}</span>
          </div>
        ))}
        {goesOn ? (
          <GoOn conversation={goesOn} />
        ) : result ? (
          <RestoreOutcome result={result} />
        ) : nothing ? (
          <div className="blank rempty rwait" tabIndex={-1} ref={waiting}>
            <Icon name="okc" size="big" />
            <h3>There is nothing to restore.</h3>
            <p>
              Every file is already as it was{base?.targetAt == null ? '' : ` ${momentWords(act, base)}`}
              {base && base.unchanged > 0 ? ` (${base.unchanged.toLocaleString('en-US')} looked at)` : ''}.
            </p>
          </div>
        ) : !parts ? (
          <div className="blank rempty rwait" tabIndex={-1} ref={waiting}>
            {error ? (
              <>
                <Icon name="stop" size="big" />
                <h3>The preview could not be made.</h3>
                <p>Nothing was written, and nothing was lost.</p>
              </>
            ) : (
              <p className="late">Looking at what is on disk…</p>
            )}
          </div>
        ) : (
          <div className="rbody" inert={progress !== null}>
            <div className="rside">
              {base && base.items.length === 0 ? (
                <p className="rnone muted">No file changes.</p>
              ) : (
                <RestoreList
                  ref={list}
                  parts={parts}
                  selected={row?.id ?? null}
                  onSelect={setPicked}
                  onChoose={state.choose}
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
                <TalkChoice plan={base} mode={state.mode} onMode={act.kind === 'restore' ? state.setMode : null} />
              ) : null}
            </div>
            <div className="rhold" ref={preview}>
              {base && base.items.length === 0 && base.conversation ? (
                <TalkPreview plan={base.conversation} mode={base.mode} />
              ) : (
                <RestorePreview
                  client={client}
                  workspace={workspace}
                  act={act}
                  row={row}
                  version={base?.plan ?? ''}
                  when={base ? momentWords(act, base) : ''}
                  side={side}
                  onSide={setSide}
                  onChoose={(choice) => {
                    setSide('result')
                    if (row) state.choose([row.id], choice)
                  }}
                />
              )}
            </div>
          </div>
        )}
        <RestoreFooter act={act} state={state} tally={tally} talk={talk} onClose={onClose} onLeave={leave} />
      </div>
    </Dialog>
  )
}

function doneFiles(result: RestoreResult): number {
  return result.items.filter((item) => item.result === 'done' && item.action !== 'keep').length
}
