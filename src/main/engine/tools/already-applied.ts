/** Whether the log knows that exactly this edit was made already, so that asking twice changes nothing twice. */
import { readContent } from '../diff/describe-changes.ts'
import type { Store } from '../store/open-store.ts'
import { containsPassage } from './locate.ts'
import { planEdit } from './plan-edit.ts'
import { textOfBytes } from './text-bytes.ts'

/** Newest changes of a file that are looked at, and how much text of them. */
const MOST_EDITS = 12
const MOST_UNITS = 2_000_000

/** True when one of the file's last changes is what the edit makes of what was there before, and its text still stands. */
export function wasApplied(
  store: Store,
  path: string,
  now: string,
  edit: { readonly old: string; readonly new: string }
): boolean {
  if (!containsPassage(now, edit.new)) return false
  const head = store.records.head(path)
  if (!head) return false
  let left = MOST_UNITS
  for (const { before, after } of store.records.editsOf(head.id).slice(0, MOST_EDITS)) {
    left -= store.records.version(before).size
    if (left < 0) return false
    const old = textAt(store, before)
    const then = old === null ? null : textAt(store, after)
    if (old === null || then === null) continue
    const plan = planEdit({ text: old, old: edit.old, new: edit.new })
    if (plan.result === 'edit' && plan.text === then) return true
  }
  return false
}

function textAt(store: Store, id: number): string | null {
  const version = store.records.version(id)
  if (version.kind !== 'file' || version.size > MOST_UNITS) return null
  const bytes = readContent(store, version)
  return bytes ? (textOfBytes(bytes)?.text ?? null) : null
}
