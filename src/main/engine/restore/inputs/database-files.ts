/**
 * [RS-23] SQLite keeps the newest changes of a database `X` in `X-wal`, or in `X-journal` what an unfinished one replaced.
 * A journal beside another version of its database damages it when a program opens it, so they are restored together.
 */
import type { FileVersion, Seq } from '../../../../contract/log.ts'
import { walkChain } from '../../log/chain.ts'
import { isProvablySame } from '../../log/same-version.ts'
import type { Store } from '../../store/open-store.ts'
import { recordedNames } from '../../store/paths.ts'
import { writersOf } from '../../store/writers.ts'
import type { RequestedPath } from './request-input.ts'

const JOURNALS = ['-wal', '-journal'] as const

/** Smallest page of a database, bytes; its file has whole pages (sqlite.org/fileformat2.html). */
const PAGE = 512

/** Whether one of the `versions` of a file may be a database. */
export function mayBeDatabase(versions: readonly FileVersion[]): boolean {
  return versions.some(({ kind, size }) => kind === 'file' && size % PAGE === 0)
}

/** As `databaseFiles`; none beside a file that no version of which may be a database. */
export function databaseFilesOf(path: string, versions: readonly FileVersion[]): string[] {
  return JOURNALS.some((each) => path.endsWith(each)) || mayBeDatabase(versions) ? databaseFiles(path) : []
}

/** The files beside a path that would hold one database with it: its journals, or of a journal the database. */
export function databaseFiles(path: string): string[] {
  const suffix = JOURNALS.find((each) => path.endsWith(each))
  return suffix ? [path.slice(0, -suffix.length)] : JOURNALS.map((each) => path + each)
}

/**
 * Adds the other files of each database that changes, with their versions from when it had its target. What others wrote
 * to them since is a conflict. `toSeq`: the position of a restore; null for an undo.
 */
export function withDatabaseFiles(store: Store, paths: readonly RequestedPath[], toSeq: Seq | null): RequestedPath[] {
  const present = new Set(paths.map(({ path }) => path))
  const missing = new Map<string, RequestedPath>()
  for (const each of paths) {
    if (each.move || isProvablySame(each.now, each.target) || !isFileOrNothing(each.target)) continue
    for (const name of databaseFilesOf(each.path, [each.now, each.target]))
      if (!present.has(name)) missing.set(name, each)
  }
  const added = recordedNames(store, [...missing.keys()]).map((name) =>
    otherFile(store, name, missing.get(name) as RequestedPath, toSeq)
  )
  return [...paths, ...added.filter((each) => each !== null)]
}

/** Null for a folder of that name. */
function otherFile(store: Store, path: string, known: RequestedPath, toSeq: Seq | null): RequestedPath | null {
  const { records } = store
  const [head, knownHead] = [records.head(path), records.head(known.path)]
  if (!head || head.version === null || !knownHead) return null
  // While the known file has its target, the next edit of it is still to come.
  const seq = toSeq ?? (records.editAfter(knownHead.id, known.base)?.seq ?? Number.MAX_SAFE_INTEGER) - 1
  const next = records.editAfter(head.id, seq)
  const [now, target] = [records.version(head.version), records.version(next?.before ?? head.version)]
  if (![now, target].every(isFileOrNothing)) return null
  const since = [...walkChain(head.edit, records)].flatMap(({ edit, omitted }) => (omitted ? [] : [edit]))
  const byOthers = known.foreignCause === 'outside-after-target' ? ['outside'] : ['outside', 'agent']
  return {
    path,
    now,
    target,
    base: records.editBefore(head.id, seq + 1)?.seq ?? 0,
    foreign: writersOf(
      store,
      since.filter((edit) => edit.seq > seq && byOthers.includes(edit.origin))
    ),
    foreignCause: known.foreignCause,
    merge: null,
    own: null,
    onlyByMerge: false,
    move: null
  }
}

function isFileOrNothing({ kind }: FileVersion): boolean {
  return kind === 'file' || kind === 'absent'
}
