/**
 * [Security] Access to an agent's own files. Payloads name paths, and a project could name any file: only regular
 * files of this user below the agent's own folder are opened, and never through symbolic links.
 */
import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, realpathSync, type Stats } from 'node:fs'
import { isAbsolute, join, relative, sep } from 'node:path'
import { ifReadable } from '../files/fs-errors.ts'
import type { SessionRow } from '../store/sessions.ts'
import type { AgentFilesContext } from './agent-workspace.ts'

/** Default folder of each agent, below the home folder. opencode is absent: it keeps no files we read. */
const FOLDERS: Readonly<Record<string, string>> = {
  'claude-code': '.claude',
  codex: '.codex',
  'gemini-cli': '.gemini',
  'qwen-code': '.qwen',
  cline: '.cline'
}

/**
 * [PR-3] Where each agent keeps the conversation of a session, in its folder. Anything else there, such as credentials
 * or another project's conversation, is not read, whatever an event names.
 */
const TRANSCRIPTS: Readonly<Record<string, (session: string) => RegExp>> = {
  'claude-code': (session) => new RegExp(`^projects/[^/]+/${literal(session)}\\.jsonl$`),
  codex: (session) =>
    new RegExp(`^(sessions/\\d+/\\d+/\\d+|archived_sessions)/rollout-[^/]+-${literal(session)}(_[^/]+)?\\.jsonl$`),
  'gemini-cli': (session) => new RegExp(`^tmp/[^/]+/chats/session-[^/]+-${literal(session.slice(0, 8))}\\.jsonl?$`),
  'qwen-code': (session) => new RegExp(`^(projects|tmp)/[^/]+/chats/${literal(session)}\\.jsonl$`)
}

/** The text as part of a regular expression. */
const literal = (text: string): string => text.replace(/\W/g, '\\$&')

/** A file, and the agent's folder that it has to be in. */
export interface AgentFile {
  readonly folder: string
  readonly file: string
}

/**
 * The folder an agent keeps its files in; null for agents without one. `owner.home` is the folder the agent itself
 * reports.
 */
export function agentFolder(
  { root, home }: AgentFilesContext,
  owner: Pick<SessionRow, 'agent' | 'home'>
): string | null {
  const name = FOLDERS[owner.agent]
  if (!name) return null
  // [Security] A workspace must not be able to name a folder of its own.
  if (owner.home && isAbsolute(owner.home) && isOutside(root, owner.home)) return owner.home
  return join(home, name)
}

/** The file that holds a session's messages; null when it is not known. */
export function transcriptFile(context: AgentFilesContext, session: SessionRow): AgentFile | null {
  const folder = agentFolder(context, session)
  if (!folder) return null
  if (session.transcript) {
    const name = relative(folder, session.transcript).replaceAll(sep, '/')
    return TRANSCRIPTS[session.agent]?.(session.id).test(name) ? { folder, file: session.transcript } : null
  }
  const name = `${session.id}.messages.json`
  return session.agent === 'cline' ? { folder, file: join(folder, 'data', 'sessions', session.id, name) } : null
}

/** [PR-3] Whether the session's transcript is left unread because of its place or name. Opens nothing. */
export function isTranscriptRefused(context: AgentFilesContext, session: SessionRow): boolean {
  return Boolean(session.transcript) && session.agent in TRANSCRIPTS && transcriptFile(context, session) === null
}

/**
 * Calls `use` with the descriptor of the open file. Null for anything that is not a regular file of this user below
 * its folder.
 */
export function withAgentFile<T>({ folder, file }: AgentFile, use: (descriptor: number, stats: Stats) => T): T | null {
  if (isOutside(folder, file)) return null
  const descriptor = ifReadable(() => (isReachedWithoutLinks(folder, file) ? openSync(file, FLAGS) : null))
  if (descriptor === null) return null
  try {
    const stats = fstatSync(descriptor)
    return stats.isFile() && isOwnedByUser(stats) ? use(descriptor, stats) : null
  } finally {
    closeSync(descriptor)
  }
}

/** They cover a link or FIFO that replaces the file after the check. */
const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

/** Whether `path` is `folder` or a real directory of this user below it, reached without symbolic links. */
export function isOwnedFolder(folder: string, path: string): boolean {
  if (path !== folder && isOutside(folder, path)) return false
  const stats = ifReadable(() => (isReachedWithoutLinks(folder, path) ? lstatSync(path) : null))
  return stats?.isDirectory() === true && isOwnedByUser(stats)
}

/** Reads `length` bytes at offset `from`; fewer at the end of the file. */
export function readSlice(descriptor: number, from: number, length: number): Buffer {
  const bytes = Buffer.alloc(length)
  let done = 0
  while (done < length) {
    const count = readSync(descriptor, bytes, done, length - done, from + done)
    if (count === 0) break
    done += count
  }
  return bytes.subarray(0, done)
}

function isReachedWithoutLinks(folder: string, path: string): boolean {
  return realpathSync.native(path) === join(realpathSync.native(folder), relative(folder, path))
}

function isOwnedByUser({ uid }: Stats): boolean {
  return process.getuid === undefined || uid === process.getuid()
}

/** A relative `path` is outside, too. */
function isOutside(folder: string, path: string): boolean {
  const inside = relative(folder, path)
  return !isAbsolute(path) || inside === '' || inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside)
}
