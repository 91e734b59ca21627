/** How to go on with an agent's session: the command, as words for a process and quoted for a shell. */
import type { Resume } from '../../../contract/conversation.ts'
import { DriftlineError } from '../../../contract/errors.ts'
import { lastMessageSeq, messagesOf, seqsInForce } from '../sessions/messages.ts'
import type { SessionRow } from '../sessions/sessions.ts'
import type { Recorder } from '../workspaces/recorder.ts'
import { agentFolder } from './agent-files.ts'
import { findCut, findUnusedFork, writeFork } from './fork.ts'

interface Program {
  readonly name: string
  /** Words after the name that go on with a session. */
  readonly resume?: (session: string) => readonly string[]
  /** Its sessions can be cut. */
  readonly forks?: true
  /** The variable that names its folder. */
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

/** [Security] An id that could be taken for an option or a folder is never put into a command. */
const SAFE_ID = /^[A-Za-z0-9_][A-Za-z0-9._-]{0,127}$/

/** Whether the agent can go on with a session cut at a point of it. */
export function canForkSession({ id, agent }: Pick<SessionRow, 'id' | 'agent'>): boolean {
  return PROGRAMS[agent]?.forks === true && SAFE_ID.test(id)
}

/**
 * Going on so that `revision` is the last thing the agent knows. Without `fork` nothing is written: a session prepared
 * before is used, else the agent's own with all it remembers. Refused when no command is known.
 */
export function resumeAt(recorder: Recorder, session: SessionRow, revision: number, fork: boolean): Resume {
  const { store } = recorder
  const tip = lastMessageSeq(store, session.id)
  const messages = messagesOf(store, session.id)
  const cut = findCut(messages, revision, tip)
  const prompt = cut.next?.role === 'user' ? cut.next.text : ''
  if (revision === tip && !fork)
    return buildResume(recorder, session, session.id, null, prompt, session.run ? BUSY : '')
  if (revision === 0 && fork)
    return buildFreshStart(recorder, session, prompt, 'Nothing was said before this point, so it begins anew.')
  if (canForkSession(session)) {
    const prepared = findUnusedFork(store, session.id, revision)
    if (prepared) return buildResume(recorder, session, prepared, session.id, prompt, '')
    if (fork) {
      const id = writeFork(recorder, session, revision, cut)
      return buildResume(recorder, session, id, session.id, prompt, '')
    }
  } else if (fork)
    return buildFreshStart(recorder, session, buildHistoryPrompt(session, messages, revision, prompt), RETOLD)
  return buildResume(recorder, session, session.id, null, prompt, REMEMBERS)
}

const REMEMBERS =
  'This goes on with the session itself, so the agent remembers what came after this point. With --fork it does not.'
const BUSY = 'Its agent is still working on it.'
const RETOLD = "This agent's sessions cannot be cut, so it begins anew: paste the prompt, which tells it what was said."

function buildResume(
  recorder: Recorder,
  session: SessionRow,
  id: string,
  forkedFrom: string | null,
  prompt: string,
  note: string
): Resume {
  const program = PROGRAMS[session.agent]
  if (!program?.resume || !SAFE_ID.test(id)) {
    throw new DriftlineError(
      'Refused',
      program
        ? `No command is known that goes on with this conversation in ${program.name}. Nothing was changed; --fork prepares a prompt that tells a new one what was said.`
        : `Driftline does not know how to go on with ${session.agent}. Nothing was changed.`,
      { session: session.id }
    )
  }
  const argv = [...homeVariable(recorder, session, program), program.name, ...program.resume(id)]
  return { command: argv.map(quoteShellWord).join(' '), argv, cwd: session.cwd, forkedFrom, prompt, note }
}

function buildFreshStart(recorder: Recorder, session: SessionRow, prompt: string, note: string): Resume {
  const program = PROGRAMS[session.agent]
  const argv = program ? [...homeVariable(recorder, session, program), program.name] : []
  return { command: argv.map(quoteShellWord).join(' '), argv, cwd: session.cwd, forkedFrom: null, prompt, note }
}

/** Its files are not in the usual place: neither will they be for the command. */
function homeVariable({ root, home }: Recorder, session: SessionRow, program: Program): string[] {
  const folder = agentFolder(root, session.agent, home, session.home)
  const usual = agentFolder(root, session.agent, home, null)
  return program.home && folder && folder !== usual ? ['env', `${program.home}=${folder}`] : []
}

/** Words that tell another conversation what was said up to a point. */
function buildHistoryPrompt(
  session: SessionRow,
  messages: ReturnType<typeof messagesOf>,
  revision: number,
  prompt: string
): string {
  const kept = seqsInForce(messages, revision)
  const said = messages
    .filter((message) => kept.has(message.seq))
    .map((message) => `${message.role === 'user' ? 'Me' : 'You'}: ${message.text}`)
  return [
    `We talked before (${session.title}). This is what was said; go on from there, the files are as they were then.`,
    ...said,
    ...(prompt === '' ? [] : [`Me: ${prompt}`])
  ].join('\n\n')
}

/** A word as a POSIX shell takes it back unchanged. */
export function quoteShellWord(word: string): string {
  return /^[A-Za-z0-9_./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}
