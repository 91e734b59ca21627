/** What an agent has not got yet, the message that brings it, and what was sent before. */
import { useState } from 'react'
import { toErrorShape } from '../../../contract/errors.ts'
import type { ReviewDraft, ReviewSetting } from '../../../contract/review.ts'
import { agentIdentity } from '../../../contract/words/agents.ts'
import { REVIEW_SETTINGS } from '../../../contract/words/review.ts'
import { useDriftline } from '../../client/context.tsx'
import { useQuery } from '../../client/use-query.ts'
import { useCommandHub } from '../../commands/hub.tsx'
import { useActions, useOpenWorkspace, useWorkspaceState } from '../../state/open-workspace.tsx'
import { Button } from '../../ui/button.tsx'
import { copyText } from '../../ui/clipboard.ts'
import { CloseFooter, Dialog } from '../../ui/dialog.tsx'
import { FailedNotice } from '../../ui/failed-notice.tsx'
import { announce } from '../../ui/live-region.tsx'
import { OpenPoints } from './open-points.tsx'
import { SentMessages } from './sent-messages.tsx'
import './review.css'

interface ReviewDialogProps {
  /** "" for the newest one. */
  readonly session: string
  readonly onClose: () => void
}

export function ReviewDialog({ session, onClose }: ReviewDialogProps) {
  const { workspace } = useOpenWorkspace()
  const { data, error, refetch } = useQuery('review.get', {
    workspace: workspace.id,
    ...(session === '' ? {} : { session })
  })
  return (
    <Dialog labelledBy="review-title" className="dialog review-dialog" initialFocus="h1" onClose={onClose}>
      <header>
        <h1 id="review-title" className="review-title" tabIndex={-1}>
          {data ? `Review for ${agentIdentity(data.agent).name}` : 'Review'}
        </h1>
        <p className="muted ell">{data ? data.title : 'Loading your comments and decisions…'}</p>
      </header>
      {error ? <FailedNotice error={error} onRetry={refetch} /> : null}
      {data ? <Body key={data.session ?? ''} draft={data} onClose={onClose} /> : null}
      {data ? null : <CloseFooter onClose={onClose} />}
    </Dialog>
  )
}

interface BodyProps {
  readonly draft: ReviewDraft
  readonly onClose: () => void
}

function Body({ draft, onClose }: BodyProps) {
  const [edited, setEdited] = useState<{ readonly text: string; readonly of: string } | null>(null)
  const suggested = draft.queued?.message ?? draft.message
  const text = edited?.text ?? suggested
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so keys must reach it. */}
      <section className="review-body" aria-label="Comments, decisions and message" tabIndex={0}>
        <OpenPoints draft={draft} onClose={onClose} />
        {suggested === '' ? null : (
          <>
            <h2 className="label" id="review-message">
              Message
            </h2>
            {edited && edited.of !== suggested ? (
              <p className="notice">
                <span className="grow">Comments or decisions changed after you edited this message.</span>
                <Button size="sm" onClick={() => setEdited(null)}>
                  Start over
                </Button>
              </p>
            ) : null}
            <textarea
              className="text-field review-message"
              aria-labelledby="review-message"
              rows={Math.min(16, text.split('\n').length + 1)}
              value={text}
              onChange={({ target }) => setEdited({ text: target.value, of: suggested })}
            />
          </>
        )}
        {draft.session === null ? null : <SentMessages session={draft.session} />}
      </section>
      <ReviewFoot draft={draft} edited={edited?.text ?? null} onClose={onClose} onSent={() => setEdited(null)} />
    </>
  )
}

interface FootProps extends BodyProps {
  /** The message as a person changed it. */
  readonly edited: string | null
  readonly onSent: () => void
}

const NO_HOOKS = 'No hooks reported to this run. Copy the message to its agent.'

/** Says when the agent gets it, and sends it. */
function ReviewFoot({ draft, edited, onClose, onSent }: FootProps) {
  const { client } = useDriftline()
  const { workspace } = useOpenWorkspace()
  const { reportError } = useActions()
  const offline = useWorkspaceState((state) => state.offline)
  const { setting, openSettings } = useReviewSetting(draft.agent)
  const { name } = agentIdentity(draft.agent)
  const { session, queued } = draft
  const message = edited ?? queued?.message ?? draft.message
  const nothing =
    draft.message === '' ? 'there is nothing to send' : message.trim() === '' ? 'the message is empty' : null
  const send = async (route: 'prompt' | 'copy') => {
    try {
      // First: what is not in the clipboard must not count as sent.
      if (route === 'copy') await copyText(message)
      if (session !== null) await client.call('review.send', { workspace: workspace.id, session, route, message })
      onSent()
      const copied = session === null ? 'Copied.' : 'Copied. It counts as sent.'
      announce(route === 'copy' ? copied : `${name} gets it with your next prompt.`)
    } catch (error) {
      reportError(toErrorShape(error))
    }
  }
  const cancel = (review: string) => {
    client.call('review.cancel', { workspace: workspace.id, review }).catch(reportError)
  }
  return (
    <footer className="review-foot">
      <p className="small muted grow" role="status">
        {session === null ? NO_HOOKS : queued ? `Waits for your next prompt to ${name}.` : REVIEW_SETTINGS[setting]}{' '}
        <Button size="sm" kind="ghost" onClick={openSettings}>
          Change…
        </Button>
      </p>
      <Button onClick={onClose}>Close</Button>
      {queued ? (
        <Button icon="x" disabledReason={offline} onClick={() => cancel(queued.id)}>
          Cancel sending
        </Button>
      ) : null}
      <Button icon="copy" disabledReason={offline ?? nothing} onClick={() => void send('copy')}>
        Copy
      </Button>
      <Button
        kind="primary"
        icon="enter"
        disabledReason={
          offline ??
          (session === null
            ? 'no hooks reported to this run'
            : setting === 'off'
              ? `${name} gets no reviews, as you chose`
              : nothing)
        }
        onClick={() => void send('prompt')}
      >
        {queued ? 'Replace what waits' : 'Send with the next prompt'}
      </Button>
    </footer>
  )
}

function useReviewSetting(agent: string) {
  const hub = useCommandHub()
  const { data } = useQuery('settings.get', {})
  const value = data?.values[`review.${agent}`]
  const setting: ReviewSetting = value === 'on' || value === 'off' ? value : 'ask'
  return {
    setting,
    openSettings: () => hub.state().openSettings({ page: 'agents' })
  }
}
