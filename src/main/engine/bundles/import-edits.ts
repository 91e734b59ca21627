/** The contents and edits of a bundle, written as the log of a new history. */
import { createHash } from 'node:crypto'
import { foldersAbove, parentOf } from '../files/paths.ts'
import { insertEditCall } from '../store/edit-calls.ts'
import { ABSENT, UNKNOWN } from '../store/fixed-versions.ts'
import type { LargeContentWriter } from '../store/large-content.ts'
import { ROOT_ID, type Store } from '../store/open-store.ts'
import type { PathId } from '../store/paths.ts'
import { transact, type Writable } from '../store/sql.ts'
import type { VersionId } from '../store/versions.ts'
import type { BundleLine, BundleVersion } from './line-schema.ts'
import { badBundle } from './read-bundle.ts'

type ValueOf<S extends BundleLine['section']> = Extract<BundleLine, { section: S }>['value']

interface ImportedContent {
  /** Row id in the new history. */
  readonly id: number
  readonly size: number
  readonly hash: string
  readonly masked: boolean
}

interface ImportedPath {
  readonly id: PathId
  /** The newest version as the bundle words it, and its row. */
  last: { readonly text: string; readonly version: VersionId }
  edit: number
}

/** Content up to this size is packed in one piece; what is larger is written as it comes. */
const SMALL = 1024 * 1024

export type EditImport = ReturnType<typeof createEditImport>

export function createEditImport(store: Store, run: string) {
  const contents = createContents(store)
  const paths = new Map<string, ImportedPath>()
  const folders = new Map<string, PathId>([['', ROOT_ID]])
  const edits: { readonly path: string; readonly isRemoval: boolean; taken: boolean }[] = []
  const masked = new Set<string>()

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
    /** Files of which a version is masked: what is shown is not what was written. */
    maskedPaths: (): string[] => [...masked].sort(),
    addContent: contents.add,
    addEdit: (tx: Writable<Store>, edit: ValueOf<'edit'>): void => {
      contents.close()
      const known = paths.get(edit.path) ?? addPath(tx, edit.path, edit.before)
      // [LG-2]
      if (known.last.text !== JSON.stringify(edit.before)) throw badBundle('its edits do not follow each other')
      const after = addVersion(tx, edit.after)
      const departure = edit.movedFrom === undefined ? null : edits[edit.movedFrom - 1]
      if (departure !== null && (!departure?.isRemoval || departure.taken || departure.path === edit.path))
        throw badBundle('a rename has no origin')
      const isOwn = edit.turn !== undefined
      const seq = tx.records.addEdit({
        path: known.id,
        before: known.last.version,
        after,
        origin: isOwn ? 'agent' : 'outside',
        attribution: isOwn ? edit.attribution : 'none',
        base: known.edit,
        at: edit.at,
        restore: null,
        drift: null,
        movedFrom: null
      } as Parameters<typeof tx.records.addEdit>[0])
      if (edit.turn !== undefined) insertEditCall(tx, seq, { run, turn: edit.turn, call: edit.call ?? null })
      if (departure && edit.movedFrom !== undefined) {
        departure.taken = true
        tx.records.setMovedFrom(seq, edit.movedFrom)
      }
      tx.records.setHead(known.id, after, seq, null, 0)
      known.last = { text: JSON.stringify(edit.after), version: after }
      known.edit = seq
      edits.push({ path: edit.path, isRemoval: edit.after.kind === 'absent', taken: false })
      for (const { content } of [edit.before, edit.after])
        if (content !== undefined && contents.get(content)?.masked) masked.add(edit.path)
    }
  }
}

/** Contents arrive in pieces, one after the other, and count once their size and hash are right. */
function createContents(store: Store) {
  const known = new Map<number, ImportedContent>()
  let open: {
    readonly line: ValueOf<'content'>
    parts: Buffer[]
    size: number
    large: LargeContentWriter | null
  } | null = null

  const close = (): void => {
    if (!open) return
    const { line, parts, size, large } = open
    open = null
    if (size !== line.size) throw badBundle('a content is incomplete')
    const bytes = Buffer.concat(parts)
    const stored = large ? large.finish() : null
    const hash = stored?.hash ?? createHash('sha256').update(bytes).digest()
    if (hash.toString('hex') !== line.sha256) throw badBundle('a content does not match its hash')
    const id = stored?.id ?? transact(store, (tx) => tx.content.put(bytes, hash, null))
    known.set(line.id, { id, size, hash: line.sha256, masked: line.masked ?? false })
  }
  return {
    get: (id: number): ImportedContent | null => known.get(id) ?? null,
    close,
    add: (line: Extract<BundleLine, { section: 'content' | 'bytes' }>): void => {
      if (line.section === 'content') {
        close()
        if (known.has(line.value.id)) throw badBundle('two contents have one id')
        const large = line.value.size > SMALL ? store.content.createLargeWriter() : null
        open = { line: line.value, parts: [], size: 0, large }
        return
      }
      if (!open) throw badBundle('bytes belong to no content')
      const bytes = Buffer.from(line.value, 'base64')
      open.size += bytes.length
      if (open.size > open.line.size) throw badBundle('a content is longer than it says')
      if (open.large) open.large.add(bytes)
      else open.parts.push(bytes)
    }
  }
}
