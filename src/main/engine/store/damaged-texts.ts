/** Finds stored texts of conversations that are not what was stored: what `doctor` lists. */
import { messagesOf } from './messages.ts'
import type { Store } from './open-store.ts'
import { tuples } from './sql.ts'
import { isDamaged } from './text-sum.ts'
import { TURN_SESSION } from './turns.ts'

const TEXTS = `SELECT ${TURN_SESSION} AS session FROM turn t WHERE ${isDamaged('t', 'prompt')}
  UNION ALL SELECT c.session FROM call_output o JOIN tool_call c ON c.id = o.call WHERE ${isDamaged('o', 'text')}
  UNION ALL SELECT u.session FROM unknown_record u WHERE ${isDamaged('u', 'text')}
  UNION ALL SELECT s.id FROM late_step l JOIN session s ON s.n = l.session WHERE ${isDamaged('l', 'text')}
  UNION ALL SELECT c.session FROM comment c WHERE ${isDamaged('c', 'text')}
  UNION ALL SELECT r.session FROM review r WHERE ${isDamaged('r', 'message')}
  UNION ALL SELECT r.session FROM run_text x JOIN run r ON r.id = x.run WHERE ${isDamaged('x', 'text')}`

/** How many texts besides messages are damaged, by session; null for prompts of runs without one. */
export function countDamagedTexts(store: Store): ReadonlyMap<string | null, number> {
  const sql = `SELECT session, count(*) FROM (${TEXTS}) GROUP BY session`
  return new Map(tuples<[session: string | null, texts: number]>(store, sql))
}

/** The damaged messages, by the id that their agent gave them. */
export function damagedMessages(
  store: Store,
  session: string
): ReadonlyMap<string, { readonly seq: number; readonly size: number }> {
  const found = new Map<string, { seq: number; size: number }>()
  for (const { source, seq, size, damaged } of messagesOf(store, session)) if (damaged) found.set(source, { seq, size })
  return found
}
