/** The messages that a session got, newest first. */
import { REVIEW_ROUTES } from '../../../contract/words/review.ts'
import { clock, dayInText } from '../../../contract/words/times.ts'
import { useQuery } from '../../client/use-query.ts'
import { useOpenWorkspace } from '../../state/open-workspace.tsx'
import { useNow } from '../../ui/use-now.ts'

export function SentMessages({ session }: { readonly session: string }) {
  const { workspace } = useOpenWorkspace()
  const { data } = useQuery('review.list', { workspace: workspace.id, session })
  const now = useNow('minute')
  const sent = data?.reviews.filter(({ state }) => state === 'sent') ?? []
  if (sent.length === 0) return null
  return (
    <>
      <h2 className="label">Sent</h2>
      {sent.map(({ id, route, at, sentAt, message }) => (
        <details key={id} className="sent-message">
          <summary>
            {REVIEW_ROUTES[route]}, {dayInText(sentAt ?? at, now)} {clock(sentAt ?? at)}
          </summary>
          <pre className="thread-quote">{message.trimEnd()}</pre>
        </details>
      ))}
    </>
  )
}
