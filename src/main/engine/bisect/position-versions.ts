/** Which paths of the folder on disk differ from a position, and what each of them was there. */
import type { ChangePart, UnavailablePath } from '../../../contract/bisect.ts'
import { DriftlineError } from '../../../contract/errors.ts'
import type { FileVersion, Seq } from '../../../contract/log.ts'
import { isProvablySame } from '../log/same-version.ts'
import { pathsEditedAfter } from '../store/edits.ts'
import type { Store } from '../store/open-store.ts'
import type { PathId } from '../store/paths.ts'
import type { StoredVersion, VersionId } from '../store/versions.ts'
import { layersOf } from './candidates.ts'
import { applyParts } from './change-parts.ts'
import { layeredVersion } from './edit-layers.ts'

/** A position: of the log, or of the edits in force between two positions, or such a position with parts of the next edits. */
export interface Position {
  readonly seq: Seq
  readonly between: { readonly good: Seq; readonly bad: Seq } | null
  /** Only these parts of what changed since the position `from`, which is one of the same range. */
  readonly parts: { readonly from: Seq; readonly apply: readonly ChangePart[] } | null
}

/** `bytes`: of a version that was never on disk. */
export interface WantedVersion {
  readonly path: string
  readonly version: FileVersion & Partial<Pick<StoredVersion, 'content'>>
  readonly bytes: Buffer | null
}

/** Sorted by path, so that a folder is before what is in it. `also`: paths to include even if they are so on disk. */
export function versionsAtPosition(
  store: Store,
  position: Position,
  also: readonly string[]
): { readonly wanted: WantedVersion[]; readonly unavailable: UnavailablePath[] } {
  const { records } = store
  const named = new Set(also.flatMap((path) => records.head(path)?.id ?? []))
  const wanted: WantedVersion[] = []
  const unavailable: UnavailablePath[] = []
  for (const id of new Set([...changedPaths(store, position), ...named])) {
    const head = records.headById(id)
    if (head.path === '' || head.version === null) continue
    const { version, bytes } = wantedVersion(store, id, position)
    const now = records.version(head.version)
    const isSame = bytes === null && (version.id === now.id || isProvablySame(version, now))
    // A folder that is not recorded, such as one that git ignores, stays: nobody knows what it was.
    if ((isSame && !named.has(id)) || now.notStored === 'ignored') continue
    const reason = unavailableReason(version)
    if (reason === null) wanted.push({ path: head.path, version, bytes })
    else if (!isSame) unavailable.push({ path: head.path, reason })
  }
  wanted.sort((a, b) => (a.path < b.path ? -1 : 1))
  return { wanted, unavailable }
}

function changedPaths(store: Store, { seq, between }: Position): Iterable<PathId> {
  if (!between) return pathsEditedAfter(store, seq)
  return [...layersOf(store, between.good, between.bad).paths.keys(), ...pathsEditedAfter(store, between.bad)]
}

function wantedVersion(
  store: Store,
  id: PathId,
  { seq, between, parts }: Position
): { readonly version: StoredVersion; readonly bytes: Buffer | null } {
  const at = (position: Seq): StoredVersion => store.records.version(versionIdAt(store, id, position, between))
  const version = at(seq)
  if (!parts) return { version, bytes: null }
  const before = at(parts.from)
  if (before.id === version.id) return { version, bytes: null }
  const path = store.records.pathOf(id)
  const numbers = parts.apply.filter((part) => part.path === path).map(({ n }) => n)
  return applyParts(store, before, version, numbers)
}

function versionIdAt(store: Store, id: PathId, seq: Seq, between: Position['between']): VersionId {
  const { records } = store
  const layered = between && layeredVersion(layersOf(store, between.good, between.bad), id, seq)
  if (layered) return layered
  // A path without edits in the range is all through it what it was at its end.
  const at = between?.bad ?? seq
  return records.editAfter(id, at)?.before ?? records.headById(id).version ?? records.absent
}

function unavailableReason({ kind, notStored }: FileVersion): UnavailablePath['reason'] | null {
  if (kind === 'unknown') return 'unknown'
  if (kind === 'special') return 'special'
  return kind === 'absent' ? null : notStored
}

/** The positions of a search are in order, and the parts belong to one of its steps. */
export function requirePosition({ seq, between, parts }: Position): void {
  const isInside = (at: Seq): boolean => !between || (at >= between.good && at <= between.bad)
  if (isInside(seq) && (!parts || (between && isInside(parts.from) && parts.from <= seq))) return
  throw new DriftlineError('Usage', `seq:${seq} is not a position of this search.`, { seq })
}
