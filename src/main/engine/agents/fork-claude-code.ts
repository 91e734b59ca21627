/** A Claude Code session cut at a prompt: the records before it, as another session's. Pure. */
import { type Fields, fields, list, recordOf, text } from './event.ts'

/** Where a session ends: the first line that is left out, the number of lines for none. */
export interface End {
  readonly line: number
  /** That line goes on from what is kept; it may have stood on an earlier record than the one before it. */
  readonly isNext: boolean
}

/** Lines of the new session's file. */
export function cutClaudeCode(lines: readonly string[], end: End, id: string): string[] {
  const records = lines.slice(0, end.line).map(recordOf)
  const left = leftBranches(records, leafOf(lines, end, records))
  return records.flatMap((record, n) => {
    if (left.has(text(record.uuid) ?? '') || left.has(text(record.leafUuid) ?? '')) return []
    return ['sessionId' in record ? JSON.stringify({ ...record, sessionId: id }) : (lines[n] ?? '')]
  })
}

/** What the new session goes on from: the record the cut prompt stood on, else the last one. */
function leafOf(lines: readonly string[], { line, isNext }: End, records: readonly Fields[]): string | null {
  const next = isNext ? text(recordOf(lines[line] ?? '').parentUuid) : null
  return next ?? text(records.findLast((record) => text(record.uuid) !== null && record.isSidechain !== true)?.uuid)
}

/** Records below prompts that were rewound before: going on from them would be another conversation. */
function leftBranches(records: readonly Fields[], leaf: string | null): ReadonlySet<string> {
  const parents = new Map<string, string | null>()
  for (const record of records) {
    const uuid = text(record.uuid)
    if (uuid) parents.set(uuid, text(record.parentUuid) ?? text(record.logicalParentUuid))
  }
  const kept = new Set<string>()
  for (let at = leaf; at !== null && !kept.has(at); at = parents.get(at) ?? null) kept.add(at)
  const left = new Set<string>()
  for (const record of records) {
    const uuid = text(record.uuid)
    if (!uuid || kept.has(uuid)) continue
    const parent = text(record.parentUuid)
    // Results of parallel calls hang beside the chain and stay; only another prompt begins another branch.
    if ((parent && left.has(parent)) || isPrompt(record)) left.add(uuid)
  }
  return left
}

function isPrompt(record: Fields): boolean {
  if (record.type !== 'user' || record.isSidechain === true || record.isMeta === true) return false
  const { content } = fields(record.message)
  return !list(content).some((part) => fields(part).type === 'tool_result')
}
