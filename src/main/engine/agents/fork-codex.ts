/** Cuts a Codex session at a turn: builds the lines of a new session that names its origin. Pure. */
import { asFields, parseRecord } from './payload.ts'

/**
 * Lines of the new session's file. The first line holds the session's metadata and gets the new id. `end`: index of
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
