/** Cuts an agent's session at a message: builds the lines of a new session with the records before it. Pure. */
import { asFields, asList, asText, type Fields, parseRecord } from './payload.ts'

/** Where to cut a session. `line` is the first line to drop; the number of lines to keep all. */
export interface CutLine {
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
 * Lines of a Codex session cut at a turn, which names its origin. The first line holds the session's metadata and gets the new id. `end`: index of
 * the first line to drop; the number of lines to keep all.
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
export function findTurnEnd(lines: readonly string[], at: number): number {
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
