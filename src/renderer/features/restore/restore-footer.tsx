/** The foot of the dialog: what stands in the way, how far it is, how it ended, and the buttons. */
import type { Act } from '../../../contract/restore.ts'
import { Button } from '../../ui/button.tsx'
import { CloseFooter } from '../../ui/close-footer.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Meter } from '../../ui/meter.tsx'
import { count } from '../files/file-words.ts'
import type { Tally } from './plan-rows.ts'
import { tallyWords } from './plan-rows.ts'
import { buttonWords, endingWords, liveWords, verbOf } from './restore-words.ts'
import type { Progress, RestoreState } from './use-restore.ts'

interface RestoreFooterProps {
  readonly act: Act
  readonly state: RestoreState
  readonly tally: Tally
  /** The conversation goes back. */
  readonly talk: boolean
  readonly onClose: () => void
  /** A restore that ended otherwise than well is left as it is. */
  readonly onLeave: () => void
}

export function RestoreFooter(props: RestoreFooterProps) {
  const { act, state, tally, talk, onClose } = props
  const { base, live, stale, error, result, progress } = state
  if (progress) return <Applying progress={progress} />
  if (result) return <Ending {...props} result={result} />
  if (base && base.items.length === 0 && !base.conversation && !error) {
    return <CloseFooter keys="Escape" onClose={onClose} />
  }
  const blocked = stale
    ? 'Refresh the preview first'
    : live === 'ask'
      ? 'Choose first: wait, or restore anyway'
      : live === 'armed'
        ? 'It goes on by itself when the run stops'
        : !base || base.mode !== state.mode
          ? 'The preview is being made'
          : tally.writes === 0 && !talk
            ? 'Nothing would change'
            : null
  return (
    <>
      {error ? (
        <div className="notice danger" role="alert">
          <Icon name="stop" />
          <span>{error}</span>
          <span className="grow" />
          <Button size="sm" onClick={state.refresh}>
            Try again
          </Button>
        </div>
      ) : stale ? (
        <div className="notice warn" role="alert">
          <Icon name="warn" />
          <span>{stale} Nothing was written.</span>
        </div>
      ) : live && base ? (
        <div className="notice live" role="status">
          <span className="led live" />
          <span>
            {live === 'armed'
              ? 'Goes on by itself when the run stops, if nothing shown here changes. '
              : live === 'wait'
                ? 'Waiting until the run stops. '
                : ''}
            {liveWords(base.live.length > 0 ? base.live : [{ run: '', title: '', agent: '' }])}
          </span>
        </div>
      ) : null}
      <footer>
        {stale ? (
          <Button icon="redo" onClick={state.refresh}>
            Refresh preview
          </Button>
        ) : live && live !== 'override' ? (
          <>
            <Button
              onClick={() => state.answerLive('wait')}
              disabledReason={live === 'ask' ? null : 'It waits already'}
            >
              Wait until it stops
            </Button>
            <Button onClick={() => state.answerLive('override')}>Restore anyway…</Button>
          </>
        ) : (
          <span className="muted num tally">
            {base && !(talk && base.items.length === 0)
              ? tallyWords(tally).map((part) => (
                  <span className="tally-part" key={part}>
                    {part}
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
          {base ? buttonWords(act, tally.writes, talk) : verbOf(act)}
          {live === 'wait' || live === 'armed' ? ' when it stops' : ''}
        </Button>
      </footer>
    </>
  )
}

const PHASE: Readonly<Record<Progress['phase'], string>> = { stage: 'Preparing', write: 'Writing', verify: 'Checking' }

/** The engine has no way back once it writes; until then it refuses by itself when something is wrong. */
function Applying({ progress }: { readonly progress: Progress }) {
  const { done, total, phase, path } = progress
  return (
    <footer className="applying">
      <div className="grow">
        <div className="row small">
          <span className="num nowrap">
            {total > 0 ? `${done.toLocaleString('en-US')} of ${count(total, 'file')}` : `${PHASE[phase]}…`}
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
      <Button size="lg" disabledReason="It cannot be stopped now">
        Cancel
      </Button>
    </footer>
  )
}

interface EndingProps extends RestoreFooterProps {
  readonly result: NonNullable<RestoreState['result']>
}

function Ending({ result, state, onLeave }: EndingProps) {
  const words = endingWords(result)
  const written = result.items.some((item) => item.result === 'done')
  const calm = result.state === 'nothing-to-do'
  if (result.state === 'done') {
    return <CloseFooter label="Done" keys="Escape" onClose={onLeave} />
  }
  return (
    <>
      <div className={calm ? 'notice' : 'notice danger'} role="alert">
        <Icon name={calm ? 'info' : 'stop'} />
        <span>{words.title}</span>
      </div>
      <footer>
        <span className="muted small">{words.safe}</span>
        <span className="grow" />
        <Button onClick={onLeave}>{written ? 'Leave it' : 'Close'}</Button>
        {written && result.state !== 'interrupted' ? <Button onClick={state.undoAll}>Undo all</Button> : null}
        {calm || result.state === 'interrupted' ? null : (
          <Button kind="primary" onClick={state.retry}>
            Retry
          </Button>
        )}
      </footer>
    </>
  )
}
