/**
 * Reads the rows of contents that are needed one after the other together. Only small ones, such as the differences of a
 * long history: of others the bytes take longer than their row.
 */
import { type ContentId, type ContentRow, smallContentRows } from './content-rows.ts'
import type { Store } from './open-store.ts'
import type { Readable } from './sql.ts'

interface RowsAhead {
  /** The first of these that is needed has the small ones of all of them read. */
  readTogether(ids: readonly ContentId[]): void
  /** Undefined for a content that is not small, or that is needed by itself. */
  rowOf(id: ContentId): ContentRow | undefined
  clear(): void
}

/** `most`: packed bytes of a small one. */
export function createRowsAhead(store: Readable, most?: number): RowsAhead {
  /** Of each content that was not read, those that it is read with. */
  const groups = new Map<ContentId, readonly ContentId[]>()
  /** Of one group: a task works on one after the other. */
  let rows = new Map<ContentId, ContentRow>()
  return {
    readTogether: (ids) => {
      for (const id of ids) groups.set(id, ids)
    },
    rowOf: (id) => {
      const group = rows.has(id) ? undefined : groups.get(id)
      if (group) {
        for (const each of group) groups.delete(each)
        rows = smallContentRows(store, group, most)
      }
      return rows.get(id)
    },
    clear: () => {
      groups.clear()
      rows.clear()
    }
  }
}

/** Rows read together. */
const GROUP = 256
/** Packed bytes of a small content: more than usual, because every one of them is needed. */
const MOST_BYTES = 8192

/** The store, for reading these contents in their order. After a pause their rows may be older than it. */
export function readingAhead(store: Store, ids: readonly ContentId[]): Store {
  const rows = createRowsAhead(store, MOST_BYTES)
  for (let n = 0; n < ids.length; n += GROUP) rows.readTogether(ids.slice(n, n + GROUP))
  return { ...store, content: contentWith(rows, store) }
}

/** The store's contents, of which the rows read together are not read again. */
export function contentWith(rows: RowsAhead, { content }: Pick<Store, 'content'>): Store['content'] {
  return {
    ...content,
    get: (id, size, like) => content.get(id, size, like, rows.rowOf(id)),
    stream: (id, onChunk, size) => content.stream(id, onChunk, size, rows.rowOf(id)),
    isReadable: (id) => content.isReadable(id, () => rows.rowOf(id))
  }
}
