/** Recognises in the log that the same edit was applied before, so that an agent that repeats it does not change the file twice. */
import { readContent } from '../diff/describe-changes.ts'
import type { Store } from '../store/open-store.ts'
import { containsPassage } from './locate.ts'
import { planEdit } from './plan-edit.ts'
import { textOfBytes } from './text-bytes.ts'

/** The newest edits of the file that are examined, and how much text of them, UTF-16 units. */
const MAX_EDITS = 12
const MAX_UNITS = 2_000_000

/**
 * True when the file contains the new text, and one of its newest edits in the log is exactly what this edit does to the
 * version before.
 */
export function wasApplied(
  store: Store,
  path: string,
  current: string,
  edit: { readonly old: string; readonly new: string }
): boolean {
  if (!containsPassage(current, edit.new)) return false
  const head = store.records.head(path)
  if (!head) return false
  let budget = MAX_UNITS
  for (const { before, after } of store.records.editsOf(head.id).slice(0, MAX_EDITS)) {
    budget -= store.records.version(before).size
    if (budget < 0) return false
    const textBefore = textOfVersion(store, before)
    const textAfter = textBefore === null ? null : textOfVersion(store, after)
    if (textBefore === null || textAfter === null) continue
    const plan = planEdit({ text: textBefore, old: edit.old, new: edit.new })
    if (plan.result === 'edit' && plan.text === textAfter) return true
  }
  return false
}

/** null when it is no text, too large or not stored. */
function textOfVersion(store: Store, id: number): string | null {
  const version = store.records.version(id)
  if (version.kind !== 'file' || version.size > MAX_UNITS) return null
  const bytes = readContent(store, version)
  return bytes ? (textOfBytes(bytes)?.text ?? null) : null
}
