/** Reads an agent's session files, which are never changed, and finds messages in them. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { isFromHook, type MessageRow } from '../store/messages.ts'
import type { SessionRow } from '../store/sessions.ts'
import { type AgentFile, isOwnedFolder, readSlice, transcriptFile, withAgentFile } from './agent-files.ts'
import type { AgentFilesContext } from './agent-workspace.ts'
import { asFields, asText, parseRecord } from './payload.ts'
import { MESSAGE_READERS, writesDocument } from './transcript-records.ts'

export interface SessionFile extends AgentFile {
  /**
   * Complete lines as they were when the file was found, read in blocks each time they are iterated: a session may
   * have 100 MB. A single element for agents that write one JSON document.
   */
  readonly lines: Iterable<string>
  /** The same lines in blocks, the last ones first. `to`: only those before this offset, bytes. */
  blocksBackwards(to?: number): Iterable<Buffer>
}

/** The session's files, newest first. Stops at the first one that may not be read. */
export function readSessionFiles(context: AgentFilesContext, session: SessionRow): SessionFile[] {
  const files: SessionFile[] = []
  for (const range of sessionFileRanges(context, session)) {
    const bytes = withOpenRange(range, (_, size) => size)
    if (bytes === null) break
    const known = { ...range, bytes }
    files.push({
      ...range,
      lines: { [Symbol.iterator]: () => readLines(known, session.agent) },
      blocksBackwards: (to = bytes) => readBackwards({ ...known, bytes: Math.min(bytes, to) }, BLOCK)
    })
  }
  return files
}

/** Bytes from `from` to `to` of a file; none when it cannot be read any more. */
function readRange(range: AgentFile, from: number, to: number): Buffer {
  return withAgentFile(range, (descriptor) => readSlice(descriptor, from, to - from)) ?? Buffer.alloc(0)
}

/** Complete lines; the whole text for agents that write one JSON document. */
function* readLines(range: FileRange, agent: string): Generator<string> {
  if (writesDocument(agent)) {
    yield readRange(range, 0, range.bytes).toString('utf8')
    return
  }
  let rest = Buffer.alloc(0)
  for (let from = 0; from < range.bytes; ) {
    const block = readRange(range, from, Math.min(from + BLOCK, range.bytes))
    if (block.length === 0) return
    const bytes = Buffer.concat([rest, block])
    // The rest after the last line break of the file is still being written.
    const end = bytes.lastIndexOf(LINE_END) + 1
    if (end > 0) yield* bytes.toString('utf8', 0, end - 1).split('\n')
    rest = bytes.subarray(end)
    from += block.length
  }
}

/** Index of the last line that holds this message; -1 when there is none. */
export function findMessageLine(agent: string, lines: Iterable<string>, message: MessageRow): number {
  const key = writesDocument(agent) ? '' : searchKeyOf(message)
  let [found, n] = [-1, 0]
  for (const line of lines) {
    if (line.includes(key) && containsMessage(agent, line, message)) found = n
    n++
  }
  return found
}

/**
 * A substring of every line that can hold the message: its id, or the start of its text as JSON. Other lines need no
 * parsing.
 */
function searchKeyOf(message: MessageRow): string {
  if (!isFromHook(message)) return message.source
  // A lone surrogate has no UTF-8 encoding.
  return JSON.stringify(message.text)
    .slice(1, -1)
    .slice(0, 40)
    .replace(/[\ud800-\udbff]$/, '')
}

/** Whether a line (or a document) holds this message. */
function containsMessage(agent: string, line: string, message: MessageRow): boolean {
  const found = MESSAGE_READERS[agent]?.(parseRecord(line)) ?? []
  return found.some(({ source, role, text }) =>
    isFromHook(message) ? role === message.role && text === message.text : source === message.source
  )
}

/**
 * Whether the session's files hold the message; null when they cannot be read. Line files are read backwards in
 * blocks: recent messages are found first, and memory use does not depend on the file's size.
 */
export function transcriptHasMessage(
  context: AgentFilesContext,
  session: SessionRow,
  message: MessageRow,
  block = BLOCK
): boolean | null {
  let holds: boolean | null = null
  for (const range of sessionFileRanges(context, session)) {
    const bytes = withOpenRange(range, (_, size) => size)
    if (bytes === null) break
    holds = rangeHasMessage({ ...range, bytes }, block, session.agent, message)
    if (holds) break
  }
  return holds
}

/** Bytes read at a time. */
const BLOCK = 4 * 1024 * 1024
const LINE_END = 10

function rangeHasMessage(range: FileRange, block: number, agent: string, message: MessageRow): boolean {
  if (writesDocument(agent)) return findMessageLine(agent, readLines(range, agent), message) >= 0
  const key = Buffer.from(searchKeyOf(message))
  for (const lines of readBackwards(range, block)) if (searchLines(lines, key, agent, message)) return true
  return false
}

/** Complete lines of a range, in blocks, the last ones first. */
function* readBackwards(range: FileRange, block: number): Generator<Buffer> {
  // The start of the line that continues in the block read before; null until the first line end is found, because
  // the last line of the file may be unfinished.
  let rest: Buffer | null = null
  for (let to = range.bytes; to > 0; to -= block) {
    const from = Math.max(0, to - block)
    const read = readRange(range, from, to)
    const whole: Buffer = rest === null ? read.subarray(0, read.lastIndexOf(LINE_END) + 1) : Buffer.concat([read, rest])
    if (rest === null && whole.length === 0) continue
    const start = from === 0 ? 0 : whole.indexOf(LINE_END) + 1
    yield whole.subarray(start)
    rest = whole.subarray(0, start)
  }
}

function searchLines(lines: Buffer, key: Buffer, agent: string, message: MessageRow): boolean {
  for (let at = lines.indexOf(key); at >= 0; ) {
    const start = lines.lastIndexOf(LINE_END, at) + 1
    const end = lines.indexOf(LINE_END, at)
    if (containsMessage(agent, lines.toString('utf8', start, end), message)) return true
    at = end < 0 ? -1 : lines.indexOf(key, end)
  }
  return false
}

/** Longer session files are not read, bytes. */
const MAX_SESSION_BYTES = 256 * 1024 * 1024

/** After a rewind, Codex starts a file that builds on a part of the one before. */
interface FileRange extends AgentFile {
  /** Length of the part that belongs to the session, from the start of the file. */
  readonly bytes: number
}

/** Bounds the chain of Codex files, against cycles. */
const MAX_FILES = 50

/** Newest first. */
function* sessionFileRanges(context: AgentFilesContext, session: SessionRow): Generator<FileRange> {
  const newest = transcriptFile(context, session)
  let next = newest && { ...newest, bytes: MAX_SESSION_BYTES }
  for (let n = 0; next && n < MAX_FILES; n++) {
    yield next
    next = session.agent === 'codex' ? findCodexBase(next) : null
  }
}

/**
 * Calls `use` with an open descriptor and the number of bytes that count. Null when the file may not be read or is
 * too long.
 */
function withOpenRange<T>(range: FileRange, use: (descriptor: number, bytes: number) => T): T | null {
  return withAgentFile(range, (descriptor, { size }) =>
    size > MAX_SESSION_BYTES ? null : use(descriptor, Math.min(size, range.bytes))
  )
}

/** Codex's first line contains its full instructions, bytes. */
const MAX_FIRST_LINE = 1024 * 1024

/** The file that a Codex session builds on, and how many of its bytes. File names end with the session's id. */
function findCodexBase(range: FileRange): FileRange | null {
  const { folder } = range
  const head = withOpenRange(range, (descriptor) => readSlice(descriptor, 0, MAX_FIRST_LINE).toString('utf8'))
  const base = asFields(asFields(parseRecord(head?.split('\n', 1)[0] ?? '').payload).history_base)
  const [id, bytes] = [asText(base.thread_id), base.end_byte_offset]
  const sessions = join(folder, 'sessions')
  if (!id || typeof bytes !== 'number' || !isOwnedFolder(folder, sessions)) return null
  const file = (readdirSync(sessions, { recursive: true }) as string[]).find(
    (name) => name.endsWith(`-${id}.jsonl`) || name.endsWith(`_${id}.jsonl`)
  )
  return file ? { folder, file: join(sessions, file), bytes } : null
}
