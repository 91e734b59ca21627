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
import { hashFork } from './unused-forks.ts'

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
  const bytes = Buffer.from(`${lines.join('\n')}\n`)
  writeNewFile(path, bytes)
  transact(context.store, (tx) => {
    insertFork(tx, { id, session: session.id, revision, at: context.now(), file: path, hash: hashFork(bytes) })
    bumpRev(tx)
  })
  return id
}

/** The line of the next message, else the line after the anchor (of an abandoned branch), else the end of the file. */
function findCutLine(agent: string, file: SessionFile, { anchor, next, isTip }: Cut): CutLine {
  const found = next ? findMessageLine(agent, file.lines, next) : -1
  if (found >= 0) return { line: found, isNextMessage: true }
  const last = anchor && !isTip ? findMessageLine(agent, file.lines, anchor) : file.lines.length - 1
  return { line: agent === 'codex' ? findTurnEnd(file.lines, last) : last + 1, isNextMessage: false }
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

/** [Security] Creates a file readable by this user only. An existing name, or a link in its place, is an error. */
function writeNewFile(path: string, bytes: Buffer): void {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0)
  const descriptor = openSync(path, flags, 0o600)
  try {
    for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at)
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
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

/** Lines of a Claude Code session: the kept records with the new session id, without abandoned branches. */
export function cutClaudeCode(lines: readonly string[], end: CutLine, id: string): string[] {
  const records = lines.slice(0, end.line).map(parseRecord)
  const abandoned = findAbandonedBranches(records, findLeaf(lines, end, records))
  return records.flatMap((record, n) => {
    if (abandoned.has(asText(record.uuid) ?? '') || abandoned.has(asText(record.leafUuid) ?? '')) return []
    return ['sessionId' in record ? JSON.stringify({ ...record, sessionId: id }) : (lines[n] ?? '')]
  })
}

/**
 * The record the new session continues from: the parent of the cut message, else the last record of the main
 * conversation.
 */
function findLeaf(
  lines: readonly string[],
  { line, isNextMessage }: CutLine,
  records: readonly Fields[]
): string | null {
  const next = isNextMessage ? asText(parseRecord(lines[line] ?? '').parentUuid) : null
  return next ?? asText(records.findLast((record) => asText(record.uuid) !== null && record.isSidechain !== true)?.uuid)
}

/**
 * Ids of records on branches that the user left by rewinding. Claude Code resumes from the last record in the file,
 * so a kept branch could become the conversation. Records form a tree by `parentUuid`; the current branch is the path
 * from the leaf to the root.
 */
function findAbandonedBranches(records: readonly Fields[], leaf: string | null): ReadonlySet<string> {
  const parents = new Map<string, string | null>()
  for (const record of records) {
    const uuid = asText(record.uuid)
    if (uuid) parents.set(uuid, asText(record.parentUuid) ?? asText(record.logicalParentUuid))
  }
  const branch = new Set<string>()
  for (let at = leaf; at !== null && !branch.has(at); at = parents.get(at) ?? null) branch.add(at)
  const abandoned = new Set<string>()
  for (const record of records) {
    const uuid = asText(record.uuid)
    if (!uuid || branch.has(uuid)) continue
    const parent = asText(record.parentUuid)
    // Results of parallel tool calls are siblings of the path and stay; only a prompt starts another branch.
    if ((parent && abandoned.has(parent)) || isPrompt(record)) abandoned.add(uuid)
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
export function cutCodex(lines: readonly string[], end: number, id: string, at: Date): string[] {
  return lines.slice(0, findTurnStart(lines, end)).map((line, n) => {
    if (n > 0) return line
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
  })
}

/** Index after the last line of the turn that contains line `at`. */
function findTurnEnd(lines: readonly string[], at: number): number {
  const next = lines.findIndex((line, n) => n > at && asFields(parseRecord(line).payload).type === 'task_started')
  return next < 0 ? lines.length : next
}

/** Moves `end` back to the start of its turn: Codex writes `task_started` a few records before the prompt. */
function findTurnStart(lines: readonly string[], end: number): number {
  if (end >= lines.length) return lines.length
  for (let n = end; n > 0; n--) {
    const { type } = asFields(parseRecord(lines[n] ?? '').payload)
    if (type === 'task_started') return n
    if (type === 'task_complete' || type === 'turn_aborted') return end
  }
  return end
}
