/**
 * The input of applying a bundle: what its run changed, onto the files as they are here. A file that is as it was before the
 * run gets the version after it; any other one needs a decision, for which a merge is offered where both changed different
 * lines.
 */
import { posix } from 'node:path'
import type { FileVersion } from '../../../../contract/log.ts'
import type { PlanNote } from '../../../../contract/restore.ts'
import { receivedTitle } from '../../../../contract/words/targets.ts'
import type { PathChange } from '../../diff/aggregate.ts'
import { readContent } from '../../diff/describe-changes.ts'
import { resolveChanges } from '../../diff/requested-changes.ts'
import { mergeTexts } from '../../diff/three-way.ts'
import { isReservedName } from '../../files/named-path.ts'
import { ABSENT } from '../../store/fixed-versions.ts'
import { sha256 } from '../../store/hash.ts'
import { MASKED_PATHS, readPathList } from '../../store/meta.ts'
import type { Store } from '../../store/open-store.ts'
import { findRun } from '../../store/runs.ts'
import { resolveTarget } from '../../store/targets.ts'
import { versionAt } from '../../store/version-at.ts'
import { readStoredContent, type StoredVersion, toFileVersion } from '../../store/versions.ts'
import type { RequestedPath } from './request-input.ts'
import { isSelected } from './selected-hunks.ts'

interface AppliedRun {
  readonly title: string
  readonly target: string
  readonly targetAt: number | null
  readonly paths: readonly RequestedPath[]
}

/** `bundle`: the history of its review. */
export function applyInput(store: Store, bundle: Store, selection: { readonly paths?: readonly string[] }): AppliedRun {
  const { id } = resolveTarget(bundle, 'latest')
  const run = findRun(bundle, id)
  const masked = new Set(readPathList(bundle, MASKED_PATHS))
  const changes = changesOf(bundle, id).filter(({ path }) => isSelected(selection, path))
  return {
    title: receivedTitle(run?.name ?? ''),
    target: id,
    targetAt: run?.ended_at ?? null,
    paths: changes.map((change) => applyPath(store, bundle, change, masked.has(change.path)))
  }
}

/** The paths that a bundle changes: they are recorded as they are before a plan is made, ignored ones, too. */
export function pathsOfBundle(bundle: Store, selection: { readonly paths?: readonly string[] }): string[] {
  const { id } = resolveTarget(bundle, 'latest')
  return changesOf(bundle, id).flatMap(({ path }) => (isSelected(selection, path) ? [path] : []))
}

/** One for each path: a rename is a file that is deleted and one that is created, whose `oldPath` is the other. */
function changesOf(bundle: Store, run: string): PathChange[] {
  const { changes } = resolveChanges(bundle, { target: run, scope: 'run' })
  return changes.flatMap((change) => {
    const { oldPath, ...rest } = change
    if (oldPath === undefined) return [change]
    return [
      { ...rest, path: oldPath, after: ABSENT },
      { ...change, before: ABSENT }
    ]
  })
}

function applyPath(store: Store, bundle: Store, change: PathChange, isMasked: boolean): RequestedPath {
  const { path, before, after } = change
  const now = versionAt(store, path, null)
  const target = targetOf(now, before, after, isMasked)
  const isFree = matches(now, before) || matches(now, after)
  const head = store.records.head(path)
  const changedAt = head && head.edit !== 0 ? store.records.edit(head.edit).at : null
  return {
    path,
    now,
    target,
    base: head?.edit ?? 0,
    foreign: isFree ? [] : [{ who: 'outside', title: '', at: changedAt ?? 0 }],
    foreignCause: 'other-version',
    merge: isFree || isMasked ? null : mergeWith(store, bundle, change, now),
    own: null,
    onlyByMerge: false,
    move: null,
    renamedFrom: change.oldPath,
    blocked: whyBlocked(path, target),
    sent: { before, after, read: (side) => readContent(bundle, change[side]) }
  }
}

/** Whether the disk holds this version, whatever its permissions. Never for an unknown one. */
function matches(now: FileVersion, version: FileVersion): boolean {
  if (now.kind !== version.kind) return false
  if (now.kind === 'file') return now.hash !== null && now.hash === version.hash
  return now.kind === 'symlink' ? now.target !== null && now.target === version.target : now.kind !== 'unknown'
}

/** Without row ids of the bundle. Permissions are those here, unless the run changed them. */
function targetOf(now: FileVersion, before: FileVersion, after: FileVersion, isMasked: boolean): FileVersion {
  const target = toFileVersion(after)
  const keepsMode = before.kind === after.kind && before.mode === after.mode && now.kind === after.kind
  const mode = keepsMode ? now.mode : target.mode
  if (isMasked && after.kind === 'file') return { ...target, mode, hash: null, notStored: 'hidden' }
  return { ...target, mode }
}

/** A link that leads out of the folder, and a name that is a device here, are never written. */
function whyBlocked(path: string, target: FileVersion): PlanNote | null {
  if (target.kind !== 'absent' && path.split('/').some(isReservedName)) return { code: 'reserved-name' }
  return target.kind === 'symlink' && leadsOut(path, target.target ?? '') ? { code: 'leads-out' } : null
}

function leadsOut(path: string, target: string): boolean {
  if (target === '' || /^[/\\]|^[A-Za-z]:|\\|\0/.test(target)) return true
  const at = posix.normalize(posix.join(posix.dirname(path), target))
  return at === '..' || at.startsWith('../') || at.split('/').some((part) => part.toLowerCase() === '.git')
}

function mergeWith(
  store: Store,
  bundle: Store,
  { before, after }: PathChange,
  now: FileVersion
): RequestedPath['merge'] {
  if (before.kind !== 'file' || after.kind !== 'file' || now.kind !== 'file') return null
  const [base, theirs] = [readContent(bundle, before), readContent(bundle, after)]
  const ours = readStoredContent(store, now as StoredVersion)
  const bytes = base && theirs && ours && mergeTexts(base, theirs, ours)
  if (!bytes) return null
  const mode = before.mode === after.mode ? now.mode : after.mode
  const version = { ...toFileVersion(now), mode, size: bytes.length, hash: sha256(bytes).toString('hex') }
  return { version, bytes, omits: [] }
}
