/** What an agent has not got yet, as a number and in words. */
import { reviewCountText } from '../../../contract/words/review.ts'
import { useQuery } from '../../client/use-query.ts'
import { useOpenWorkspace } from '../../state/open-workspace.tsx'

/** `session` null: nothing. */
export function useOpenCount(session: string | null): { readonly count: number; readonly text: string } {
  const { workspace } = useOpenWorkspace()
  const { data } = useQuery('review.get', session === null ? null : { workspace: workspace.id, session })
  const comments = data?.comments.length ?? 0
  const decisions = data?.decisions.length ?? 0
  return { count: comments + decisions, text: reviewCountText(comments, decisions) }
}
