/** The stored contents that a plan writes. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ContentId } from '../store/content-rows.ts'
import { readingAhead } from '../store/content-rows-ahead.ts'
import type { Store } from '../store/open-store.ts'
import type { StoredVersion } from '../store/versions.ts'
import type { PlannedItem } from './plan-items.ts'

/** In the order of the items. */
export function contentsOf(items: readonly Pick<PlannedItem, 'after'>[]): ContentId[] {
  return items.flatMap(({ after }) => ('id' in after ? ((after as StoredVersion).content ?? []) : []))
}

/** Of reading contents without a pause. */
const STEP_MS = 15

/** [RS-18] The contents among those to write that cannot be read. Other work of this thread runs in between. */
export async function findDamaged(store: Store, items: readonly PlannedItem[]): Promise<ContentId[]> {
  const written = contentsOf(items.filter(({ action }) => action !== 'keep'))
  const { content } = readingAhead(store, written)
  const damaged: ContentId[] = []
  let pauseAt = performance.now() + STEP_MS
  for (const id of written) {
    if (!content.isReadable(id)) damaged.push(id)
    if (performance.now() < pauseAt) continue
    await nextTurn()
    pauseAt = performance.now() + STEP_MS
  }
  return damaged
}
