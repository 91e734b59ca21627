/** A Codex session cut at a turn: the records before it, as another session's that names where it came from. Pure. */
import { fields, recordOf } from './event.ts'

/** Lines of the new session's file. `end`: index of the first record that is left out; the number of lines for all. */
export function cutCodex(lines: readonly string[], end: number, id: string, at: Date): string[] {
  return lines.slice(0, turnStart(lines, end)).map((line, n) => {
    if (n > 0) return line
    const record = recordOf(line)
    const meta = fields(record.payload)
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
export function turnEnd(lines: readonly string[], at: number): number {
  const next = lines.findIndex((line, n) => n > at && fields(recordOf(line).payload).type === 'task_started')
  return next < 0 ? lines.length : next
}

/** A prompt's turn begins a few records before it. */
function turnStart(lines: readonly string[], end: number): number {
  if (end >= lines.length) return lines.length
  for (let n = end; n > 0; n--) {
    const { type } = fields(recordOf(lines[n] ?? '').payload)
    if (type === 'task_started') return n
    if (type === 'task_complete' || type === 'turn_aborted') return end
  }
  return end
}
