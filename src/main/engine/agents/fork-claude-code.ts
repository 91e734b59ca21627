/** A Claude Code session cut at a prompt: the records before it, as another session's. Pure. */
import { type Fields, fields, list, recordOf, text } from './event.ts'

/** Lines of the new session's file. `end`: index of the first record that is left out; the number of lines for all. */
export function cutClaudeCode(lines: readonly string[], end: number, id: string): string[] {
  const records = lines.slice(0, end).map(recordOf)
  const left = leftBranches(records, leafOf(lines, end, records))
  return records
    .filter((record) => !left.has(text(record.uuid) ?? '') && !left.has(text(record.leafUuid) ?? ''))
    .map((record) => JSON.stringify('sessionId' in record ? { ...record, sessionId: id } : record))
}

/** What the new session goes on from: the record the cut prompt stood on, else the last one. */
function leafOf(lines: readonly string[], end: number, records: readonly Fields[]): string | null {
  const next = end < lines.length ? text(recordOf(lines[end] ?? '').parentUuid) : null
  return next ?? text(records.findLast((one) => text(one.uuid) !== null && one.isSidechain !== true)?.uuid)
}

/** Records below prompts that were rewound before: going on from them would be another conversation. */
function leftBranches(records: readonly Fields[], leaf: string | null): ReadonlySet<string> {
  const parents = new Map<string, string | null>()
  for (const one of records) {
    const uuid = text(one.uuid)
    if (uuid) parents.set(uuid, text(one.parentUuid) ?? text(one.logicalParentUuid))
  }
  const kept = new Set<string>()
  for (let at = leaf; at !== null && !kept.has(at); at = parents.get(at) ?? null) kept.add(at)
  const left = new Set<string>()
  for (const one of records) {
    const uuid = text(one.uuid)
    if (!uuid || kept.has(uuid)) continue
    const parent = text(one.parentUuid)
    // Results of parallel calls hang beside the chain and stay; only another prompt begins another branch.
    if ((parent && left.has(parent)) || isPrompt(one)) left.add(uuid)
  }
  return left
}

function isPrompt(record: Fields): boolean {
  if (record.type !== 'user' || record.isSidechain === true || record.isMeta === true) return false
  const { content } = fields(record.message)
  return !list(content).some((part) => fields(part).type === 'tool_result')
}
