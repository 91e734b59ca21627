/** How to go on with an agent's session: the command, as words for a process and quoted for a shell. */
import type { Resume } from '../../../contract/conversation.ts'
import { DriftlineError } from '../../../contract/errors.ts'
import type { SessionRow } from '../sessions/sessions.ts'

/** Words that go on with a session, by agent. */
const COMMANDS: Readonly<Record<string, (session: string) => readonly string[]>> = {
  'claude-code': (session) => ['claude', '--resume', session],
  codex: (session) => ['codex', 'resume', session],
  'gemini-cli': (session) => ['gemini', '--resume', session],
  'qwen-code': (session) => ['qwen', '--resume', session],
  opencode: (session) => ['opencode', '--session', session]
}

/** [Security] An id that could be taken for an option or a folder is never put into a command. */
const SAFE_ID = /^[A-Za-z0-9_][A-Za-z0-9._-]{0,127}$/

/** Whether the agent can go on with a session cut at a point of it. */
export function isResumable(session: Pick<SessionRow, 'id' | 'agent'>): boolean {
  return (session.agent === 'claude-code' || session.agent === 'codex') && SAFE_ID.test(session.id)
}

export function resumeSession(session: SessionRow, at: string | null, fork: boolean): Resume {
  const words = SAFE_ID.test(session.id) ? COMMANDS[session.agent]?.(session.id) : undefined
  if (!words || at !== null || fork) {
    throw new DriftlineError(
      'Refused',
      words
        ? 'Going on from an earlier point cannot be prepared yet. Nothing was changed.'
        : `Driftline does not know a command that goes on with this conversation of ${session.agent}. Nothing was changed.`,
      { session: session.id }
    )
  }
  return { command: words.map(quoted).join(' '), argv: words, cwd: session.cwd, forkedFrom: null, prompt: '', note: '' }
}

/** A word as a POSIX shell takes it back unchanged. */
export function quoted(word: string): string {
  return /^[A-Za-z0-9_./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}
