/** The conversation that goes on in a folder now. */
import type { Store } from '../store/open-store.ts'
import { liveRuns } from './runs.ts'
import { findSession, listSessions, type SessionRow } from './sessions.ts'

/**
 * That of the run at work; between runs, the one heard of last, while its agent has not ended it. null when there is none,
 * and when several are at work: which of them a person has in mind is not guessed.
 */
export function currentSession(store: Store): SessionRow | null {
  const atWork = new Set(liveRuns(store).flatMap(({ session }) => (session === null ? [] : [session])))
  const working = [...atWork].flatMap((id) => findSession(store, id) ?? []).filter(hasConversation)
  if (working.length > 0) return working.length === 1 ? (working[0] ?? null) : null
  const last = listSessions(store).find(hasConversation)
  return last?.ended_at === null ? last : null
}

/** A client of our tools says no words. */
function hasConversation({ revision, transcript }: SessionRow): boolean {
  return revision > 0 || transcript !== null
}
