/** Bits that flip on the disk, anywhere in the stored bytes: doctor finds what they cost, and nothing else is lost. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DriftlineError } from '../../src/contract/errors.ts'
import { checkStore } from '../../src/main/engine/doctor/verify.ts'
import { createContent } from '../../src/main/engine/store/content.ts'
import { createRecentContents } from '../../src/main/engine/store/content-rows.ts'
import { readingAhead } from '../../src/main/engine/store/content-rows-ahead.ts'
import type { Store } from '../../src/main/engine/store/open-store.ts'
import { createTestLog, type TestLog } from '../main/engine/retention/test-log.ts'
import { scaled } from '../support/scale.ts'
import { bytesOf, LARGE_TEXTS } from './large-contents.ts'

const FLIPS = scaled(8)

/** Versions of a small file, each packed against the one before, or alone; and of a large one, which share chunks. */
function writeHistory(log: TestLog): void {
  const lines = Array.from({ length: 80 }, (_, n) => `line ${n} ${(n * 7919).toString(36)}\n`)
  for (let n = 0; n < 20; n++) {
    lines[(n * 13) % 80] = `line of version ${n}\n`
    if (n % 4 === 0) lines[(n * 29) % 80] = `and ${'another, much longer one '.repeat(n)}\n`
    log.edit('small', Buffer.from(lines.join('')), n)
    log.edit(`file ${n}`, Buffer.from(`content ${n}\n`.repeat(n * 7)), n)
  }
  for (const [n, text] of LARGE_TEXTS.slice(0, 3).entries()) log.edit('large', bytesOf(text), n)
}

interface Stored {
  readonly table: 'content' | 'chunk'
  readonly id: number
  readonly bytes: Buffer
}

/** The rows that hold bytes. */
function storedRows({ db }: Store): Stored[] {
  return db
    .prepare(
      `SELECT 'content' AS "table", id, bytes FROM content WHERE length(bytes) > 0
       UNION ALL SELECT 'chunk', id, bytes FROM chunk ORDER BY 1, 2`
    )
    .all() as Stored[]
}

/** The contents that cannot be read without this row: those packed against it, in any number of steps, or its chunk. */
function dependents({ db }: Store, { table, id }: Stored): number[] {
  const sql =
    table === 'chunk'
      ? 'SELECT DISTINCT content FROM content_chunk WHERE chunk = ?'
      : `WITH RECURSIVE built(id) AS (VALUES (?) UNION SELECT c.id FROM content c JOIN built b ON c.base = b.id)
         SELECT id FROM built`
  return db.prepare(sql).pluck().all(id) as number[]
}

/** Contents whose bytes are not returned, without any that are in memory. Wrong ones must never be. */
function unreadable(store: Store, whole: ReadonlyMap<number, Buffer>): number[] {
  const contents = createContent(store, createRecentContents(store))
  const fresh = createContent(store, createRecentContents(store))
  const ahead = readingAhead({ ...store, content: { ...store.content, ...fresh } }, [...whole.keys()]).content
  let last: { id: number; bytes: Buffer } | null = null
  return [...whole].flatMap(([id, bytes]) => {
    try {
      expect(contents.get(id, bytes.length).equals(bytes), `content ${id} is right, or refused`).toBe(true)
      expect(contents.get(id, bytes.length, last).equals(bytes), `and with parts of the one before`).toBe(true)
      expect(ahead.get(id, bytes.length).equals(bytes), `and where rows are read together`).toBe(true)
      last = { id, bytes }
      return []
    } catch (error) {
      if (!(error instanceof DriftlineError)) throw error
      expect(error.code).toBe('StoreDamaged')
      expect(() => ahead.get(id, bytes.length)).toThrow(error.message)
      return [id]
    }
  })
}

test(
  `[ST-1] [RS-18] ${FLIPS} bits flipped in any stored bytes: doctor finds each loss, and only what needs them is lost`,
  async () => {
    using log = createTestLog()
    writeHistory(log)
    const { store } = log
    const { db } = store
    const sizes = db.prepare('SELECT id, size FROM content').all() as { id: number; size: number }[]
    const whole = new Map(sizes.map(({ id, size }) => [id, store.content.get(id, size)]))
    const rows = storedRows(store)
    expect(new Set(db.prepare('SELECT codec FROM content').pluck().all())).toEqual(new Set([0, 1, 2, 3, 4]))
    const where = fc.record({ row: fc.nat(rows.length - 1), at: fc.nat(1 << 24), bit: fc.nat(7) })
    const property = fc.asyncProperty(where, async ({ row, at, bit }) => {
      const stored = rows[row] as Stored
      const flipped = Buffer.from(stored.bytes)
      flipped[at % flipped.length]! ^= 1 << bit
      const write = db.prepare(`UPDATE ${stored.table} SET bytes = ? WHERE id = ?`)
      try {
        write.run(flipped, stored.id)
        const needed = new Set(dependents(store, stored))
        const lost = unreadable(store, whole)
        const lostWithoutNeed = lost.filter((id) => !needed.has(id))
        expect(lostWithoutNeed).toEqual([])
        const found = await checkStore(store, true)
        expect(found.map(({ code }) => code)).toEqual(lost.map(() => 'Content'))
        expect(db.prepare('SELECT id FROM content WHERE damaged = 1 ORDER BY id').pluck().all()).toEqual(lost)
      } finally {
        write.run(stored.bytes, stored.id)
      }
      expect(await checkStore(store, true)).toEqual([])
    })
    await fc.assert(property, { numRuns: FLIPS })
  },
  60_000 + FLIPS * 2000
)
