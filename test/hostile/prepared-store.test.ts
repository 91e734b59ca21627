/** A history that another program prepared: it is refused or named, within the memory and the time of an ordinary one. */
import { readdirSync, readlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { zstdCompressSync } from 'node:zlib'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { createEngine } from '../../src/main/engine/engine.ts'
import { sha256 } from '../../src/main/engine/store/hash.ts'
import { storeFile } from '../../src/main/engine/workspaces/store-file.ts'
import { INGEST_PROGRAM } from '../support/programs.ts'
import { type RecordedFolder, recordedFolder } from '../support/recorded-folder.ts'
import { readTree, writeFiles } from '../support/tree.ts'

/** Changes the history while nothing has it open. */
async function prepare(folder: RecordedFolder, change: (db: Database.Database) => void): Promise<void> {
  await folder.engine.close()
  const db = new Database(storeFile(folder.dataDir, folder.workspace))
  db.pragma('foreign_keys = OFF')
  change(db)
  db.close()
  await folder.reopen()
}

const contentOf = (db: Database.Database, path: string): number =>
  db
    .prepare('SELECT v.content FROM path p JOIN version v ON v.id = p.version WHERE p.name = ?')
    .pluck()
    .get(path) as number

const cat = ({ engine, workspace }: RecordedFolder, path: string, target = 'seq:0') =>
  engine.call('file.cat', { workspace, target, path })

async function codesOf({ engine }: RecordedFolder): Promise<string[]> {
  return (await engine.call('doctor.run', { deep: true })).problems.map(({ code }) => code)
}

/** How much the process grows while `work` runs, bytes. */
async function growthOf(work: () => Promise<unknown>): Promise<number> {
  const before = process.memoryUsage().rss
  await work()
  return process.memoryUsage().rss - before
}

const MB = 1024 * 1024
const zeros = (megabytes: number): Buffer => zstdCompressSync(Buffer.alloc(megabytes * MB))
/** More than a reader may grow by. */
const bomb = zeros(300)

test('[ST-7] content that unpacks to more than its size is damaged, and takes no memory', async () => {
  await using folder = await recordedFolder({ files: { bomb: 'x'.repeat(500), other: 'y'.repeat(500) } })
  await prepare(folder, (db) => {
    db.prepare('UPDATE content SET codec = 1, base = NULL, bytes = ? WHERE id = ?').run(bomb, contentOf(db, 'bomb'))
  })
  const grown = await growthOf(async () => {
    await expect(cat(folder, 'bomb')).rejects.toMatchObject({ code: 'NotStored' })
    expect(await codesOf(folder)).toEqual(['Content'])
  })
  expect(grown).toBeLessThan(200 * MB)
  expect((await cat(folder, 'other')).size).toBe(500)
})

test('[ST-7] a search passes over content that unpacks to more than its size, and finds the rest', async () => {
  await using folder = await recordedFolder({ files: { bomb: '0', other: '0' } })
  await folder.run('edit', () => writeFiles(folder.root, { bomb: 'x'.repeat(500), other: 'a needle' }))
  await prepare(folder, (db) => {
    db.prepare('UPDATE content SET codec = 1, base = NULL, bytes = ? WHERE id = ?').run(bomb, contentOf(db, 'bomb'))
  })
  const { hits } = await folder.engine.call('search.run', { workspace: folder.workspace, text: 'needle', limit: 10 })
  expect(hits).toMatchObject([{ path: 'other' }])
})

test('[ST-7] large content with more chunks than its size, or of another size than its version, is damaged', async () => {
  await using folder = await recordedFolder({ files: { big: 'z'.repeat(3 * MB), small: 'x'.repeat(500) } })
  await prepare(folder, (db) => {
    const big = contentOf(db, 'big')
    const { lastInsertRowid: megabyte } = db.prepare('INSERT INTO chunk(codec, bytes) VALUES (1, ?)').run(zeros(1))
    const add = db.prepare('INSERT INTO content_chunk(content, n, chunk) VALUES (?, ?, ?)')
    for (let n = 1000; n < 1300; n++) add.run(big, n, megabyte)
    // The version says 500 bytes, and its content 300 MB.
    const hash = sha256(Buffer.from('another'))
    const { lastInsertRowid } = db
      .prepare('INSERT INTO content(hash, size, codec) VALUES (?, ?, 3)')
      .run(hash, 300 * MB)
    for (let n = 0; n < 300; n++) add.run(lastInsertRowid, n, megabyte)
    db.prepare("UPDATE version SET content = ? WHERE id = (SELECT version FROM path WHERE name = 'small')").run(
      lastInsertRowid
    )
  })
  const grown = await growthOf(async () => {
    await expect(cat(folder, 'big')).rejects.toMatchObject({ code: 'NotStored' })
    await expect(cat(folder, 'small')).rejects.toMatchObject({ code: 'NotStored' })
    expect(await codesOf(folder)).toEqual(['Content', 'Content'])
  })
  expect(grown).toBeLessThan(200 * MB)
})

test('[ST-7] a version that says another size than its content has is damaged', async () => {
  await using folder = await recordedFolder({ files: { a: 'x'.repeat(500), big: 'z'.repeat(3 * MB) } })
  await prepare(folder, (db) => void db.prepare('UPDATE version SET size = size + 1 WHERE content IS NOT NULL').run())
  await expect(cat(folder, 'a')).rejects.toMatchObject({ code: 'NotStored' })
  await expect(cat(folder, 'big')).rejects.toMatchObject({ code: 'NotStored' })
})

test('[ST-7] contents that are packed against each other are damaged, and a sweep removes nothing', async () => {
  await using folder = await recordedFolder({ files: { a: 'a'.repeat(500), b: 'b'.repeat(500), c: 'c' } })
  await prepare(folder, (db) => {
    const [a, b] = [contentOf(db, 'a'), contentOf(db, 'b')]
    const pack = db.prepare('UPDATE content SET codec = 2, depth = 1, base = ?, bytes = ? WHERE id = ?')
    pack.run(b, zeros(1), a)
    pack.run(a, zeros(1), b)
  })
  await expect(cat(folder, 'a')).rejects.toMatchObject({ code: 'NotStored' })
  expect(await codesOf(folder)).toEqual(['Content', 'Content'])
  const sweep = { workspace: folder.workspace, dryRun: false, budget: 0, days: 0 }
  await expect(folder.engine.call('gc.run', sweep)).rejects.toMatchObject({ code: 'StoreDamaged' })
  const found = await folder.engine.call('search.run', { workspace: folder.workspace, text: 'aaa', limit: 10 })
  expect(found.hits).toEqual([])
})

test('[ST-7] an id that no history reaches stops a sweep before it takes memory for it', async () => {
  await using folder = await recordedFolder({ files: { a: 'a'.repeat(500) } })
  await prepare(folder, (db) => {
    const hash = sha256(Buffer.from('far'))
    db.prepare('INSERT INTO content(id, hash, size, codec, bytes) VALUES (?, ?, 3, 0, ?)').run(
      2 ** 40,
      hash,
      Buffer.from('far')
    )
  })
  const sweep = { workspace: folder.workspace, dryRun: false }
  await expect(folder.engine.call('gc.run', sweep)).rejects.toMatchObject({ code: 'StoreDamaged' })
})

test('[ST-7] edits that build on each other end every walk: history, blame and undo refuse, doctor names them', async () => {
  await using folder = await recordedFolder({ files: { a: '0\n', b: '0\n' } })
  const { workspace } = folder
  const run = await folder.run('one', () => writeFiles(folder.root, { a: '1\n' }))
  await folder.run('two', () => writeFiles(folder.root, { a: '2\n', b: '2\n' }))
  await prepare(folder, (db) => {
    const seqs = db.prepare("SELECT seq FROM edit WHERE path = (SELECT id FROM path WHERE name = 'a')").pluck().all()
    db.prepare('UPDATE edit SET base = ? WHERE seq = ?').run(seqs[1], seqs[0])
  })
  const damaged = { code: 'StoreDamaged' }
  await expect(folder.engine.call('file.history', { workspace, path: 'a' })).rejects.toMatchObject(damaged)
  await expect(folder.engine.call('file.blame', { workspace, path: 'a' })).rejects.toMatchObject(damaged)
  await expect(folder.apply({ kind: 'undo-run', run })).rejects.toMatchObject(damaged)
  expect(await codesOf(folder)).toEqual(['Base'])
  expect(readTree(folder.root)).toEqual(folder.tree())
})

test.each(['../secret.txt', 'd/../../secret.txt', '/secret.txt', 'a\0b'])(
  '[ST-7] [CP-4] nothing is read or written at the name %j, and doctor names it',
  async (name) => {
    await using folder = await recordedFolder({ files: { a: '0', 'd/x': '0' } })
    writeFileSync(join(folder.root, '../secret.txt'), 'outside')
    const run = await folder.run('one', () => writeFiles(folder.root, { a: '1', new: '1' }))
    await prepare(folder, (db) => {
      db.prepare("UPDATE path SET name = ? WHERE name = 'new'").run(name)
      db.prepare('UPDATE path SET seen = 0, covered = 0').run()
    })
    const before = readTree(join(folder.root, '..', 'project'))
    const undone = folder.apply({ kind: 'undo-run', run })
    await expect(undone.then(({ state }) => state)).rejects.toMatchObject({ code: 'StoreDamaged' })
    await folder.engine
      .call('workspace.status', { workspace: folder.workspace, check: true })
      .catch((error: { code: string }) => expect(error.code).toBe('StoreDamaged'))
    expect(await codesOf(folder)).toContain('Path')
    const held = folder.store((store) =>
      store.db
        .prepare('SELECT count(*) FROM content WHERE hash = ?')
        .pluck()
        .get(sha256(Buffer.from('outside')))
    )
    expect(held).toBe(0)
    expect(readTree(join(folder.root, '..', 'project'))).toEqual(before)
    expect(readTree(join(folder.root, '..'))).toHaveProperty('secret.txt')
  }
)

const ENDLESS = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i FROM n) SELECT i FROM n'

test.each([
  ['trigger', 'CREATE TRIGGER t AFTER INSERT ON edit BEGIN DELETE FROM checkpoint; END'],
  ['view', `ALTER TABLE line_count RENAME TO former; CREATE VIEW line_count AS ${ENDLESS}`],
  ['table', 'CREATE VIRTUAL TABLE t USING fts5(x)']
])('[ST-7] a history with a foreign %s is refused unchanged, and doctor says why', async (kind, sql) => {
  await using folder = await recordedFolder({ files: { a: '0' } })
  await prepare(folder, (db) => db.exec(sql))
  const opened = folder.engine.call('timeline.list', { workspace: folder.workspace, limit: 1 })
  await expect(opened).rejects.toMatchObject({ code: 'StoreDamaged', message: expect.stringContaining(kind) })
  expect(await codesOf(folder)).toEqual(['Unopened'])
})

test('[ST-7] refusing a newer app.db leaves no file open', { tags: ['linux'] }, async () => {
  await using folder = await recordedFolder({ files: { a: '0' } })
  await folder.engine.close()
  const db = new Database(join(folder.dataDir, 'app.db'))
  const version = db.pragma('user_version', { simple: true }) as number
  db.pragma(`user_version = ${version + 1}`)
  db.close()
  const open = createEngine({
    dataDir: folder.dataDir,
    home: folder.home,
    host: 'cli',
    watch: false,
    programs: { ingest: INGEST_PROGRAM }
  })
  await expect(open).rejects.toMatchObject({ code: 'StoreNewer' })
  const held = readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`)
    } catch {
      // Expected: ENOENT, for the descriptor of this listing.
      return []
    }
  })
  expect(held.filter((file) => file.startsWith(folder.dataDir))).toEqual([])
  const again = new Database(join(folder.dataDir, 'app.db'))
  again.pragma(`user_version = ${version}`)
  again.close()
  await folder.reopen()
})
