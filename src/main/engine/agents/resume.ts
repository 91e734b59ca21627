/** Finds the session that a person resumes, and the command that does it. */
import type { Resume, ResumeNote } from '../../../contract/conversation.ts'
import { DriftlineError } from '../../../contract/errors.ts'
import { findCut } from '../runs/conversation.ts'
import { rangesInForce } from '../store/in-force.ts'
import { lastMessageSeq, type MessageRow, messagesOf } from '../store/messages.ts'
import type { Store } from '../store/open-store.ts'
import type { SessionRow } from '../store/sessions.ts'
import { agentFolder } from './agent-files.ts'
import type { SessionContext } from './agent-workspace.ts'
import { importWholeTranscript } from './catch-up.ts'
import { explainMissingAnchor, findUnusedFork, writeFork } from './fork.ts'
import { type AgentCommand, resumeCommand } from './resume-command.ts'

interface Program {
  readonly name: string
  /** Arguments that resume a session; absent when the program has none. */
  readonly resume?: (session: string) => readonly string[]
  /** Its session files can be forked (fork.ts). */
  readonly forks?: true
  /** Environment variable that names the agent's folder. */
  readonly home?: string
}

const PROGRAMS: Readonly<Record<string, Program>> = {
  'claude-code': { name: 'claude', resume: (id) => ['--resume', id], forks: true, home: 'CLAUDE_CONFIG_DIR' },
  codex: { name: 'codex', resume: (id) => ['resume', id], forks: true, home: 'CODEX_HOME' },
  'gemini-cli': { name: 'gemini', resume: (id) => ['--resume', id] },
  'qwen-code': { name: 'qwen', resume: (id) => ['--resume', id] },
  opencode: { name: 'opencode', resume: (id) => ['--session', id] },
  cline: { name: 'cline' }
}

/** [Security] Ids become arguments and file names: no leading dash or dot, no separators. */
const SAFE_ID = /^[A-Za-z0-9_][A-Za-z0-9._-]{0,127}$/

/** Whether the agent's sessions can be forked at a message. */
export function canForkSession({ id, agent }: Pick<SessionRow, 'id' | 'agent'>): boolean {
  return PROGRAMS[agent]?.forks === true && SAFE_ID.test(id)
}

interface ResumeOptions {
  /** Writes a fork where the session itself remembers more. */
  readonly fork: boolean
}

/**
 * The command that resumes the conversation with `revision` as its last message. Without `fork` nothing is written:
 * an unused fork at that revision is used, else the session itself, which remembers everything. Throws Refused when
 * no command is known.
 */
export function resumeAt(
  context: SessionContext,
  session: SessionRow,
  revision: number,
  { fork }: ResumeOptions
): Resume {
  const { store } = context
  const tip = lastMessageSeq(store, session.id)
  const cut = findCut(store, session.id, revision, tip)
  const prompt = cut.next?.role === 'user' && !cut.next.damaged ? cut.next.text : ''
  if (revision === tip && !fork)
    return buildResume(context, session, session.id, prompt, session.run ? 'working' : null)
  if (revision === 0 && fork) return buildResume(context, session, null, prompt, 'no-messages')
  if (canForkSession(session)) {
    const unused = findUnusedFork(store, session.id, revision)
    const id = unused ?? (fork ? writeFork(context, session, revision, cut) : null)
    if (id !== null) return buildResume(context, session, id, prompt, null)
  } else if (fork) {
    const history = buildHistoryPrompt(store, session, revision, prompt)
    return buildResume(context, session, null, history, 'new-session')
  }
  return buildResume(context, session, session.id, prompt, 'remembers')
}

/** `id`: the session itself, its fork, or null for a new session. */
function buildResume(
  context: SessionContext,
  session: SessionRow,
  id: string | null,
  prompt: string,
  note: ResumeNote | null
): Resume {
  const program = PROGRAMS[session.agent]
  const args = id === null ? [] : SAFE_ID.test(id) ? program?.resume?.(id) : undefined
  if (!args) {
    throw new DriftlineError(
      'Refused',
      program
        ? `No command is known that resumes this session in ${program.name}. \`driftline resume ${session.id} --fork\` prepares a prompt that passes the conversation to a new session.`
        : `Driftline cannot resume sessions of ${session.agent}.`,
      { session: session.id }
    )
  }
  const home = program ? ownFolder(context, session, program) : null
  const { argv, command } = resumeCommand({ words: program ? [program.name, ...args] : [], home })
  const forkedFrom = id === null || id === session.id ? null : session.id
  return { command, argv, cwd: session.cwd, forkedFrom, prompt, note }
}

/** The agent's folder when it is not the default one. */
function ownFolder(context: SessionContext, session: SessionRow, { home }: Program): AgentCommand['home'] {
  const folder = agentFolder(context, session)
  const isDefault = folder === agentFolder(context, { ...session, home: null })
  return home && folder && !isDefault ? { variable: home, folder } : null
}

/**
 * A prompt that passes the conversation up to a revision to a new session, for agents whose sessions cannot be
 * forked.
 */
function buildHistoryPrompt(store: Store, session: SessionRow, revision: number, prompt: string) {
  const conversation = rangesInForce(store, session.id, revision)
    .toReversed()
    .flatMap(([first, last]) => [...messagesOf(store, session.id, first, last)])
    .map((message) => `${message.role === 'user' ? 'Me' : 'You'}: ${message.text}`)
  return [
    `This continues an earlier conversation (${session.title}). Here are its messages; the files are as they were at its end.`,
    ...conversation,
    ...(prompt === '' ? [] : [`Me: ${prompt}`])
  ].join('\n\n')
}

/** A conversation in its agent's own files: the access that restores get. */
export function createAgentSessions(context: SessionContext) {
  return {
    importTranscript: (session: string): void => importWholeTranscript(context, session),
    explainMissingAnchor: (session: SessionRow, anchor: MessageRow | null) =>
      explainMissingAnchor(context, session, anchor),
    canFork: canForkSession,
    resumeAt: (session: SessionRow, revision: number, options: ResumeOptions): Resume =>
      resumeAt(context, session, revision, options)
  }
}
