/** Which conversation a workspace is in now. */
import type { Store } from '../store/open-store.ts'
import { liveRuns } from '../store/runs.ts'
import { findSession, listSessions, type SessionRow } from '../store/sessions.ts'

/**
 * The session of the live run. Between runs, the session with the newest event, unless its agent has ended it. null when
 * there is none, and when several have a live run: which of them a person has in mind is not guessed.
 */
export function currentSession(store: Store): SessionRow | null {
  const ids = new Set(liveRuns(store).flatMap(({ session }) => (session === null ? [] : [session])))
  const live = [...ids].flatMap((id) => findSession(store, id) ?? []).filter(hasConversation)
  if (live.length > 0) return live.length === 1 ? (live[0] ?? null) : null
  const newest = listSessions(store).find(hasConversation)
  return newest?.ended_at === null ? newest : null
}

/** False for a client of the file tools: it has a session, but sends no messages. */
function hasConversation({ revision, transcript }: SessionRow): boolean {
  return revision > 0 || transcript !== null
}
