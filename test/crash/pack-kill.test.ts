/**
 * A recorder that is killed before any statement by which it packs what it records: splices, deltas, chunks, and texts of
 * conversations. What it had committed is there byte by byte, and the rest is recorded by the next one.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { messagesOf } from '../../src/main/engine/store/messages.ts'
import { caughtUp } from '../support/caught-up.ts'
import { type RecordedFolder, recordedFolder } from '../support/recorded-folder.ts'
import { limitFor } from '../support/scale.ts'
import { writeFiles } from '../support/tree.ts'
import { countWrites, expectSameVersions, killBefore, killPoints, storedVersions } from './kill-points.ts'

const SESSION = '11111111-2222-4333-8444-555555555555'
const MANY_KILLS = limitFor(200)

const lines = Array.from({ length: 400 }, (_, line) => `line ${line} ${(line * 7919).toString(36)}`)
const large = Array.from({ length: 60_000 }, (_, line) => `row ${line} of a large file, ${(line * 104_729) % 65_521}`)

/** The n-th version of each file: packed as a splice, a delta, alone, and in chunks. */
function versionsAt(n: number): Record<string, Buffer> {
  return {
    splice: Buffer.from(lines.with(200, `version ${n}`).join('\n')),
    delta: Buffer.from(
      lines.map((line, at) => (at % 9 === n % 9 ? `${line} of version ${n}, longer` : line)).join('\n')
    ),
    alone: Buffer.from(`${n} `.repeat(20 + n)),
    large: Buffer.from(large.toSpliced((n * 7717) % 60_000, 1, `one, of version ${n}`, 'another').join('\n')),
    // More than one transaction of new chunks.
    noise: noise(n, 2_200_000)
  }
}

function noise(seed: number, size: number): Buffer {
  const bytes = Buffer.alloc(size)
  let x = (seed + 1) * 0x9e3779b9
  for (let at = 0; at < size; at++) {
    x ^= x << 13
    x ^= x >>> 17
    x ^= x << 5
    bytes[at] = x
  }
  return bytes
}

const doctor = async ({ engine }: RecordedFolder) => (await engine.call('doctor.run', { deep: true })).problems

test(
  '[B15] [ST-1] killed before any step of packing splices, deltas and chunks: each version is whole, and the next scan records the rest',
  async () => {
    const first = versionsAt(0)
    const written = [first]
    await using folder = await recordedFolder({ files: first })
    const change = (): void => {
      const files = versionsAt(written.length)
      written.push(files)
      writeFiles(folder.root, files)
    }
    /** Compares the `newest` versions of each file, of which `counts` may be stored. */
    const expectStored = (counts: readonly number[], when: string, newest = written.length): void =>
      folder.store((store) => {
        for (const path of Object.keys(first)) {
          const stored = storedVersions(store, path, newest)
          expect(counts, `${path}, ${when}`).toContain(stored.length)
          const from = Math.max(0, stored.length - newest)
          const expected = written.slice(from).map((files) => files[path] as Buffer)
          expectSameVersions(stored.slice(from), expected, path)
        }
      })
    change()
    for (const dieBefore of killPoints(await countWrites(folder, { do: 'record' }))) {
      change()
      await killBefore(folder, { do: 'record' }, dieBefore)
      // Reads every version and compares its hash.
      expect(await doctor(folder)).toEqual([])
      expectStored([written.length - 1, written.length], `killed before ${dieBefore}`, 2)
      await folder.check()
      expectStored([written.length], `recorded after the kill before ${dieBefore}`, 2)
    }
    expectStored([written.length], 'at the end')
    const codecs = folder.store(({ db }) => db.prepare('SELECT DISTINCT codec FROM content ORDER BY 1').pluck().all())
    expect(codecs).toEqual(expect.arrayContaining([1, 2, 3, 4]))
  },
  MANY_KILLS
)

test(
  '[GW-8] [ST-5] killed before any step of packing a conversation: no message is lost, repeated or changed',
  async () => {
    await using folder = await recordedFolder({ files: { 'a.txt': 'a' } })
    const transcript = join(folder.home, '.claude/projects/p', `${SESSION}.jsonl`)
    mkdirSync(join(folder.home, '.claude/projects/p'), { recursive: true })
    const texts: string[] = []
    const lines: string[] = []
    /** More than two packs, and more than one slice of an import. */
    const extend = (): void => {
      for (let more = 0; more < 300; more++) {
        const [n, text] = [
          texts.length,
          `answer ${texts.length} é 😀 ${'word '.repeat((texts.length * 37) % 700)}`.trim()
        ]
        texts.push(text)
        lines.push(JSON.stringify({ type: 'assistant', uuid: `u${n}`, message: { content: [{ type: 'text', text }] } }))
      }
      writeFileSync(transcript, `${lines.join('\n')}\n`)
    }
    const answers = (): string[] =>
      folder
        .store((store) => [...messagesOf(store, SESSION)].map(({ text }) => text))
        .filter((text) => text !== 'go on')
    extend()
    const work = { do: 'import', transcript, session: SESSION } as const
    const count = await countWrites(folder, work)
    expect(answers()).toEqual(texts)
    for (const dieBefore of killPoints(count)) {
      extend()
      await killBefore(folder, work, dieBefore)
      expect(await doctor(folder)).toEqual([])
      const stored = answers()
      expect(stored, `killed before ${dieBefore}`).toEqual(texts.slice(0, stored.length))
      await countWrites(folder, work)
      await folder.reopen()
      await caughtUp(folder)
      expect(answers(), `after the kill before ${dieBefore}`).toEqual(texts)
    }
  },
  MANY_KILLS
)
