/** [RS-2] Last look before the first change: the disk is still what the plan was made for. */
import { readdir } from 'node:fs/promises'
import { DriftlineError } from '../../../contract/errors.ts'
import { absoluteOf, childOf, createInside, isOwnName } from '../files/inside.ts'
import { type Signature, sameSignature } from '../files/signature.ts'
import { type ApplyItem, type ApplyState, fail } from './apply-state.ts'

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

/**
 * [B22] A disk that takes several spellings of a name for one has one place for them: what stands there makes way if the plan
 * takes it away, else it stays and what would be written over it fails.
 */
export function findNamesakes(state: ApplyState): void {
  const { root, items } = state.options
  const leaving = new Set(items.filter((item) => item.after.kind === 'absent').map((item) => item.path))
  const inside = createInside(root)
  for (const item of items) {
    if (item.before.kind !== 'absent' || item.after.kind === 'absent') continue
    const other = inside.namesake(item.path)
    if (other === null) continue
    if (leaving.has(other)) state.makingWay.add(other)
    else fail(state, item, takenFor(other))
  }
}

/** Said of a path whose name this disk takes for another one's. */
export function takenFor(other: string): string {
  return `it cannot lie beside ${other}: this disk takes both names for one`
}

/** A folder that makes way may hold only what the plan removes; anything else would be lost with it. */
export async function refuseForeignContent(state: ApplyState): Promise<void> {
  const { root, items } = state.options
  const planned = new Set(items.map((item) => item.path))
  for (const item of items) {
    if (item.before.kind !== 'dir' || !makesWay(state, item)) continue
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

/** It cannot stay where it is while the plan is carried out: its place is wanted for another kind of thing, or for another spelling. */
export function makesWay(state: ApplyState, { path, before, after }: ApplyItem): boolean {
  if (state.makingWay.has(path)) return true
  return before.kind !== 'absent' && after.kind !== 'absent' && (before.kind === 'dir') !== (after.kind === 'dir')
}

async function findForeign(root: string, folder: string, planned: ReadonlySet<string>): Promise<string | null> {
  for (const entry of await readdir(absoluteOf(root, folder), { withFileTypes: true })) {
    const path = childOf(folder, entry.name)
    if (isOwnName(entry.name)) continue
    if (!planned.has(path)) return path
    const below = entry.isDirectory() ? await findForeign(root, path, planned) : null
    if (below !== null) return below
  }
  return null
}
