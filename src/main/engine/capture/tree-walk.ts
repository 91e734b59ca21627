/**
 * Walks a folder and compares what is in it with the log. The hot path of a scan: about 3 us a file.
 *
 * A folder whose times say that its names are those recorded is not listed; its rows are compared straight from the
 * stat cache, many folders at a time (cached-rows.ts). Every other folder is listed and its rows and names are compared one by one.
 */

import { isLocalDisk } from '../files/local-disk.ts'
import { childOf, nameOf } from '../files/paths.ts'
import { statAtOf } from '../files/racy-times.ts'
import { lstatSignature, type Signature, signatureOf } from '../files/signature.ts'
import type { Head } from '../store/paths.ts'
import { createCachedRows, PATHS_PER_STEP } from './cached-rows.ts'
import { type FindingSteps, folderReason, report, type Scan, statOrNote } from './findings.ts'
import { listRecordableNames } from './recordable-names.ts'
import { compareRow, type PendingFolder, reportAbsent } from './row-compare.ts'
import { isListingUnchanged } from './stat-compare.ts'

/** Everything at and below a folder, '' = all. */
export function* walkTree(scan: Scan, folder: string): FindingSteps {
  const { root, records, fs, timesReliable } = scan
  const pending: PendingFolder[] = [{ path: folder, stat: null, head: null }]
  const cached = createCachedRows(scan, pending)
  while (pending.length > 0 || !cached.isEmpty()) {
    const next = pending.pop()
    if (!next) {
      yield* cached.compareNext()
      continue
    }
    const { path } = next
    const entered = scan.observer?.enter(path)
    const known = entered ? signatureOf(entered) : scan.observer ? null : next.stat
    const stat = known ?? (path === '' ? lstatSignature(root) : fs.stat(path))
    if (stat?.kind !== 'dir') continue
    const head = next.head ?? records.head(path)
    const isListed = head !== null && isListingUnchanged(head, stat)
    if (isListed && timesReliable(path)) cached.add(head.id)
    else yield* compareListing(scan, { path, stat, head }, isListed, pending)
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
  const prefix = folder.path === '' ? `${root}/` : `${root}/${folder.path}/`
  const listedAt = statAtOf(folder.stat, scan.now(), () => isLocalDisk(prefix))
  const names = listRecordableNames(root, folder.path, notes)
  if (!names) return
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
  if (complete && !isListed) notes.listed.push({ path: folder.path, signature: folder.stat, statAt: listedAt })
  yield null
}

function statAt(scan: Scan, absolute: string, path: string): Signature | null | 'unreadable' {
  return statOrNote(scan, path, () => lstatSignature(absolute))
}
