/** Which paths of the folder on disk differ from a position, and what each of them was there. */
import type { ChangePart, UnavailablePath } from '../../../contract/bisect.ts'
import { DriftlineError } from '../../../contract/errors.ts'
import type { FileVersion, Seq } from '../../../contract/log.ts'
import { isProvablySame } from '../log/same-version.ts'
import { versionsBefore } from '../store/edits.ts'
import type { Store } from '../store/open-store.ts'
import type { Head } from '../store/paths.ts'
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
  const { seq, between, parts } = position
  const later = versionsBefore(store, between?.bad ?? seq)
  const layers = between && layersOf(store, between.good, between.bad)
  const named = new Set(also.flatMap((path) => records.head(path)?.id ?? []))
  const heads = records
    .headsById([...(layers?.paths.keys() ?? []), ...later.keys(), ...named])
    .filter(({ path, version }) => path !== '' && version !== null)
  // A path without edits in the range is all through it what it was at its end.
  const idAt = ({ id, version }: Head, at: Seq): VersionId =>
    (layers && layeredVersion(layers, id, at)) ?? later.get(id) ?? version ?? records.absent
  const versionOf = records.versionsById(
    heads.flatMap((head) => [head.version as VersionId, idAt(head, seq), ...(parts ? [idAt(head, parts.from)] : [])])
  )
  const wanted: WantedVersion[] = []
  const unavailable: UnavailablePath[] = []
  for (const head of heads) {
    const { id, path } = head
    const at = versionOf(idAt(head, seq))
    const { version, bytes } = parts
      ? withParts(store, path, { before: versionOf(idAt(head, parts.from)), after: at }, parts.apply)
      : { version: at, bytes: null }
    const now = versionOf(head.version as VersionId)
    const isSame = bytes === null && (version.id === now.id || isProvablySame(version, now))
    // A folder that is not recorded, such as one that git ignores, stays: nobody knows what it was.
    if ((isSame && !named.has(id)) || now.notStored === 'ignored') continue
    const reason = unavailableReason(version)
    if (reason === null) wanted.push({ path, version, bytes })
    else if (!isSame) unavailable.push({ path, reason })
  }
  wanted.sort((a, b) => (a.path < b.path ? -1 : 1))
  return { wanted, unavailable }
}

function withParts(
  store: Store,
  path: string,
  { before, after }: { readonly before: StoredVersion; readonly after: StoredVersion },
  apply: readonly ChangePart[]
): { readonly version: StoredVersion; readonly bytes: Buffer | null } {
  if (before.id === after.id) return { version: after, bytes: null }
  const numbers = apply.filter((part) => part.path === path).map(({ n }) => n)
  return applyParts(store, before, after, numbers)
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
