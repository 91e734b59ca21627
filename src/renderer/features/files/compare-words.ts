/** What is compared, in words. Pure. */
import type { Selection } from './selection.ts'

/** What the two sides are, in words. */
export function compareWords(selection: Selection): string {
  if (selection.to === 'now' || selection.toSeq === null) {
    return selection.run ? 'start of run → on disk now' : 'then → on disk now'
  }
  return selection.run && !selection.to ? 'start → end of run' : 'then → later'
}
