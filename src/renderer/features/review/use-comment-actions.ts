/** What a person does with comments of the open workspace. */
import { useMemo } from 'react'
import type { Comment } from '../../../contract/review.ts'
import { useDriftline } from '../../client/context.tsx'
import { useOpenWorkspace } from '../../state/open-workspace.tsx'
import { type CommentLines, showsQuote } from './comment-places.ts'

/** What a new comment is on. */
interface CommentTarget {
  /** A run, a turn or a position; `now`: the present. With `message`, the session of it. */
  readonly target: string
  readonly message?: number
  /** A tool call, whatever `target` is. */
  readonly call?: string
  /** Absent: the whole run. */
  readonly path?: string
  /** Absent: the whole file. */
  readonly lines?: CommentLines
}

const NOT_AS_SHOWN = 'The recorded version differs from what is shown here, so the comment would be on other lines.'

export function useCommentActions() {
  const { client } = useDriftline()
  const { workspace, actions } = useOpenWorkspace()
  return useMemo(() => {
    const { id } = workspace
    const { reportError } = actions
    return {
      /** Rejects if it was not saved. [RV-2] `shown`: the text of its lines; on other lines it is not saved. */
      add: async (
        { target, message, call, path, lines }: CommentTarget,
        text: string,
        shown: readonly string[] | null
      ) => {
        const { comment } = await client.call('comments.add', {
          workspace: id,
          target,
          text,
          ...(message === undefined ? {} : { message }),
          ...(call === undefined ? {} : { call }),
          ...(path === undefined ? {} : { path }),
          ...(lines === undefined ? {} : lines)
        })
        if (!shown || showsQuote({ quote: comment.quote, lines: 'same' }, shown)) return
        await client.call('comments.delete', { workspace: id, comment: comment.id })
        throw new Error(`${NOT_AS_SHOWN} Comment on the whole file instead.`)
      },
      reply: (to: Comment, text: string) =>
        client.call('comments.add', { workspace: id, target: to.run ?? 'now', replyTo: to.id, text }),
      rewrite: (comment: string, text: string) => client.call('comments.change', { workspace: id, comment, text }),
      setResolved: (comment: string, resolved: boolean) => {
        client.call('comments.change', { workspace: id, comment, resolved }).catch(reportError)
      },
      remove: (comment: string) => {
        client.call('comments.delete', { workspace: id, comment }).catch(reportError)
      }
    }
  }, [client, workspace, actions])
}
