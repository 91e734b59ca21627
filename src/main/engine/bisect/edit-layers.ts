/**
 * The edits in force between two positions, and the version of each path when only the first of them are applied. An edit
 * that was undone before the second position changes nothing then, so it can be no cause: trying positions of the log itself
 * could find it.
 */
import type { Seq } from '../../../contract/log.ts'
import { walkWithCovered } from '../log/chain.ts'
import { sameVersion } from '../log/same-version.ts'
import { type EditRow, editsBetween } from '../store/edits.ts'
import { createHistoryReader } from '../store/history-reader.ts'
import type { Store } from '../store/open-store.ts'
import type { PathId } from '../store/paths.ts'
import type { VersionId } from '../store/versions.ts'

/** A version that an edit gave a path. */
interface Layer {
  readonly seq: Seq
  readonly version: VersionId
}

/** The layers of one path, oldest first, on what it was at the first position. */
interface LayeredPath {
  readonly base: VersionId
  readonly layers: readonly Layer[]
}

export interface EditLayers {
  /** Every path that was edited in between. */
  readonly paths: ReadonlyMap<PathId, LayeredPath>
  /** Edits with a layer, in log order. */
  readonly edits: readonly EditRow[]
}

/** O(edits between the positions). */
export function editLayers(source: Store, good: Seq, bad: Seq): EditLayers {
  const store = createHistoryReader(source)
  const recorded = editsBetween(store, good, bad)
  const found = collectInForce(store, recorded, good, bad)
  const paths = new Map<PathId, LayeredPath>()
  for (const path of new Set(recorded.map((edit) => edit.path))) {
    const base = versionAt(store, path, good)
    const inForce = [...(found.get(path)?.values() ?? [])].sort((a, b) => a.seq - b.seq)
    paths.set(path, { base, layers: endsAs(store, path, { good, bad }, { base, layers: inForce }) })
  }
  const seqs = new Set([...paths.values()].flatMap(({ layers }) => layers.map(({ seq }) => seq)))
  return { paths, edits: recorded.filter(({ seq }) => seqs.has(seq)) }
}

/** The version of a path with the edits up to `seq` applied; undefined for a path that none of them changed. */
export function layeredVersion({ paths }: EditLayers, path: PathId, seq: Seq): VersionId | undefined {
  const layered = paths.get(path)
  return layered && (layered.layers.findLast((layer) => layer.seq <= seq)?.version ?? layered.base)
}

function versionAt({ records }: Store, path: PathId, seq: Seq): VersionId {
  return records.editAfter(path, seq)?.before ?? records.headById(path).version ?? records.absent
}

function collectInForce(store: Store, recorded: readonly EditRow[], good: Seq, bad: Seq) {
  const { records } = store
  const log = boundedLog(store, bad)
  const found = new Map<PathId, Map<Seq, Layer>>()
  const add = ({ path, seq, after }: EditRow): void => {
    const layers = found.get(path) ?? new Map<Seq, Layer>()
    found.set(path, layers.set(seq, { seq, version: after }))
  }
  for (const path of new Set(recorded.map((edit) => edit.path))) {
    const head = records.editBefore(path, bad + 1)?.seq ?? 0
    for (const { edit, omitted } of walkWithCovered(head, log, good + 1)) {
      if (omitted) continue
      if (edit.origin === 'restore' && !edit.merge && !returnsBefore(store, edit, good)) continue
      add(edit)
      if (edit.movedFrom !== null && edit.movedFrom > good) add(records.edit(edit.movedFrom))
    }
  }
  return found
}

/** The log as it was at `bad`. */
function boundedLog({ records }: Store, bad: Seq) {
  const bounded = (edit: EditRow | null): EditRow | null => (edit && edit.seq <= bad ? edit : null)
  return {
    ...records,
    arrivalOf: (seq: Seq) => bounded(records.arrivalOf(seq)),
    departuresFrom: (path: PathId) => records.departuresFrom(path).filter(({ seq }) => seq <= bad),
    headOf: (path: PathId) => records.editBefore(path, bad + 1)?.seq ?? 0
  }
}

/** A restore to before the first position is a change of its own, unless the path had that version there. */
function returnsBefore(store: Store, { path, base, after }: EditRow, good: Seq): boolean {
  const { records } = store
  return base <= good && !sameVersion(records.version(after), records.version(versionAt(store, path, good)))
}

/**
 * The layers, if they give the version that the path had at `bad`. Otherwise every edit of it counts: the positions are
 * then those of the log.
 */
function endsAs(
  store: Store,
  path: PathId,
  { good, bad }: { readonly good: Seq; readonly bad: Seq },
  { base, layers }: LayeredPath
): readonly Layer[] {
  const { records } = store
  const last = records.version(layers.at(-1)?.version ?? base)
  if (sameVersion(last, records.version(versionAt(store, path, bad)))) return layers
  return records
    .editsOf(path)
    .filter(({ seq }) => seq > good && seq <= bad)
    .map(({ seq, after }) => ({ seq, version: after }))
    .reverse()
}
