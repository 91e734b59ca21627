/** The paths of a bundle and their versions, written into a new history. Folders that the bundle does not name are made. */
import { foldersAbove, parentOf } from '../files/paths.ts'
import { ABSENT, UNKNOWN } from '../store/fixed-versions.ts'
import { ROOT_ID, type Store } from '../store/open-store.ts'
import type { PathId } from '../store/paths.ts'
import type { Writable } from '../store/sql.ts'
import type { VersionId } from '../store/versions.ts'
import type { ContentImport } from './import-contents.ts'
import type { BundleVersion } from './line-schema.ts'
import { badBundle } from './read-bundle.ts'

interface ImportedPath {
  readonly id: PathId
  /** The newest version as the bundle words it, and its row. */
  last: { readonly text: string; readonly version: VersionId }
  /** The newest edit; 0 without one. */
  edit: number
}

export function createPathImport(contents: Pick<ContentImport, 'get'>) {
  const paths = new Map<string, ImportedPath>()
  const folders = new Map<string, PathId>([['', ROOT_ID]])

  const addVersion = (tx: Writable<Store>, line: BundleVersion): VersionId => {
    if (line.kind === 'absent') return tx.records.absent
    if (line.kind === 'unknown') return tx.records.unknown
    const content = line.content === undefined ? null : contents.get(line.content)
    if (line.kind === 'file' && !content && line.reason === undefined) throw badBundle('a content is missing')
    if (line.kind !== 'file' && content) throw badBundle('what is no file has content')
    if (line.kind === 'symlink' && line.target === undefined) throw badBundle('a link has no target')
    return tx.records.addVersion(
      {
        ...(line.kind === 'file' ? ABSENT : UNKNOWN),
        kind: line.kind,
        mode: line.mode ?? 0,
        size: content?.size ?? 0,
        hash: content?.hash ?? null,
        target: line.kind === 'symlink' ? (line.target ?? '') : null,
        notStored: content || line.kind !== 'file' ? null : (line.reason ?? 'hidden')
      },
      content?.id ?? null
    )
  }
  const folder = (tx: Writable<Store>, path: string): PathId => {
    for (const above of [...foldersAbove(`${path}/`)]) {
      if (folders.has(above)) continue
      const known = tx.records.head(above)
      const id = known?.id ?? tx.records.addPath(above, folders.get(parentOf(above)) ?? ROOT_ID)
      if (!known) tx.records.setHead(id, addVersion(tx, { kind: 'dir', mode: 0o755 }), 0, null, 0)
      folders.set(above, id)
    }
    return folders.get(path) ?? ROOT_ID
  }
  const addPath = (tx: Writable<Store>, path: string, before: BundleVersion): ImportedPath => {
    const parent = folder(tx, parentOf(path))
    const id = tx.records.head(path)?.id ?? tx.records.addPath(path, parent)
    const version = addVersion(tx, before)
    tx.records.setHead(id, version, 0, null, 0)
    const added = { id, last: { text: JSON.stringify(before), version }, edit: 0 }
    paths.set(path, added)
    return added
  }
  return {
    has: (path: string): boolean => paths.has(path),
    /** `before`: its version where the bundle begins. */
    find: (tx: Writable<Store>, path: string, before: BundleVersion): ImportedPath =>
      paths.get(path) ?? addPath(tx, path, before),
    /** Throws for a version that cannot be one, or whose content is missing. */
    addVersion
  }
}
