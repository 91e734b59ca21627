/** [RS-2] Last look before the first change: the disk is still what the plan was made for. */
import { readdir } from 'node:fs/promises'
import { DriftlineError } from '../../../contract/errors.ts'
import { absoluteOf, childOf, createInside, OWN_PREFIX } from '../files/inside.ts'
import { type Signature, sameSignature } from '../files/signature.ts'
import type { ApplyItem, ApplyState } from './apply-state.ts'

/** [RS-2] Every touched path still is what the plan saw. Throws PlanStale. */
export function look(state: ApplyState): void {
  const { root, items } = state.options
  const inside = createInside(root)
  const stale = items.filter((item) => !asExpected(inside.look(item.path), item))
  if (stale.length === 0) return
  throw new DriftlineError(
    'PlanStale',
    `${stale.length === 1 ? `${stale[0]?.path} changed` : `${stale.length} files changed`} since the preview. Nothing was written. Look at the new preview and decide again.`,
    { paths: stale.slice(0, 100).map((item) => item.path) }
  )
}

/** Whether a path still is what the plan saw. Of a folder only its being that folder counts. */
export function asExpected(now: Signature | null, item: ApplyItem): boolean {
  if (!now || !item.expected) return (now === null) === (item.before.kind === 'absent')
  if (now.kind === 'dir')
    return item.expected.kind === 'dir' && now.ino === item.expected.ino && now.mode === item.expected.mode
  return sameSignature(now, item.expected)
}

/** A folder that makes way for a file may hold only what the plan removes; anything else would be lost with it. */
export async function refuseForeignContent(state: ApplyState): Promise<void> {
  const { root, items } = state.options
  const planned = new Set(items.map((item) => item.path))
  for (const item of items) {
    if (item.before.kind !== 'dir' || item.after.kind === 'dir' || item.after.kind === 'absent') continue
    const foreign = await findForeign(root, item.path, planned)
    if (foreign === null) continue
    throw new DriftlineError(
      'Refused',
      `${item.path} would have to make way, but it holds ${foreign}, which is not recorded. Nothing was changed. Move it away first.`,
      {
        path: item.path,
        foreign
      }
    )
  }
}

async function findForeign(root: string, folder: string, planned: ReadonlySet<string>): Promise<string | null> {
  for (const entry of await readdir(absoluteOf(root, folder), { withFileTypes: true })) {
    const path = childOf(folder, entry.name)
    if (entry.name.startsWith(OWN_PREFIX)) continue
    if (!planned.has(path)) return path
    const below = entry.isDirectory() ? await findForeign(root, path, planned) : null
    if (below !== null) return below
  }
  return null
}
