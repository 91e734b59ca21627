/** The foot of the dialog: blockers, progress or result, and the buttons. */
import type { RestoreRequest } from '../../../contract/restore.ts'
import { formatNumber, plural } from '../../../contract/words/numbers.ts'
import { confirmLabel, confirmVerb, liveRunText, resultText } from '../../../contract/words/restores.ts'
import { Button } from '../../ui/button.tsx'
import { CloseFooter } from '../../ui/dialog.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Meter } from '../../ui/meter.tsx'
import type { Progress } from './dialog-state.ts'
import { changesNothing, tallyParts } from './plan-rows.ts'
import type { RestoreState } from './use-restore.ts'

interface RestoreFooterProps {
  readonly request: RestoreRequest
  readonly state: RestoreState
  readonly onClose: () => void
  /** Closes the dialog after a result. */
  readonly onFinish: () => void
}

export function RestoreFooter(props: RestoreFooterProps) {
  const { request, state, onClose } = props
  const { base, live, stale, error, result, progress, tally, withConversation } = state
  if (progress) return <Applying progress={progress} />
  if (result) return <Ending {...props} result={result} />
  if (base && changesNothing(base) && !error) return <CloseFooter keys="Escape" onClose={onClose} />
  const blocked = blockedReason(state)
  return (
    <>
      <Blocker state={state} />
      <footer>
        {stale ? (
          <Button icon="redo" onClick={state.refresh}>
            Refresh preview
          </Button>
        ) : live && live !== 'override' ? (
          <>
            <Button onClick={() => state.chooseLive('queue')} disabledReason={live === 'ask' ? null : 'Already chosen'}>
              When it stops
            </Button>
            <Button onClick={() => state.chooseLive('override')}>Restore anyway…</Button>
          </>
        ) : (
          <span className="muted num tally">
            {base && !(withConversation && base.items.length === 0)
              ? tallyParts(tally, state.git.length).map(({ text, stays }) => (
                  <span className={stays ? 'tally-part stays' : 'tally-part'} key={text}>
                    {text}
                  </span>
                ))
              : null}
          </span>
        )}
        <span className="grow" />
        <Button size="lg" keys="Escape" onClick={onClose}>
          Cancel
        </Button>
        <Button size="lg" kind="primary" keys="Mod+Enter" disabledReason={blocked} onClick={state.apply}>
          {base ? confirmLabel(request, tally.writes, withConversation, state.git.length) : confirmVerb(request)}
          {live === 'queue' ? ' when it stops' : ''}
        </Button>
      </footer>
    </>
  )
}

/** What keeps the plan from being restored now: a failure, a newer plan, or a live run. */
function Blocker({ state: { error, stale, live, base, refresh } }: { readonly state: RestoreState }) {
  if (error)
    return (
      <div className="notice restore-notice" data-tone="danger" role="alert">
        <Icon name="stop" />
        <span>{error}</span>
        <span className="grow" />
        <Button size="sm" onClick={refresh}>
          Retry
        </Button>
      </div>
    )
  if (stale)
    return (
      <div className="notice restore-notice restore-notice-line" data-tone="warn" role="alert">
        <Icon name="warn" />
        <span>{stale} Nothing was written.</span>
      </div>
    )
  if (!live || !base) return null
  return (
    <div className="notice restore-notice" data-tone="live" role="status">
      <span className="led" data-tone="live" />
      <span>
        {live === 'queue' ? 'Once confirmed, it is applied when the run stops, even if this window is closed. ' : ''}
        {liveRunText(base.live.length > 0 ? base.live : [{ run: '', title: '', agent: '' }])}
      </span>
    </div>
  )
}

/** Why the restore cannot be confirmed now, null if it can. */
export function blockedReason(state: RestoreState): string | null {
  if (state.stale) return 'Refresh the preview first'
  if (state.live === 'ask') return 'Choose when it stops, or restore anyway'
  if (!state.base || state.base.mode !== state.mode) return 'The preview is loading'
  if (state.isLoadingGit) return 'The preview is loading'
  return !state.tally.changes && !state.withConversation && state.git.length === 0 ? 'Nothing to change' : null
}

const PHASE: Readonly<Record<Progress['phase'], string>> = { stage: 'Preparing', write: 'Writing', verify: 'Checking' }

/** A restore cannot be cancelled: once it writes, it must finish to keep the files consistent. */
function Applying({ progress }: { readonly progress: Progress }) {
  const { done, total, phase, path } = progress
  return (
    <footer className="applying">
      <div className="grow">
        <div className="row small">
          <span className="num nowrap">
            {total > 0 ? `${formatNumber(done)} of ${plural(total, 'file')}` : `${PHASE[phase]}…`}
          </span>
          <span className="mono cap muted ell">{path}</span>
          <span className="grow" />
          <span className="muted nowrap">
            {total > 0 ? `${PHASE[phase]}; ` : ''}
            {phase === 'stage' ? 'nothing is written yet' : 'cannot be stopped now'}
          </span>
        </div>
        <Meter label="Restoring" value={done} max={total} size="lg" />
      </div>
      <Button size="lg" disabledReason="Cannot be stopped now">
        Cancel
      </Button>
    </footer>
  )
}

interface EndingProps extends RestoreFooterProps {
  readonly result: NonNullable<RestoreState['result']>
}

function Ending({ result, state, onFinish }: EndingProps) {
  const written = [...result.items, ...result.git].some((item) => item.result === 'done')
  const harmless = result.state === 'nothing-to-do'
  if (result.state === 'done') {
    return <CloseFooter label="Done" keys="Escape" onClose={onFinish} />
  }
  return (
    <>
      <div
        className={harmless ? 'notice restore-notice restore-notice-line' : 'notice restore-notice'}
        data-tone={harmless ? undefined : 'danger'}
        role="alert"
      >
        <Icon name={harmless ? 'info' : 'stop'} />
        <span>{resultText(result).title}</span>
      </div>
      <footer>
        <span className="grow" />
        <Button onClick={onFinish}>{written ? 'Keep as is' : 'Close'}</Button>
        {written && result.state !== 'interrupted' ? <Button onClick={state.undoAll}>Undo all</Button> : null}
        {harmless || result.state === 'interrupted' ? null : (
          <Button kind="primary" onClick={state.retry}>
            Retry
          </Button>
        )}
      </footer>
    </>
  )
}
