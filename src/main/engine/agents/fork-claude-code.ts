/** A Claude Code session cut at a prompt: the records before it, as another session's. Pure. */
import { asFields, asList, asText, type Fields, parseRecord } from './payload.ts'

/** Where a session ends: the first line that is left out, the number of lines for none. */
export interface CutLine {
  readonly line: number
  /** That line goes on from what is kept; it may have stood on an earlier record than the one before it. */
  readonly isNextMessage: boolean
}

/** Lines of the new session's file. */
export function cutClaudeCode(lines: readonly string[], end: CutLine, id: string): string[] {
  const records = lines.slice(0, end.line).map(parseRecord)
  const left = findAbandonedBranches(records, findLeaf(lines, end, records))
  return records.flatMap((record, n) => {
    if (left.has(asText(record.uuid) ?? '') || left.has(asText(record.leafUuid) ?? '')) return []
    return ['sessionId' in record ? JSON.stringify({ ...record, sessionId: id }) : (lines[n] ?? '')]
  })
}

/** What the new session goes on from: the record the cut prompt stood on, else the last one. */
function findLeaf(
  lines: readonly string[],
  { line, isNextMessage }: CutLine,
  records: readonly Fields[]
): string | null {
  const next = isNextMessage ? asText(parseRecord(lines[line] ?? '').parentUuid) : null
  return next ?? asText(records.findLast((record) => asText(record.uuid) !== null && record.isSidechain !== true)?.uuid)
}

/** Records below prompts that were rewound before: going on from them would be another conversation. */
function findAbandonedBranches(records: readonly Fields[], leaf: string | null): ReadonlySet<string> {
  const parents = new Map<string, string | null>()
  for (const record of records) {
    const uuid = asText(record.uuid)
    if (uuid) parents.set(uuid, asText(record.parentUuid) ?? asText(record.logicalParentUuid))
  }
  const kept = new Set<string>()
  for (let at = leaf; at !== null && !kept.has(at); at = parents.get(at) ?? null) kept.add(at)
  const left = new Set<string>()
  for (const record of records) {
    const uuid = asText(record.uuid)
    if (!uuid || kept.has(uuid)) continue
    const parent = asText(record.parentUuid)
    // Results of parallel calls hang beside the chain and stay; only another prompt begins another branch.
    if ((parent && left.has(parent)) || isPrompt(record)) left.add(uuid)
  }
  return left
}

function isPrompt(record: Fields): boolean {
  if (record.type !== 'user' || record.isSidechain === true || record.isMeta === true) return false
  const { content } = asFields(record.message)
  return !asList(content).some((part) => asFields(part).type === 'tool_result')
}
