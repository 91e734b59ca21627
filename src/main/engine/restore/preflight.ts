/**
 * [RS-2] The last checks before the first change: the disk still is what the plan was made for, and nothing unrecorded
 * is in danger.
 */
import { readdir } from 'node:fs/promises'
import { DriftlineError } from '../../../contract/errors.ts'
import { childOf, isOwnName } from '../files/paths.ts'
import { type Signature, sameSignature } from '../files/signature.ts'
import { absoluteOf, createWorkspaceFs } from '../files/workspace-fs.ts'
import { type ApplyItem, type ApplyState, fail } from './apply-state.ts'

/** [RS-2] Every touched path still is what the plan was made for. Throws PlanStale. */
export function verifyUnchanged(state: ApplyState): void {
  const { root, items } = state.options
  const fs = createWorkspaceFs(root)
  const stale = items.filter((item) => !matchesExpected(fs.stat(item.path), item))
  if (stale.length > 0) throw changedSincePreview(stale.map((item) => item.path))
}

/** `change`: the start of its message, up to "since the preview". */
export function planStale(change: string, data: DriftlineError['data']): DriftlineError {
  return new DriftlineError(
    'PlanStale',
    `${change} since the preview. Nothing was written. Review the new preview.`,
    data
  )
}

/** PlanStale with a sentence that names or counts the changed paths. */
export function changedSincePreview(paths: readonly string[]): DriftlineError {
  const changed = paths.length === 1 ? `${paths[0]} changed` : `${paths.length} files changed`
  return planStale(changed, { paths: paths.slice(0, 100) })
}

/**
 * Whether a path still is what the plan was made for. A folder's times and listing do not count, only its identity and
 * mode.
 */
export function matchesExpected(now: Signature | null, item: ApplyItem): boolean {
  if (!now || !item.expected) return (now === null) === (item.before.kind === 'absent')
  if (now.kind === 'dir')
    return item.expected.kind === 'dir' && now.ino === item.expected.ino && now.mode === item.expected.mode
  return sameSignature(now, item.expected)
}

/**
 * [B22] A disk that treats several spellings of a name as one has room for only one of them. If the plan removes the
 * present spelling, that one is moved aside first; otherwise it is kept, and the item that would overwrite it fails.
 */
export function resolveSpellingCollisions(state: ApplyState): void {
  const { root, items } = state.options
  const removed = new Set(items.filter((item) => item.after.kind === 'absent').map((item) => item.path))
  const fs = createWorkspaceFs(root)
  for (const item of items) {
    if (item.before.kind !== 'absent' || item.after.kind === 'absent') continue
    const present = fs.otherSpelling(item.path)
    if (present === null) continue
    if (removed.has(present)) state.displacedSpellings.add(present)
    else fail(state, item, { code: 'same-name', path: present })
  }
}

/**
 * A folder that is moved aside may contain only what the plan removes: anything else is in no version and would be
 * lost. Throws Refused.
 */
export async function refuseUnrecordedContent(state: ApplyState): Promise<void> {
  const { root, items } = state.options
  const planned = new Set(items.map((item) => item.path))
  for (const item of items) {
    if (item.before.kind !== 'dir' || !mustMoveAside(state, item)) continue
    const foreign = await findUnplanned(root, item.path, planned)
    if (foreign === null) continue
    throw new DriftlineError(
      'Refused',
      `${item.path} must be replaced, but it contains ${foreign}, which is not recorded. Nothing was changed. Move ${foreign} elsewhere first.`,
      { path: item.path, foreign }
    )
  }
}

/**
 * Whether the path has to be moved aside: rename(2) cannot replace a folder by a file or a file by a folder, nor change
 * a spelling.
 */
export function mustMoveAside(state: ApplyState, { path, before, after }: ApplyItem): boolean {
  if (state.displacedSpellings.has(path)) return true
  return before.kind !== 'absent' && after.kind !== 'absent' && (before.kind === 'dir') !== (after.kind === 'dir')
}

async function findUnplanned(root: string, folder: string, planned: ReadonlySet<string>): Promise<string | null> {
  for (const entry of await readdir(absoluteOf(root, folder), { withFileTypes: true })) {
    const path = childOf(folder, entry.name)
    if (isOwnName(entry.name)) continue
    if (!planned.has(path)) return path
    const below = entry.isDirectory() ? await findUnplanned(root, path, planned) : null
    if (below !== null) return below
  }
  return null
}
