/**
 * Compares a folder on disk with the recorded heads by stat alone and yields the paths worth reading. A generator, so its
 * driver can pause between steps; it writes nothing.
 */
import type { NotStoredReason } from '../../../contract/log.ts'
import { detectReliableFolderTimes } from '../files/folder-times.ts'
import { childOf, createWorkspaceFs, foldersAbove, type WorkspaceFs, nameOf, parentOf } from '../files/workspace-fs.ts'
import { lstatSignature, type Signature, signatureOf } from '../files/signature.ts'
import { isUnreadable } from '../ports/fs-errors.ts'
import { ID, KIND, PATH } from '../store/stat-cache.ts'
import type { Head, PathId } from '../store/heads.ts'
import type { Records } from '../store/records.ts'
import {
  areTimesTrusted,
  FOLDER,
  GONE,
  isListingUnchanged,
  sameStat,
  isUnchanged,
  statCheck
} from './stat-compare.ts'
import type { CoverRules } from './cover-rules.ts'
import { type Limit, limitOf } from './limit.ts'
import { isNeverRecorded, listRecordableNames } from './recordable-names.ts'

/** A path whose recorded state may be out of date. */
export interface Finding {
  readonly path: string
  readonly limit: number
  readonly over?: Limit['over']
  readonly folderReason: NotStoredReason | null
}

/** Results that are not findings: filled while the generator runs. */
export interface ScanNotes {
  /** Folders listed completely, with the stat taken before listing: the next scan may skip reading them again. */
  readonly listed: { readonly path: string; readonly signature: Signature }[]
  /** Names that are not valid UTF-8, printable form. */
  readonly unnameable: string[]
  readonly unreadable: string[]
  /** Paths compared. */
  compared: number
}

export interface Scanner {
  readonly notes: ScanNotes
  /** Everything at and below a folder ('' = all). */
  tree(folder: string): Generator<Finding | null>
  /** Exactly these paths, plus what follows from them: unknown parents, all below a folder that appeared or went. */
  paths(paths: Iterable<string>): Generator<Finding | null>
}

export interface ScanOptions {
  readonly root: string
  readonly records: Records
  readonly rules: CoverRules
  /** Folders that are recorded on their own (or are our data): named, not entered. */
  readonly boundaries: ReadonlySet<string>
  /** Trust nothing a stat says: read every file again. */
  readonly deep?: boolean
  /** [CP-1] Paths a tool names: looked at even where everything else is ignored. */
  readonly named?: ReadonlySet<string>
}

export function createScanner(options: ScanOptions): Scanner {
  const { root, records, rules, boundaries, deep = false } = options
  const notes: ScanNotes = { listed: [], unnameable: [], unreadable: [], compared: 0 }
  const fs: WorkspaceFs = createWorkspaceFs(root)
  const found = new Set<string>()
  const timesTell = detectReliableFolderTimes(root)

  const folderReason = (path: string, head: Head | null): NotStoredReason | null => {
    if (boundaries.has(path)) return 'workspace'
    if (options.named?.has(path)) return null
    const seen = head !== null && head.version !== null && records.version(head.version).kind === 'dir'
    if (seen && records.version(head.version as number).notStored === null) return null
    return rules.ignoresDir(path) ? 'ignored' : null
  }

  const finding = (path: string, head: Head | null, there: Signature | null): Finding | null => {
    if (found.has(path)) return null
    found.add(path)
    if (there?.kind === 'dir') return { path, limit: 0, folderReason: folderReason(path, head) }
    return { path, ...fileLimit(path, head), folderReason: null }
  }

  const fileLimit = (path: string, head: Head | null): Limit => {
    const version = head?.version == null ? null : records.version(head.version)
    const decided = version !== null && version.notStored !== 'ignored' && version.kind !== 'absent'
    return limitOf(rules, path, decided)
  }

  function* tree(folder: string): Generator<Finding | null> {
    const pending: Pending[] = [{ path: folder, there: null, head: null }]
    /** Folders that hold the names that are recorded. */
    const known: PathId[] = []
    while (pending.length > 0 || known.length > 0) {
      const next = pending.pop()
      if (!next) {
        yield* knownStep(known.splice(-FOLDERS_AT_ONCE), known, pending)
        yield null
        continue
      }
      const { path, there, head } = next
      const now = there ?? (path === '' ? lstatSignature(root) : fs.stat(path))
      if (now?.kind !== 'dir') continue
      const row = head ?? records.head(path)
      const isKnown = row !== null && isListingUnchanged(row, now)
      if (isKnown && timesTell(path)) known.push(row.id)
      else yield* listedStep(path, now, row, isKnown, pending)
    }
  }

  /** Compares the rows of folders that hold the names that are recorded; what is not plainly as recorded is left to `rowStep`. */
  function* knownStep(folders: readonly PathId[], known: PathId[], pending: Pending[]): Generator<Finding | null> {
    const start = root === '/' ? '/' : `${root}/`
    let steps = 0
    for (const page of records.statRows(folders)) {
      for (const row of page) {
        if (++steps % 64 === 0) yield null
        if (row[KIND] === GONE) continue
        const there = deep ? null : statCheck(start + row[PATH])
        const isFolder = row[KIND] === FOLDER
        if (!there || !sameStat(row, there) || (isFolder && boundaries.has(row[PATH]))) {
          const one = records.headById(row[ID])
          yield* rowStep(one, lookHere(start + one.path, one.path), pending)
          continue
        }
        notes.compared++
        if (!isFolder) continue
        if (areTimesTrusted(row, there) && timesTell(row[PATH])) known.push(row[ID])
        else pending.push({ path: row[PATH], there: signatureOf(there), head: null })
      }
    }
  }

  /** Compares one row with what is at its path now. */
  function* rowStep(row: Head, now: Signature | null | 'unreadable', pending: Pending[]): Generator<Finding | null> {
    notes.compared++
    if (now === 'unreadable') return
    if (now === null) {
      if (wasThere(row)) yield* gone(row)
      return
    }
    const same = isUnchanged(row, now, deep)
    if (!same) {
      const one = finding(row.path, row, now)
      if (one) yield one
      if (row.signature?.kind === 'dir' && now.kind !== 'dir') yield* goneBelow(row.path)
    }
    if (now.kind !== 'dir') return
    const reason = same && row.covered ? null : folderReason(row.path, row)
    if (reason === null && !boundaries.has(row.path)) {
      if (same && isLeftOut(row)) yield* told(row, now)
      pending.push({ path: row.path, there: now, head: row })
    } else {
      if (same && row.version !== null && records.version(row.version).notStored !== reason) {
        const one = finding(row.path, row, now)
        if (one) yield one
      }
      if (reason === 'ignored') yield* recordedBelow(row.path)
    }
  }

  /** [LG-5] Once tracked, always tracked: in a folder that is not entered, what is recorded is looked at all the same. */
  function* recordedBelow(folder: string): Generator<Finding | null> {
    for (const row of records.below(folder)) {
      if (row.version === null) continue
      const now = unlessUnreadable(row.path, () => fs.stat(row.path))
      notes.compared++
      if (now === 'unreadable') continue
      if (now === null) {
        if (wasThere(row)) yield* gone(row)
      } else if (!isUnchanged(row, now, deep)) {
        const one = finding(row.path, row, now)
        if (one) yield one
      }
    }
  }

  /** Recorded as a folder that is not entered. */
  const isLeftOut = (row: Head): boolean =>
    row.version !== null &&
    records.version(row.version).kind === 'dir' &&
    records.version(row.version).notStored !== null

  /** It is entered from now on, and its row says so. */
  function* told(row: Head, now: Signature): Generator<Finding | null> {
    const one = finding(row.path, row, now)
    if (one) yield one
  }

  const wasThere = (row: Head): boolean =>
    row.signature !== null || row.version === null || records.version(row.version).kind !== 'absent'

  function* listedStep(
    at: string,
    there: Signature,
    head: Pick<Head, 'id'> | null,
    isKnown: boolean,
    pending: Pending[]
  ): Generator<Finding | null> {
    const names = listRecordableNames(root, at, notes)
    if (!names) return
    let whole = true
    const prefix = at === '' ? `${root}/` : `${root}/${at}/`
    let steps = 0
    for (const row of head ? records.children(head.id) : []) {
      const name = nameOf(row.path)
      if (names.delete(name)) yield* rowStep(row, lookHere(prefix + name, row.path), pending)
      else if (wasThere(row)) yield* gone(row)
      if (++steps % 64 === 0) yield null
    }
    for (const name of names) {
      const path = childOf(at, name)
      const now = lookHere(prefix + name, path)
      notes.compared++
      if (now === 'unreadable') whole = false
      if (now === null || now === 'unreadable') continue
      const one = finding(path, null, now)
      if (one) yield one
      if (now.kind === 'dir' && folderReason(path, null) === null) pending.push({ path, there: now, head: null })
      if (++steps % 64 === 0) yield null
    }
    // A name without a row would never be looked at again if its folder counted as listed.
    if (whole && !isKnown) notes.listed.push({ path: at, signature: there })
    yield null
  }

  const lookHere = (absolute: string, path: string): Signature | null | 'unreadable' =>
    unlessUnreadable(path, () => lstatSignature(absolute))

  const unlessUnreadable = (path: string, look: () => Signature | null): Signature | null | 'unreadable' => {
    try {
      return look()
    } catch (error) {
      if (!isUnreadable(error)) throw error
      notes.unreadable.push(path)
      return 'unreadable'
    }
  }

  function* gone(row: Head): Generator<Finding | null> {
    const one = finding(row.path, row, null)
    if (one) yield one
    if (row.signature?.kind === 'dir' || row.version === null || records.version(row.version).kind === 'dir')
      yield* goneBelow(row.path)
  }

  function* goneBelow(folder: string): Generator<Finding | null> {
    for (const row of records.below(folder)) {
      if (row.version !== null && records.version(row.version).kind === 'absent') continue
      const one = finding(row.path, row, null)
      if (one) yield one
    }
  }

  function* paths(wanted: Iterable<string>): Generator<Finding | null> {
    const all = new Set<string>()
    for (const path of wanted) {
      for (const folder of foldersAbove(path)) {
        if (!records.head(folder)) all.add(folder)
      }
      all.add(path)
    }
    for (const path of [...all].sort()) {
      if (path === '') {
        yield* tree('')
        continue
      }
      const hidden = hiddenBelow(path)
      if (isNeverRecorded(nameOf(path)) || hidden === 'never') continue
      const head = records.head(path)
      if (hidden === 'ignored' && head === null && !options.named?.has(path)) continue
      let now: Signature | null
      try {
        now = fs.stat(path)
      } catch (error) {
        if (!isUnreadable(error)) throw error
        notes.unreadable.push(path)
        continue
      }
      notes.compared++
      if (!now) {
        if (head) yield* gone(head)
        continue
      }
      const known = head !== null && isUnchanged(head, now, deep)
      if (!known) {
        const one = finding(path, head, now)
        if (one) yield one
        if (head?.signature?.kind === 'dir' && now.kind !== 'dir') yield* goneBelow(path)
      }
      // A folder that appeared brings everything below it.
      if (now.kind === 'dir' && !hidden && !(known && head?.covered) && folderReason(path, head) === null) {
        if (known && isLeftOut(head)) yield* told(head, now)
        yield* tree(path)
      }
      yield null
    }
  }

  /** Below `.git` or in another workspace (`never`), or below an ignored folder never seen. */
  const hiddenBelow = (path: string): 'never' | 'ignored' | null => {
    let ignored = false
    for (const folder of foldersAbove(path)) {
      if (isNeverRecorded(nameOf(folder)) || boundaries.has(folder)) return 'never'
      const head = records.head(folder)
      if (head?.version != null && records.version(head.version).notStored === null) continue
      if (rules.ignoresDir(folder)) ignored = true
    }
    if (parentOf(path) !== '' && boundaries.has(path)) return 'never'
    return ignored ? 'ignored' : null
  }

  return { notes, tree, paths }
}

/** A folder still to be entered, with what is known of it already. */
interface Pending {
  readonly path: string
  readonly there: Signature | null
  readonly head: Head | null
}

/** Folders whose rows are read together. */
const FOLDERS_AT_ONCE = 64
