/**
 * Walks a folder and compares what is in it with the log. The hot path of a scan: about 3 us a file.
 *
 * A folder whose times say that its names are those recorded is not listed; its rows are compared straight from the
 * stat cache, many folders at a time. Every other folder is listed and its rows and names are compared one by one.
 */
import type { Stats } from 'node:fs'
import { childOf, nameOf } from '../files/paths.ts'
import { lstatSignature, type Signature, signatureOf } from '../files/signature.ts'
import type { Head, PathId } from '../store/paths.ts'
import { COVERED, ID, KIND, PATH } from '../store/stat-cache.ts'
import type { VersionId } from '../store/versions.ts'
import { type FindingSteps, folderReason, report, type Scan, statOrNote } from './findings.ts'
import { listRecordableNames } from './recordable-names.ts'
import { compareRow, type PendingFolder, reportAbsent } from './row-compare.ts'
import { ABSENT_KIND, areTimesTrusted, DIR_KIND, isListingUnchanged, sameStat, statCheck } from './stat-compare.ts'

/** Folders whose rows are read from the stat cache in one query. */
const FOLDERS_PER_QUERY = 64
/** Paths compared between two pauses of the driver. */
const PATHS_PER_STEP = 64

/** Everything at and below a folder, '' = all. */
export function* walkTree(scan: Scan, folder: string): FindingSteps {
  const { root, records, fs, timesReliable } = scan
  const pending: PendingFolder[] = [{ path: folder, stat: null, head: null }]
  /** Folders with an unchanged listing, whose rows are compared from the stat cache. */
  const unchanged: PathId[] = []
  while (pending.length > 0 || unchanged.length > 0) {
    const next = pending.pop()
    if (!next) {
      yield* compareCached(scan, unchanged.splice(-FOLDERS_PER_QUERY), unchanged, pending)
      yield null
      continue
    }
    const { path } = next
    const entered = scan.observer?.enter(path)
    const known = entered ? signatureOf(entered) : scan.observer ? null : next.stat
    const stat = known ?? (path === '' ? lstatSignature(root) : fs.stat(path))
    if (stat?.kind !== 'dir') continue
    const head = next.head ?? records.head(path)
    const isListed = head !== null && isListingUnchanged(head, stat)
    if (isListed && timesReliable(path)) unchanged.push(head.id)
    else yield* compareListing(scan, { path, stat, head }, isListed, pending)
  }
}

/**
 * Compares the rows of unchanged folders by bare stats, without building an object per row. A row that is not surely
 * the same goes to the full comparison.
 */
function* compareCached(
  scan: Scan,
  folders: readonly PathId[],
  unchanged: PathId[],
  pending: PendingFolder[]
): FindingSteps {
  const { root, records, boundaries, deep, notes, timesReliable } = scan
  const rootPrefix = root === '/' ? '/' : `${root}/`
  let steps = 0
  const different = new Map<PathId, Stats | null>()
  for (const page of records.statRows(folders)) {
    for (const row of page) {
      if (++steps % PATHS_PER_STEP === 0) {
        yield* compareRows(scan, different, rootPrefix, pending)
        different.clear()
        yield null
      }
      if (row[KIND] === ABSENT_KIND) continue
      const isFolder = row[KIND] === DIR_KIND
      const entered =
        isFolder && row[COVERED] === 1 && !boundaries.has(row[PATH]) ? scan.observer?.enter(row[PATH]) : null
      const stats = deep ? null : (entered ?? statCheck(rootPrefix + row[PATH]))
      if (!stats || !sameStat(row, stats) || (isFolder && boundaries.has(row[PATH]))) {
        different.set(row[ID], stats)
        continue
      }
      notes.compared++
      if (!isFolder) continue
      if (areTimesTrusted(row, stats) && timesReliable(row[PATH])) unchanged.push(row[ID])
      else pending.push({ path: row[PATH], stat: signatureOf(stats), head: null })
    }
    yield* compareRows(scan, different, rootPrefix, pending)
    different.clear()
  }
}

/** Compares rows that are not surely the same, with their bare stats. They and their versions are read at once. */
function* compareRows(
  scan: Scan,
  rows: ReadonlyMap<PathId, Stats | null>,
  rootPrefix: string,
  pending: PendingFolder[]
): FindingSteps {
  if (rows.size === 0) return
  const { records } = scan
  const heads = records.headsById([...rows.keys()])
  const ids = new Set(heads.map(({ version }) => version ?? records.absent))
  const versionOf = records.versionsById([...ids])
  const version = (id: VersionId) => (ids.has(id) ? versionOf(id) : records.version(id))
  const known = { ...scan, records: { ...records, version } }
  for (const head of heads) {
    const stats = rows.get(head.id)
    const stat = stats ? signatureOf(stats) : statAt(scan, rootPrefix + head.path, head.path)
    yield* compareRow(known, head, stat, pending)
  }
}

/** Lists a folder: compares the row of each recorded name, then reports the names without a row. */
function* compareListing(
  scan: Scan,
  folder: { readonly path: string; readonly stat: Signature; readonly head: Head | null },
  isListed: boolean,
  pending: PendingFolder[]
): FindingSteps {
  const { root, records, notes } = scan
  const names = listRecordableNames(root, folder.path, notes)
  if (!names) return
  const prefix = folder.path === '' ? `${root}/` : `${root}/${folder.path}/`
  let complete = true
  let steps = 0
  for (const row of folder.head ? records.children(folder.head.id) : []) {
    const name = nameOf(row.path)
    if (names.delete(name)) {
      const stat = statAt(scan, prefix + name, row.path)
      if (stat === null) complete = false
      yield* compareRow(scan, row, stat, pending)
    } else yield* reportAbsent(scan, row)
    if (++steps % PATHS_PER_STEP === 0) yield null
  }
  for (const name of names) {
    const path = childOf(folder.path, name)
    const stat = statAt(scan, prefix + name, path)
    notes.compared++
    if (stat === null || stat === 'unreadable') {
      complete = false
      continue
    }
    yield* report(scan, path, null, stat)
    if (stat.kind === 'dir') {
      if (folderReason(scan, path, null) === null) pending.push({ path, stat, head: null })
      else scan.observer?.skip(path)
    }
    if (++steps % PATHS_PER_STEP === 0) yield null
  }
  // If its folder counted as listed, no later scan would stat a name without a row again: an unreadable one, or one that
  // was listed but not found, because a folder above was moved away at that moment.
  if (complete && !isListed) notes.listed.push({ path: folder.path, signature: folder.stat })
  yield null
}

function statAt(scan: Scan, absolute: string, path: string): Signature | null | 'unreadable' {
  return statOrNote(scan, path, () => lstatSignature(absolute))
}
