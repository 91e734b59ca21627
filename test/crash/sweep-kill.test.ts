/** A sweep killed before any statement that writes: nothing that is needed is lost, and the next one continues. */
import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { recordedFolder } from '../support/recorded-folder.ts'
import { limitFor } from '../support/scale.ts'
import { readTree, writeFiles } from '../support/tree.ts'
import { countWrites, killBefore, killPoints, storedVersions } from './kill-points.ts'

const LINES = Array.from({ length: 300 }, (_, i) => `line ${i}`)
/** Each packed against the one before: as a delta, or a splice. */
const delta = (n: number): Buffer =>
  Buffer.from(LINES.map((line, i) => (i % 40 === n % 40 ? `here ${n}` : line)).join('\n'))
const splice = (n: number): Buffer => Buffer.from(LINES.with(7, `here ${n}`).join('\n'))

test(
  '[ST-2] a sweep killed before any statement loses nothing, and the next one finishes it',
  async () => {
    const noise = randomBytes(4_000_000)
    /** Versions share most chunks. */
    const large = (n: number): Buffer => Buffer.concat([noise.subarray(n * 300_000), Buffer.from(`end ${n}`)])
    const filesAt = (n: number) => ({ delta: delta(n), splice: splice(n), ...(n % 3 === 0 ? { large: large(n) } : {}) })
    const written: Record<string, Buffer[]> = { delta: [], splice: [], large: [] }
    await using folder = await recordedFolder({ files: filesAt(0) })
    let n = 0
    const write = (): void => {
      writeFiles(folder.root, filesAt(n % 12))
      for (const [path, bytes] of Object.entries(filesAt(n % 12))) written[path]?.push(bytes)
      n++
    }
    write()
    const change = async (times: number): Promise<void> => {
      for (let time = 0; time < times; time++) {
        write()
        await folder.check()
      }
    }
    await change(5)
    const pin = await folder.checkpoint('kept')
    const wanted = readTree(folder.root)
    await change(12)
    for (const dieBefore of killPoints(await countWrites(folder, { do: 'sweep' }))) {
      await change(8)
      await killBefore(folder, { do: 'sweep' }, dieBefore)
      expect((await folder.engine.call('doctor.run', { deep: true })).problems, `before ${dieBefore}`).toEqual([])
      for (const [path, versions] of Object.entries(written)) {
        const stored = folder.store((store) => storedVersions(store, path))
        const lost = stored.flatMap((bytes, at) => (bytes === null || versions[at]?.equals(bytes) ? [] : [at]))
        expect([stored.length, lost], `${path}, killed before ${dieBefore}`).toEqual([versions.length, []])
        expect(stored.at(-1), `the newest version of ${path}`).not.toBeNull()
      }
    }
    // Any number of kills ends with other contents than the pinned ones.
    await change(1)
    await countWrites(folder, { do: 'sweep' })
    const evicted = folder.store(({ db }) => db.prepare('SELECT count(*) FROM content WHERE codec = 9').pluck().get())
    expect(evicted).toBeGreaterThanOrEqual(10)
    const unused = 'SELECT count(*) FROM chunk WHERE id NOT IN (SELECT chunk FROM content_chunk)'
    expect(folder.store(({ db }) => db.prepare(unused).pluck().get())).toBe(0)
    expect((await folder.engine.call('doctor.run', { deep: true })).problems).toEqual([])
    expect((await folder.apply({ kind: 'restore', target: pin, outside: 'replace' })).state).toBe('done')
    expect(readTree(folder.root)).toEqual(wanted)
  },
  limitFor(200)
)
