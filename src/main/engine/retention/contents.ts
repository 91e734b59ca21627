/**
 * Every content of a store as arrays of numbers by id: some 30 bytes each, whatever its size, read in short steps. Nothing
 * here keeps a transaction open between two steps.
 */
import { EMPTIED } from '../store/codec.ts'
import type { Store } from '../store/open-store.ts'

export type Pause = () => Promise<void> | undefined

/** Bits of `Contents.flags`. */
export const KNOWN = 1
export const REFERENCED = 2
export const HEAD = 4
export const NEEDED = 8
export const YOUNG = 16
export const GONE = 32
/** It is to go: held by a path whose history a person lets go of, and needed by none of the others. */
export const FORGOTTEN = 64

/** Row ids of paths whose history a person lets go of; null: nobody asked for that. */
export type Forgotten = ReadonlySet<number> | null

export interface Contents {
  /** Greatest id of each table that was looked at: what comes later is looked at again (ST-2). */
  readonly seen: { content: number; version: number; edit: number }
  /** Bytes it takes as it is kept. */
  readonly packed: Float64Array
  readonly size: Float64Array
  /** The content it is packed against, 0 = none. */
  readonly base: Int32Array
  readonly depth: Uint8Array
  readonly flags: Uint8Array
  /** The newest Edit that replaced it, 0 = none. */
  readonly last: Float64Array
}

const ROWS = 2000

export async function readContents(store: Store, forgotten: Forgotten, pause: Pause): Promise<Contents> {
  const { db } = store
  const top = (table: string, key: string): number =>
    (db.prepare(`SELECT coalesce(max(${key}), 0) AS top FROM ${table}`).get() as { top: number }).top
  // First of all: what is written from now on has greater ids, except emptied content that is filled again.
  const seen = { version: top('version', 'id'), edit: top('edit', 'seq'), content: top('content', 'id') }
  const room = seen.content + 1
  const contents: Contents = {
    seen,
    packed: new Float64Array(room),
    size: new Float64Array(room),
    base: new Int32Array(room),
    depth: new Uint8Array(room),
    flags: new Uint8Array(room),
    last: new Float64Array(room)
  }
  const rows = db
    .prepare(
      'SELECT id, size, codec, depth, coalesce(base, 0), coalesce(length(bytes), 0) FROM content WHERE id > ? AND id <= ? AND hash IS NOT NULL ORDER BY id LIMIT ?'
    )
    .raw()
  for await (const page of pages<[number, number, number, number, number, number]>(rows, seen.content, pause))
    for (const [id, size, codec, depth, base, packed] of page) {
      contents.flags[id] = codec === EMPTIED ? KNOWN | GONE : KNOWN
      contents.size[id] = size
      contents.depth[id] = depth
      contents.base[id] = base
      contents.packed[id] = packed
    }
  const chunks = db
    .prepare('SELECT id, content, length(bytes) FROM chunk WHERE id > ? AND id <= ? ORDER BY id LIMIT ?')
    .raw()
  for await (const page of pages<[number, number, number]>(chunks, top('chunk', 'id'), pause))
    for (const [, content, length] of page) if (content < room) contents.packed[content]! += length
  const heads = db
    .prepare(
      'SELECT p.id, (SELECT v.content FROM version v WHERE v.id = p.version) FROM path p WHERE p.id > ? AND p.id <= ? ORDER BY p.id LIMIT ?'
    )
    .raw()
  for await (const page of pages<[number, number | null]>(heads, top('path', 'id'), pause))
    for (const [id, content] of page)
      if (content !== null) contents.flags[content]! |= forgotten?.has(id) ? FORGOTTEN : HEAD | NEEDED
  return contents
}

/** What every path holds now. */
export function headContents({ db }: Store): { readonly path: number; readonly content: number }[] {
  return db
    .prepare(
      'SELECT p.id AS path, v.content FROM path p JOIN version v ON v.id = p.version WHERE v.content IS NOT NULL'
    )
    .all() as { path: number; content: number }[]
}

/** Pages of rows by ascending first column. `page` takes (after, to, rows). */
export async function* pages<Row extends readonly [number, ...unknown[]]>(
  page: { all(...values: unknown[]): unknown[] },
  to: number,
  pause: Pause
): AsyncGenerator<readonly Row[]> {
  for (let after = 0; after < to; ) {
    const rows = page.all(after, to, ROWS) as Row[]
    const last = rows.at(-1)
    if (!last) return
    yield rows
    after = last[0]
    const wait = pause()
    if (wait) await wait
  }
}
