/** A store whose log a test writes edit by edit; it remembers the content of every path at every position. */
import { join } from 'node:path'
import { PIECE } from '../../../../src/main/engine/files/stable-read.ts'
import { pack } from '../../../../src/main/engine/store/codec.ts'
import { sha256 } from '../../../../src/main/engine/store/hash.ts'
import { writeMeta } from '../../../../src/main/engine/store/meta.ts'
import { openStore, ROOT_ID, type Store } from '../../../../src/main/engine/store/open-store.ts'
import { createSplitter } from '../../../../src/main/engine/store/split.ts'
import { transact, type Writable } from '../../../../src/main/engine/store/sql.ts'
import { putStore } from '../../../support/empty-stores.ts'
import { tempFolder } from '../../../support/tmp.ts'

export interface TestLog extends Disposable {
  readonly store: Store
  readonly file: string
  /** Appends an edit that makes this the content of the path. Returns its seq. */
  edit(path: string, bytes: Buffer, at: number): number
  checkpoint(reason: string, at: number, session?: string): string
  /** Bytes of every path at a position. */
  contentAt(seq: number): Map<string, Buffer>
  /** The same as the store has it; null where the content is evicted. */
  keptAt(seq: number): Map<string, Buffer | null>
}

export function createTestLog(): TestLog {
  const temp = tempFolder()
  const file = join(temp.path, 'store.db')
  putStore(file)
  const store = openStore(file)
  const { records, db } = store
  const contents: Map<string, Buffer>[] = [new Map()]
  transact(store, (tx) => writeMeta(tx, 'coverage', 'complete'))
  const put = ({ content }: Writable<Store>, bytes: Buffer, previous: number | null): number => {
    const hash = sha256(bytes)
    if (bytes.length <= PIECE) return content.put(bytes, hash, previous)
    const splitter = createSplitter()
    const chunks = [...splitter.push(bytes), ...splitter.end()]
    return content.putPacked(
      hash,
      bytes.length,
      chunks.map((chunk) => ({ hash: sha256(chunk), packed: pack(chunk) }))
    )
  }
  const add = (tx: Writable<Store>, bytes: Buffer, previous: number | null): number =>
    tx.records.addVersion(
      { kind: 'file', size: bytes.length, mode: 0o644, hash: null, target: null, notStored: null },
      put(tx, bytes, previous)
    )
  return {
    store,
    file,
    edit: (path, bytes, at) =>
      transact(store, (tx) => {
        const { records } = tx
        const known = records.head(path)
        const id = known?.id ?? records.addPath(path, ROOT_ID)
        const before = known?.version ?? records.absent
        const after = add(tx, bytes, known?.version == null ? null : records.version(known.version).content)
        const seq = records.addEdit({
          path: id,
          before,
          after,
          origin: 'outside',
          attribution: 'none',
          base: known?.edit ?? 0,
          at,
          restore: null,
          drift: null
        })
        records.setHead(id, after, seq, null, at)
        contents[seq] = new Map(contents[seq - 1]).set(path, bytes)
        db.prepare("UPDATE meta SET value = value + 1 WHERE key = 'rev'").run()
        return seq
      }),
    checkpoint: (reason, at, session) => {
      const n = (db.prepare('SELECT count(*) AS n FROM checkpoint').get() as { n: number }).n + 1
      transact(store, () => {
        db.prepare('INSERT INTO checkpoint(id, n, seq, reason, at, session) VALUES (?, ?, ?, ?, ?, ?)').run(
          `cp_${n}`,
          n,
          records.lastSeq(),
          reason,
          at,
          session ?? null
        )
        db.prepare("UPDATE meta SET value = value + 1 WHERE key = 'rev'").run()
      })
      return `cp_${n}`
    },
    contentAt: (seq) => contents[seq] ?? new Map(),
    keptAt: (seq) => {
      const kept = new Map<string, Buffer | null>()
      for (const head of records.below('')) {
        const next = db
          .prepare('SELECT before FROM edit WHERE path = ? AND seq > ? ORDER BY seq LIMIT 1')
          .get(head.id, seq) as { before: number } | undefined
        const version = records.version(next?.before ?? (head.version as number))
        if (version.kind === 'absent') continue
        kept.set(
          head.path,
          version.notStored === null && version.content !== null
            ? store.content.get(version.content, version.size)
            : null
        )
      }
      return kept
    },
    [Symbol.dispose]: () => {
      store.close()
      temp[Symbol.dispose]()
    }
  }
}
