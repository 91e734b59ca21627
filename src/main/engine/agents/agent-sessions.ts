/** A conversation in its agent's own files: the access that restores get. */
import type { Resume } from '../../../contract/conversation.ts'
import type { MessageRow } from '../store/messages.ts'
import type { SessionRow } from '../store/sessions.ts'
import type { SessionContext } from './agent-workspace.ts'
import { explainMissingAnchor } from './fork.ts'
import { canForkSession, resumeAt } from './resume.ts'
import { importWholeTranscript } from './transcript.ts'

export function createAgentSessions(context: SessionContext) {
  return {
    importTranscript: (session: string): void => importWholeTranscript(context, session),
    explainMissingAnchor: (session: SessionRow, anchor: MessageRow | null) =>
      explainMissingAnchor(context, session, anchor),
    canFork: canForkSession,
    resumeAt: (session: SessionRow, revision: number, fork: boolean): Resume =>
      resumeAt(context, session, revision, fork)
  }
}
