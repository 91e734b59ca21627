/** Content is stored once under its hash, is never lost to a sweep, and does not block recording when it is damaged. */
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { append } from '../../../../src/main/engine/capture/append.ts'
import { observe } from '../../../../src/main/engine/capture/observe.ts'
import { createWorkspaceFs } from '../../../../src/main/engine/files/workspace-fs.ts'
import { systemClock } from '../../../../src/main/engine/ports/clock.ts'
import { deleteEvictedChunks, evictChunked } from '../../../../src/main/engine/store/evictions.ts'
import { sha256 } from '../../../../src/main/engine/store/hash.ts'
import type { Store } from '../../../../src/main/engine/store/open-store.ts'
import { MAX_CHUNK_SIZE } from '../../../../src/main/engine/store/split.ts'
import { transact } from '../../../../src/main/engine/store/sql.ts'
import { openRecorder } from '../../../support/crash-recorder.ts'
import { type RecordedFolder, recordedFolder } from '../../../support/recorded-folder.ts'
import { remove, writeFiles } from '../../../support/tree.ts'

const outside = () => ({ origin: 'outside', attribution: 'none', by: [], drift: null }) as const
const count = (folder: RecordedFolder, sql: string): number =>
  folder.store((store) => store.db.prepare(sql).pluck().get() as number)

function writeLarge(store: Store, bytes: Buffer): number {
  const writer = store.content.createLargeWriter()
  writer.add(bytes)
  return writer.finish().id
}

/** Chunks of contents that are not there: SQLite may give their ids to others. */
const chunksOfNothing = ({ db }: Store): unknown =>
  db.prepare('SELECT count(*) FROM content_chunk WHERE content NOT IN (SELECT id FROM content)').pluck().get()

test('[B16] [ST-1] the same bytes are stored once, whatever their names, times and sizes', async () => {
  const large = randomBytes(2_500_000)
  await using folder = await recordedFolder({ files: { a: 'same', 'd/b': 'same', c: 'same', big: large } })
  writeFiles(folder.root, { d2: 'same', big2: large })
  await folder.check()
  remove(folder.root, 'big', 'big2')
  await folder.check()
  writeFiles(folder.root, { again: large })
  await folder.check()
  expect(count(folder, 'SELECT count(*) FROM content')).toBe(2)
  expect(count(folder, 'SELECT sum(length(bytes)) FROM chunk')).toBe(2_500_000)
})

test('[ST-1] versions of a large file share what they have in common, and each can be read exactly', async () => {
  const first = randomBytes(6_000_000)
  const second = Buffer.concat([first.subarray(0, 2_000_000), Buffer.from('a line\n'), first.subarray(2_000_000)])
  const third = Buffer.from(second)
  third[5_000_000]! ^= 1
  await using folder = await recordedFolder({ files: { big: first } })
  const stored = () => count(folder, 'SELECT sum(length(bytes)) FROM chunk')
  const sizes = [stored()]
  writeFiles(folder.root, { big: second })
  await folder.check()
  sizes.push(stored())
  const run = await folder.run('edit', () => writeFiles(folder.root, { big: third }))
  sizes.push(stored())
  expect(sizes[0]).toBe(first.length)
  // Two chunks at most, where the change falls between them.
  for (const n of [1, 2]) expect(sizes[n]! - sizes[n - 1]!).toBeLessThanOrEqual(2 * MAX_CHUNK_SIZE)
  for (const [seq, bytes] of [first, second, third].entries()) {
    const target = `seq:${seq}`
    const { base64 } = await folder.engine.call('file.cat', { workspace: folder.workspace, target, path: 'big' })
    expect(Buffer.from(base64, 'base64').equals(bytes), target).toBe(true)
  }
  expect((await folder.apply({ kind: 'undo-run', run })).state).toBe('done')
  expect(readFileSync(join(folder.root, 'big')).equals(second)).toBe(true)
})

test('[ST-1] a file that begins as a zstd dictionary does is recorded like any other, and so is what follows', async () => {
  const first = `\x37\xa4\x30\xec${'const a = 1\n'.repeat(50)}`
  const bytes = (text: string): Buffer => Buffer.from(text, 'latin1')
  await using folder = await recordedFolder({ files: { dict: bytes(first), other: 'a line\n'.repeat(50) } })
  const edit = (): void =>
    writeFiles(folder.root, { dict: bytes(`${first}more`), other: `${'a line\n'.repeat(50)}more` })
  const before = folder.tree()
  const run = await folder.run('edit', edit)
  expect((await folder.engine.call('diff.files', { workspace: folder.workspace, target: run })).files).toHaveLength(2)
  expect((await folder.apply({ kind: 'undo-run', run })).state).toBe('done')
  expect(folder.tree()).toEqual(before)
})

test.each([0, 1])(
  '[ST-1] a damaged chunk, number %i, is found in every version that has it, and storing its bytes again repairs them all',
  async (n) => {
    const first = randomBytes(3_000_000)
    const second = Buffer.concat([first, Buffer.from('more')])
    await using folder = await recordedFolder({ files: { big: first } })
    writeFiles(folder.root, { big: second })
    await folder.check()
    folder.store(({ db }) =>
      db
        .prepare('UPDATE chunk SET bytes = zeroblob(9) WHERE id = (SELECT id FROM chunk ORDER BY id LIMIT 1 OFFSET ?)')
        .run(n)
    )
    const codes = async () => (await folder.engine.call('doctor.run', { deep: true })).problems.map(({ code }) => code)
    expect(await codes()).toEqual(['Content', 'Content'])
    // What doctor found is marked, so the next comparison reads the file again and stores it.
    await folder.check()
    expect(await codes()).toEqual([])
    for (const [seq, bytes] of [first, second].entries()) {
      const target = `seq:${seq}`
      const { base64 } = await folder.engine.call('file.cat', { workspace: folder.workspace, target, path: 'big' })
      expect(Buffer.from(base64, 'base64').equals(bytes), target).toBe(true)
    }
  }
)

test('[ST-2] large content that was evicted is stored again by the next file with its bytes, whatever a killed sweep left of it', async () => {
  const large = randomBytes(3_000_000)
  await using folder = await recordedFolder({})
  folder.store((store) => {
    const id = writeLarge(store, large)
    for (const sweepsLeft of [0, 1, 100]) {
      transact(store, (tx) => {
        evictChunked(tx, id)
        deleteEvictedChunks(tx, id, sweepsLeft)
      })
      expect(store.content.find(sha256(large))).toBeNull()
      expect(writeLarge(store, large)).toBe(id)
      expect(store.content.get(id, large.length).equals(large)).toBe(true)
      expect(chunksOfNothing(store)).toBe(0)
    }
  })
})

test('[ST-1] two that write the same large content at once store it once, with nothing left of the other', async () => {
  const large = randomBytes(6_000_000)
  await using folder = await recordedFolder({})
  folder.store((store) => {
    const slow = store.content.createLargeWriter()
    slow.add(large.subarray(0, 2_000_000))
    const id = writeLarge(store, large)
    slow.add(large.subarray(2_000_000))
    expect([slow.finish().id, chunksOfNothing(store)]).toEqual([id, 0])
    expect(store.content.get(id, large.length).equals(large)).toBe(true)
    expect(store.db.prepare('SELECT count(*) FROM content').pluck().get()).toBe(1)
  })
})

test('[CP-2] a large file that changes while it is read leaves nothing of what was read before', async () => {
  const large = randomBytes(3_000_000)
  await using folder = await recordedFolder({})
  folder.store((store) => {
    const rows = (): unknown =>
      store.db.prepare('SELECT (SELECT count(*) FROM content) + (SELECT count(*) FROM chunk)').pluck().get()
    const writer = store.content.createLargeWriter()
    writer.add(randomBytes(2_000_000))
    expect(rows()).toBeGreaterThan(0)
    writer.restart()
    expect(rows()).toBe(0)
    writer.add(large)
    const { id, hash } = writer.finish()
    expect([hash, store.content.get(id, large.length)]).toEqual([sha256(large), large])
  })
})

test('[ST-1] content that is stored again keeps what is packed against it', async () => {
  const [first, second] = ['one', 'two'].map((word) => Buffer.from(`${word}\n${'line\n'.repeat(90)}`))
  await using folder = await recordedFolder({})
  folder.store((store) => {
    const put = (bytes: Buffer, previous: number | null): number =>
      transact(store, ({ content }) => content.put(bytes, sha256(bytes), previous))
    const ids = [put(first as Buffer, null)]
    ids.push(put(second as Buffer, ids[0] as number))
    expect(put(first as Buffer, ids[1] as number)).toBe(ids[0])
    expect(ids.map(store.content.verifier())).toEqual([true, true])
  })
})

test('[ST-1] each of a hundred small edits of one file can be read exactly', async () => {
  const text = (i: number): string =>
    Array.from({ length: 200 }, (_, n) => `line ${n === i ? `changed ${i}` : n}`).join('\n')
  await using folder = await recordedFolder({ files: { a: text(-1) } })
  for (let i = 0; i < 100; i++) {
    writeFiles(folder.root, { a: text(i) })
    await folder.check()
  }
  for (const seq of [100, 1, 50, 41, 40, 39, 99]) {
    const { base64 } = await folder.engine.call('file.cat', {
      workspace: folder.workspace,
      target: `seq:${seq}`,
      path: 'a'
    })
    expect(Buffer.from(base64, 'base64').toString()).toBe(text(seq - 1))
  }
  expect(count(folder, 'SELECT max(depth) FROM content'), 'contents unpacked to read one').toBe(12)
  expect((await folder.engine.call('doctor.run', { deep: true })).problems).toEqual([])
})

test('[ST-1] doctor finds the damage of contents that the recorder still has in memory, and of those packed against them', async () => {
  const text = (word: string): string => Array.from({ length: 100 }, (_, n) => `${n === 50 ? word : n}`).join('\n')
  await using folder = await recordedFolder({ files: { a: text('one'), b: text('other') } })
  for (const word of ['two', 'three']) {
    writeFiles(folder.root, { a: text(word) })
    await folder.check()
  }
  const damaged = folder.store((store) => {
    const id = store.db.prepare('SELECT id FROM content WHERE depth = 1').pluck().get()
    return store.db.prepare('UPDATE content SET bytes = zeroblob(9) WHERE id = ?').run(id).changes
  })
  expect(damaged).toBe(1)
  const { problems } = await folder.engine.call('doctor.run', { deep: true })
  expect(problems.map(({ code }) => code)).toEqual(['Content', 'Content'])
})

test('[ST-1] content is never packed against bytes that are not what their hash says', async () => {
  const text = (word: string): Buffer => Buffer.from(`${word}\n${'line\n'.repeat(90)}`)
  await using folder = await recordedFolder({ files: { a: text('one') } })
  const packed = folder.store((store) => {
    const previous = store.records.version(store.records.head('a')?.version as number).content as number
    store.db.prepare('UPDATE content SET codec = 0, bytes = ? WHERE id = ?').run(text('ONE'), previous)
    const bytes = text('two')
    const id = transact(store, ({ content }) => content.put(bytes, sha256(bytes), previous))
    return store.db.prepare('SELECT base, depth FROM content WHERE id = ?').get(id)
  })
  expect(packed).toEqual({ base: null, depth: 0 })
})

test('[RS-18] content is never packed against one that is damaged, although its bytes are still in memory', async () => {
  const text = (word: string): Buffer => Buffer.from(`${word}\n${'line\n'.repeat(90)}`)
  await using folder = await recordedFolder({})
  const packed = folder.store((store) => {
    const put = (bytes: Buffer, previous: number | null): number =>
      transact(store, ({ content }) => content.put(bytes, sha256(bytes), previous))
    const previous = put(text('one'), null)
    transact(store, (tx) => void tx.content.markDamaged(tx, previous))
    return store.db.prepare('SELECT base, depth FROM content WHERE id = ?').get(put(text('two'), previous))
  })
  expect(packed).toEqual({ base: null, depth: 0 })
})

test('[CP-3] a damaged old version does not stop newer versions or other files from being recorded', async () => {
  const text = (word: string): string => `${word}\n`.repeat(300)
  await using folder = await recordedFolder({ files: { a: text('one'), b: text('other') } })
  folder.store((store) => {
    const { content } = store.records.version(store.records.head('a')?.version as number)
    store.db.prepare('UPDATE content SET codec = 1, bytes = ? WHERE id = ?').run(Buffer.alloc(40, 0xee), content)
  })
  writeFiles(folder.root, { a: text('two'), b: text('changed') })
  await folder.check()
  const run = await folder.run('edit', () => writeFiles(folder.root, { a: text('three') }))
  expect((await folder.apply({ kind: 'undo-run', run })).state).toBe('done')
  expect(readFileSync(join(folder.root, 'a'), 'utf8')).toBe(text('two'))
  const doctor = await folder.engine.call('doctor.run', { deep: true })
  expect(doctor.problems.map((problem) => problem.code)).toEqual(['Content'])
})

test('[ST-2] a sweep of another process never removes content that is being recorded', async () => {
  await using folder = await recordedFolder({ files: { a: 'one' } })
  await using open = openRecorder(folder.dataDir, folder.workspace)
  const { store, root } = open.recorder
  const large = randomBytes(3_000_000)
  writeFiles(root, { large })
  const observation = observe(createWorkspaceFs(root), store.content, 'large', {
    limit: Number.POSITIVE_INFINITY,
    folderReason: null,
    readAt: Date.now()
  })
  expect(observation.large).not.toBeNull()
  await folder.engine.call('gc.run', { workspace: folder.workspace, dryRun: false })
  // Another process records meanwhile: SQLite may give a freed id to its content.
  folder.store((otherStore) => {
    const content = otherStore.content.createLargeWriter()
    content.add(randomBytes(1_500_000))
    content.finish()
  })
  const appended = transact(store, (tx) => append(tx, root, [observation], { author: outside, at: Date.now() }))
  expect([appended.edits.map(({ path }) => path), appended.stale]).toEqual([['large'], []])
  await folder.check()
  const { base64 } = await folder.engine.call('file.cat', { workspace: folder.workspace, target: 'now', path: 'large' })
  expect(Buffer.from(base64, 'base64').equals(large)).toBe(true)
  expect((await folder.engine.call('doctor.run', { deep: true })).problems).toEqual([])
})

test('[ST-2] unfinished content whose writer died is swept after it has not grown for long enough', async () => {
  await using folder = await recordedFolder({ files: { a: 'one' } })
  folder.store((store) => store.content.createLargeWriter().add(randomBytes(2 << 20)))
  const sweep = async (): Promise<number> => {
    await folder.engine.call('gc.run', { workspace: folder.workspace, dryRun: false })
    return count(folder, 'SELECT count(*) FROM content WHERE hash IS NULL')
  }
  expect([await sweep(), await sweep()]).toEqual([1, 1])
  await folder.reopen({ clock: { ...systemClock, now: () => Date.now() + 3_600_000 } })
  expect(await sweep()).toBe(0)
  expect(count(folder, 'SELECT count(*) FROM chunk')).toBe(0)
})

test('[ST-2] a sweep never removes content that another process is writing', async () => {
  await using folder = await recordedFolder({ files: { a: 'one' } })
  await using open = openRecorder(folder.dataDir, folder.workspace)
  const { content } = open.recorder.store
  const chunks = [randomBytes(2 << 20), randomBytes(2 << 20), randomBytes(99)]
  const large = content.createLargeWriter()
  large.add(chunks[0] as Buffer)
  await folder.engine.call('gc.run', { workspace: folder.workspace, dryRun: false })
  large.add(chunks[1] as Buffer)
  await folder.engine.call('gc.run', { workspace: folder.workspace, dryRun: false })
  large.add(chunks[2] as Buffer)
  const { id, size } = large.finish()
  expect(content.get(id, size).equals(Buffer.concat(chunks))).toBe(true)
})

test('[ST-2] a writer that paused until it counted as dead never writes into other content', async () => {
  await using folder = await recordedFolder({ files: { a: 'one' } })
  await using open = openRecorder(folder.dataDir, folder.workspace)
  const { store } = open.recorder
  const large = store.content.createLargeWriter()
  const abandoned = store.content.createLargeWriter()
  for (const content of [large, abandoned]) content.add(randomBytes(2 << 20))
  const gc = () => folder.engine.call('gc.run', { workspace: folder.workspace, dryRun: false })
  await gc()
  await folder.reopen({ clock: { ...systemClock, now: () => Date.now() + 3_600_000 } })
  await gc()
  const theirs = randomBytes(3 << 20)
  writeFiles(folder.root, { theirs })
  await folder.check()
  expect(() => large.add(randomBytes(2 << 20))).toThrow('given up')
  expect(() => large.finish()).toThrow('given up')
  abandoned.abandon()
  const { base64 } = await folder.engine.call('file.cat', {
    workspace: folder.workspace,
    target: 'now',
    path: 'theirs'
  })
  expect(Buffer.from(base64, 'base64').equals(theirs)).toBe(true)
  expect((await folder.engine.call('doctor.run', { deep: true })).problems).toEqual([])
})

test('[ST-1] [ST-2] a version of a large file never takes chunks of other content that got the row of the version before', async () => {
  const first = randomBytes(3_000_000)
  await using folder = await recordedFolder({})
  folder.store((store) => {
    const previous = writeLarge(store, first)
    const writer = store.content.createLargeWriter(previous)
    writer.add(Buffer.concat([first, Buffer.from('more')]))
    const { hash } = writer.end()
    const other = writeLarge(store, randomBytes(6_000_000))
    transact(store, ({ db }) => {
      const row = db.prepare('SELECT hash, size FROM content WHERE id = ?').get(other)
      db.prepare('DELETE FROM content_chunk WHERE content = ?').run(previous)
      db.prepare('UPDATE content_chunk SET content = ? WHERE content = ?').run(previous, other)
      db.prepare('DELETE FROM content WHERE id = ?').run(other)
      db.prepare(`UPDATE content SET hash = @hash, size = @size WHERE id = ${previous}`).run(row)
    })
    expect(() => transact(store, (tx) => writer.store(tx, hash))).toThrow('removed from the history')
    expect(store.content.find(hash)).toBe(null)
  })
})

test('[ST-2] a sweep removes what nothing refers to, and nothing else', async () => {
  await using folder = await recordedFolder({ files: { a: 'x'.repeat(3000), b: 'y'.repeat(3000) } })
  await folder.run('edit', () => writeFiles(folder.root, { a: 'z'.repeat(3000) }))
  folder.store((store) =>
    transact(store, (tx) => tx.content.put(Buffer.from('nobody needs this'), Buffer.alloc(32, 7), null))
  )
  const before = count(folder, 'SELECT count(*) FROM content')
  const dry = await folder.engine.call('gc.run', { workspace: folder.workspace, dryRun: true })
  expect([dry.pruned.length, count(folder, 'SELECT count(*) FROM content')]).toEqual([1, before])
  await folder.engine.call('gc.run', { workspace: folder.workspace, dryRun: false })
  expect(count(folder, 'SELECT count(*) FROM content')).toBe(before - 1)
  expect((await folder.engine.call('doctor.run', { deep: true })).problems).toEqual([])
  expect((await folder.apply({ kind: 'restore', target: 'seq:0' })).state).toBe('done')
})
