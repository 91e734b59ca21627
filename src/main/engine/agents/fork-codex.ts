/** A Codex session cut at a turn: the records before it, as another session's that names where it came from. Pure. */
import { asFields, parseRecord } from './payload.ts'

/** Lines of the new session's file. `end`: index of the first record that is left out; the number of lines for all. */
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

/** Index behind the turn that line `at` lies in. */
export function findTurnEnd(lines: readonly string[], at: number): number {
  const next = lines.findIndex((line, n) => n > at && asFields(parseRecord(line).payload).type === 'task_started')
  return next < 0 ? lines.length : next
}

/** A prompt's turn begins a few records before it. */
function findTurnStart(lines: readonly string[], end: number): number {
  if (end >= lines.length) return lines.length
  for (let n = end; n > 0; n--) {
    const { type } = asFields(parseRecord(lines[n] ?? '').payload)
    if (type === 'task_started') return n
    if (type === 'task_complete' || type === 'turn_aborted') return end
  }
  return end
}
