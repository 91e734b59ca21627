/** The contents of a bundle, written into a new history. */
import { createHash } from 'node:crypto'
import type { LargeContentWriter } from '../store/large-content.ts'
import type { Store } from '../store/open-store.ts'
import { transact } from '../store/sql.ts'
import type { BundleLine, ValueOf } from './line-schema.ts'
import { badBundle } from './read-bundle.ts'

interface ImportedContent {
  /** Row id in the new history. */
  readonly id: number
  readonly size: number
  readonly hash: string
  readonly masked: boolean
}

/** Content up to this size is packed in one piece; what is larger is written as it comes. */
const SMALL = 1024 * 1024

export type ContentImport = ReturnType<typeof createContentImport>

/** Contents arrive in pieces, one after the other, and count once their size and hash are right. */
export function createContentImport(store: Store) {
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
    /** Null if the bundle has none with this id before. */
    get: (id: number): ImportedContent | null => known.get(id) ?? null,
    /** Throws if the last one is not complete. */
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
