/**
 * Forks an agent's session: writes a new session file, cut at a message, beside the original, which is never changed.
 */
import { randomBytes, randomUUID } from 'node:crypto'
import { closeSync, constants, fsyncSync, openSync, writeSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { ConversationObstacle } from '../../../contract/conversation.ts'
import { DriftlineError } from '../../../contract/errors.ts'
import { lstatSignature } from '../files/signature.ts'
import type { Cut } from '../runs/conversation.ts'
import { insertFork, unusedForksAt } from '../store/forks.ts'
import type { MessageRow } from '../store/messages.ts'
import { bumpRev } from '../store/meta.ts'
import type { Store } from '../store/open-store.ts'
import type { SessionRow } from '../store/sessions.ts'
import { transact } from '../store/sql.ts'
import { isOwnedFolder } from './agent-files.ts'
import type { SessionContext } from './agent-workspace.ts'
import { asFields, asList, asText, type Fields, parseRecord } from './payload.ts'
import { findMessageLine, readSessionFiles, type SessionFile, transcriptHasMessage } from './session-file.ts'
import { MESSAGE_READERS } from './transcript-records.ts'
import { createForkHash } from './unused-forks.ts'

/**
 * Why the conversation cannot be cut at `anchor`; null when it can. The anchor must be in the agent's own
 * transcript, because the fork is made of its records.
 */
export function explainMissingAnchor(
  context: SessionContext,
  session: SessionRow,
  anchor: MessageRow | null
): ConversationObstacle | null {
  if (!anchor || !(session.agent in MESSAGE_READERS)) return null
  const found = transcriptHasMessage(context, session, anchor)
  return found ? null : found === null ? 'transcript-unreadable' : 'message-missing'
}

/**
 * Writes a session file that ends at the cut and returns the new session's id. Throws Refused, with nothing written,
 * when the transcript cannot be read or does not hold the cut.
 */
export function writeFork(context: SessionContext, session: SessionRow, revision: number, cut: Cut): string {
  const { anchor } = cut
  const original = readSessionFiles(context, session).find(
    (file) => !anchor || findMessageLine(session.agent, file.lines, anchor) >= 0
  )
  if (!original) throw forkRefused(session)
  const end = findCutLine(session.agent, original, cut)
  const { id, path, lines } =
    session.agent === 'codex'
      ? prepareCodexFork(original, end, new Date(context.now()))
      : prepareClaudeFork(original, end)
  if (!isOwnedFolder(original.folder, dirname(path))) throw forkRefused(session)
  const hash = writeNewFile(path, lines)
  transact(context.store, (tx) => {
    insertFork(tx, { id, session: session.id, revision, at: context.now(), file: path, hash })
    bumpRev(tx)
  })
  return id
}

/** The line of the next message, else the line after the anchor (of an abandoned branch), else the end of the file. */
function findCutLine(agent: string, file: SessionFile, { anchor, next, isTip }: Cut): CutLine {
  const found = next ? findMessageLine(agent, file.lines, next) : -1
  if (found >= 0) return { line: found, isNextMessage: true }
  const last = anchor && !isTip ? findMessageLine(agent, file.lines, anchor) : countLines(file.lines) - 1
  return { line: agent === 'codex' ? findTurnEnd(file.lines, last) : last + 1, isNextMessage: false }
}

function countLines(lines: Iterable<string>): number {
  let count = 0
  for (const _ of lines) count++
  return count
}

/** An earlier fork at this revision that its agent has not resumed yet. */
export function findUnusedFork(store: Store, session: string, revision: number): string | null {
  const forks = unusedForksAt(store, session, revision)
  return forks.find(({ file }) => lstatSignature(file)?.kind === 'file')?.id ?? null
}

function prepareClaudeFork(file: SessionFile, end: CutLine) {
  const id = randomUUID()
  return { id, path: join(dirname(file.file), `${id}.jsonl`), lines: cutClaudeCode(file.lines, end, id) }
}

/** Codex finds a session by the id at the end of its file name. */
function prepareCodexFork(file: SessionFile, end: CutLine, at: Date) {
  const id = createUuidV7(at)
  const stamp = /^rollout-(.{19})-/.exec(basename(file.file))?.[1] ?? at.toISOString().slice(0, 19).replaceAll(':', '-')
  return {
    id,
    path: join(dirname(file.file), `rollout-${stamp}-${id}.jsonl`),
    lines: cutCodex(file.lines, end.line, id, at)
  }
}

/** A UUID of version 7 (RFC 9562), as Codex makes them: 48 bits of Unix time in ms, then random bits. */
function createUuidV7(at: Date): string {
  const bytes = randomBytes(16)
  bytes.writeUIntBE(at.getTime(), 0, 6)
  bytes[6] = 0x70 | ((bytes[6] ?? 0) & 0x0f)
  bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f)
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

/** Lines are written together when they reach this size, characters. */
const WRITE_CHARS = 1024 * 1024

/**
 * [Security] Creates a file readable by this user only. An existing name, or a link in its place, is an error. Returns
 * the hash of what it wrote.
 */
function writeNewFile(path: string, lines: Iterable<string>): string {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0)
  const descriptor = openSync(path, flags, 0o600)
  const hash = createForkHash()
  try {
    for (const text of joinLines(lines)) {
      const bytes = Buffer.from(text)
      for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at)
      hash.update(bytes)
    }
    fsyncSync(descriptor)
    return hash.digest('hex')
  } finally {
    closeSync(descriptor)
  }
}

/** The lines with their ends, in larger parts. */
function* joinLines(lines: Iterable<string>): Generator<string> {
  let text = ''
  for (const line of lines) {
    text += `${line}\n`
    if (text.length < WRITE_CHARS) continue
    yield text
    text = ''
  }
  yield text
}

function forkRefused(session: SessionRow): DriftlineError {
  return new DriftlineError(
    'Refused',
    "Couldn't fork the agent's session at this point: its transcript cannot be read or no longer holds the message. Nothing was written.",
    { session: session.id }
  )
}

/** Where to cut a session. `line` is the first line to drop; the number of lines to keep all. */
interface CutLine {
  readonly line: number
  /**
   * Line `line` is the message after the cut, so its parent is the last record to keep. That need not be the line
   * before it.
   */
  readonly isNextMessage: boolean
}

/**
 * Lines of a Claude Code session: the kept records with the new session id, without abandoned branches. The lines are
 * iterated twice.
 */
export function* cutClaudeCode(lines: Iterable<string>, end: CutLine, id: string): Generator<string> {
  const abandoned = findAbandonedBranches(readLinks(lines, end))
  let n = 0
  for (const line of lines) {
    if (n++ === end.line) return
    const record = parseRecord(line)
    if (abandoned.has(asText(record.uuid) ?? '') || abandoned.has(asText(record.leafUuid) ?? '')) continue
    yield 'sessionId' in record ? JSON.stringify({ ...record, sessionId: id }) : line
  }
}

/** What the tree of a session's records is made of. */
interface Link {
  readonly uuid: string
  readonly parent: string | null
  /** The parent, or what takes its place after the agent compacted its context. */
  readonly ancestor: string | null
  readonly isPrompt: boolean
}

/**
 * The links of the records to keep, and the record the new session continues from: the parent of the cut message, else
 * the last record of the main conversation.
 */
function readLinks(lines: Iterable<string>, end: CutLine): { readonly links: Link[]; readonly leaf: string | null } {
  const links: Link[] = []
  let leaf: string | null = null
  let n = 0
  for (const line of lines) {
    if (n > end.line || (n === end.line && !end.isNextMessage)) break
    const record = parseRecord(line)
    if (n++ === end.line) return { links, leaf: asText(record.parentUuid) ?? leaf }
    const uuid = asText(record.uuid)
    if (!uuid) continue
    const parent = asText(record.parentUuid)
    links.push({ uuid, parent, ancestor: parent ?? asText(record.logicalParentUuid), isPrompt: isPrompt(record) })
    if (record.isSidechain !== true) leaf = uuid
  }
  return { links, leaf }
}

/**
 * Ids of records on branches that the user left by rewinding. Claude Code resumes from the last record in the file,
 * so a kept branch could become the conversation. Records form a tree by `parentUuid`; the current branch is the path
 * from the leaf to the root.
 */
function findAbandonedBranches({ links, leaf }: ReturnType<typeof readLinks>): ReadonlySet<string> {
  const ancestors = new Map(links.map(({ uuid, ancestor }) => [uuid, ancestor]))
  const branch = new Set<string>()
  for (let at = leaf; at !== null && !branch.has(at); at = ancestors.get(at) ?? null) branch.add(at)
  const abandoned = new Set<string>()
  for (const { uuid, parent, isPrompt: startsBranch } of links) {
    if (branch.has(uuid)) continue
    // Results of parallel tool calls are siblings of the path and stay; only a prompt starts another branch.
    if ((parent && abandoned.has(parent)) || startsBranch) abandoned.add(uuid)
  }
  return abandoned
}

function isPrompt(record: Fields): boolean {
  if (record.type !== 'user' || record.isSidechain === true || record.isMeta === true) return false
  const { content } = asFields(record.message)
  return !asList(content).some((part) => asFields(part).type === 'tool_result')
}

/**
 * Lines of a Codex session cut at a turn, which names its origin. The first line holds the session's metadata and gets
 * the new id. `end`: index of the first line to drop; the number of lines to keep all.
 */
export function* cutCodex(lines: Iterable<string>, end: number, id: string, at: Date): Generator<string> {
  const last = findTurnStart(lines, end)
  let n = 0
  for (const line of lines) {
    if (n === last) return
    yield n++ === 0 ? withOrigin(line, id, at) : line
  }
}

/** The first line of a fork of the session whose first line this is. */
function withOrigin(line: string, id: string, at: Date): string {
  const record = parseRecord(line)
  const meta = asFields(record.payload)
  return JSON.stringify({
    ...record,
    payload: {
      ...meta,
      id,
      ...('session_id' in meta ? { session_id: id } : {}),
      forked_from_id: meta.id,
      timestamp: at.toISOString()
    }
  })
}

/** Index after the last line of the turn that contains line `at`. */
function findTurnEnd(lines: Iterable<string>, at: number): number {
  let n = 0
  for (const line of lines) {
    if (n > at && turnEventOf(line) === 'task_started') return n
    n++
  }
  return n
}

/** Moves `end` back to the start of its turn: Codex writes `task_started` a few records before the prompt. */
function findTurnStart(lines: Iterable<string>, end: number): number {
  let [start, n] = [end, 0]
  for (const line of lines) {
    if (n > end) return start
    const event = turnEventOf(line)
    if (event === 'task_started' && n > 0) start = n
    else if (event === 'task_complete' || event === 'turn_aborted') start = end
    n++
  }
  return n > end ? start : n
}

/** The kind of a record about a turn, without parsing others. */
function turnEventOf(line: string): unknown {
  return /"(?:task_|turn_aborted)/.test(line) ? asFields(parseRecord(line).payload).type : null
}
