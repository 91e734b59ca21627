/** Database files: migrations, newer formats, damage, and full disks. */
import { randomBytes } from 'node:crypto'
import { chmodSync, cpSync, readdirSync, readFileSync, readlinkSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { doctorCode } from '../../../../src/contract/words/doctor.ts'
import { createEngine, type Engine } from '../../../../src/main/engine/engine.ts'
import { ifExists } from '../../../../src/main/engine/files/fs-errors.ts'
import { systemClock } from '../../../../src/main/engine/ports/clock.ts'
import { vacuum } from '../../../../src/main/engine/retention/vacuum.ts'
import { describeSessionCalls } from '../../../../src/main/engine/runs/describe-calls.ts'
import { APP_MIGRATIONS, openAppStore, writeSetting } from '../../../../src/main/engine/store/app-store.ts'
import { openDatabase, userVersion } from '../../../../src/main/engine/store/database.ts'
import { readClosedCard } from '../../../../src/main/engine/store/folder-card.ts'
import { migrate } from '../../../../src/main/engine/store/migrate.ts'
import { openStore } from '../../../../src/main/engine/store/open-store.ts'
import { transact } from '../../../../src/main/engine/store/sql.ts'
import { STORE_MIGRATIONS } from '../../../../src/main/engine/store/store-schema.ts'
import type { ToolCallRow } from '../../../../src/main/engine/store/tool-calls.ts'
import { createRegistry } from '../../../../src/main/engine/workspaces/registry.ts'
import { storeFile } from '../../../../src/main/engine/workspaces/store-file.ts'
import { fill, smallDisk } from '../../../support/faulty-disk.ts'
import { INGEST_PROGRAM } from '../../../support/programs.ts'
import { type RecordedFolder, recordedFolder } from '../../../support/recorded-folder.ts'
import { tempFolder } from '../../../support/tmp.ts'
import { writeFiles } from '../../../support/tree.ts'

const engineOn = (dataDir: string) =>
  createEngine({ dataDir, host: 'cli', watch: false, programs: { ingest: INGEST_PROGRAM } })

test('a new store has the current format and our settings', () => {
  using temp = tempFolder()
  const file = join(temp.path, 'w/x/store.db')
  const store = openStore(file)
  expect(userVersion(store.db)).toBe(STORE_MIGRATIONS.length)
  expect(store.db.pragma('journal_mode', { simple: true })).toBe('wal')
  expect(store.db.pragma('page_size', { simple: true })).toBe(8192)
  expect(store.db.pragma('auto_vacuum', { simple: true })).toBe(2)
  expect(store.db.pragma('foreign_keys', { simple: true })).toBe(1)
  store.close()
  const again = openStore(file)
  expect([userVersion(again.db), again.records.lastSeq()]).toEqual([STORE_MIGRATIONS.length, 0])
  again.close()
})

test('a new store is the same whether it was written whole or filled by SQLite, as where no hard link can be made', () => {
  using temp = tempFolder()
  const describe = (name: string): unknown => {
    const store = openStore(join(temp.path, name))
    const settings = ['user_version', 'journal_mode', 'page_size', 'auto_vacuum', 'encoding', 'integrity_check']
    const schema = store.db.prepare('SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY name').all()
    const meta = store.db.prepare('SELECT * FROM meta ORDER BY key').all()
    const found = [settings.map((name) => store.db.pragma(name, { simple: true })), schema, meta]
    store.close()
    return found
  }
  writeFileSync(join(temp.path, 'filled.db'), '')
  expect(describe('whole.db')).toEqual(describe('filled.db'))
  expect(readdirSync(temp.path).sort()).toEqual(['filled.db', 'whole.db'])
})

test('[PR-1] only the user can read a new store and its folder', { tags: ['posix'] }, () => {
  using temp = tempFolder()
  const file = join(temp.path, 'w/x/store.db')
  openStore(file).close()
  expect([statSync(file).mode & 0o777, statSync(dirname(file)).mode & 0o777]).toEqual([0o600, 0o700])
})

test('[PR-1] only the user can read a database, also one that an earlier version left open to others', {
  tags: ['posix']
}, () => {
  using temp = tempFolder()
  const file = join(temp.path, 'app.db')
  const modes = (): number[] => readdirSync(temp.path).map((name) => statSync(join(temp.path, name)).mode & 0o077)
  openAppStore(file).close()
  chmodSync(file, 0o644)
  const store = openAppStore(file)
  transact(store, (tx) => writeSetting(tx, 'theme', 'dark'))
  expect(modes()).toEqual([0, 0, 0])
  store.close()
})

test('[PR-1] a large change of a history writes nothing to a temporary file', { tags: ['linux'] }, () => {
  using temp = tempFolder()
  const store = openStore(join(temp.path, 'store.db'))
  const links = (): string[] =>
    readdirSync('/proc/self/fd').flatMap((fd) => ifExists(() => readlinkSync(`/proc/self/fd/${fd}`)) ?? [])
  // SQLite's have no name.
  const unnamed = (): string[] => links().filter((file) => file.endsWith(' (deleted)'))
  const before = unnamed()
  transact(store, (tx) => {
    for (let n = 0; n < 5000; n++) tx.records.addPath(`folder/file-${n}`, 1)
    // One statement that has to be undone as a whole if one of its rows fails.
    store.db.exec('UPDATE path SET version = 1')
    expect(unnamed()).toEqual(before)
  })
  store.close()
})

test('[B18] migrations run once, in order and in one transaction: a failing one leaves the file unchanged', () => {
  using temp = tempFolder()
  const db = openDatabase(join(temp.path, 'x.db'))
  migrate(db, ['CREATE TABLE a(x)'])
  expect(() => migrate(db, ['CREATE TABLE a(x)', 'CREATE TABLE b(x); CREATE TABLE a(y)'])).toThrow('already exists')
  expect(userVersion(db)).toBe(1)
  expect(db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all()).toEqual([{ name: 'a' }])
  migrate(db, ['CREATE TABLE a(x)', 'CREATE TABLE b(x)', 'CREATE TABLE c(x)'])
  migrate(db, ['CREATE TABLE a(x)', 'CREATE TABLE b(x)', 'CREATE TABLE c(x)'])
  expect(userVersion(db)).toBe(3)
  db.close()
})

test('store.db, migrations 1 -> 2 -> 3: checkpoints and runs are unchanged, and their branches are unknown', async () => {
  using temp = tempFolder()
  const file = join(temp.path, 'store.db')
  const db = openDatabase(file)
  migrate(db, STORE_MIGRATIONS.slice(0, 1))
  db.exec(
    `INSERT INTO checkpoint(id, n, seq, reason, at) VALUES ('cp_a', 1, 0, 'run_start', 5);
     INSERT INTO run(id, n, agent, title, state, started_at, start_seq, start_checkpoint, drifted, incomplete, head_start, pid, pid_start)
     VALUES ('run_a', 1, 'test', 'before', 'ended', 5, 0, 'cp_a', 0, 0, 'abc', 1, '')`
  )
  db.close()
  const store = openStore(file)
  expect(store.db.prepare('SELECT id, at, git FROM checkpoint').all()).toEqual([{ id: 'cp_a', at: 5, git: '' }])
  expect(store.db.prepare('SELECT count(*) FROM unknown_record').pluck().get()).toBe(0)
  expect(store.db.prepare('SELECT id, title FROM run').all()).toEqual([{ id: 'run_a', title: 'before' }])
  store.close()
})

test('store.db, migration 4 -> 5: tool calls are unchanged, and their output is unknown', async () => {
  using temp = tempFolder()
  const file = join(temp.path, 'store.db')
  const db = openDatabase(file)
  migrate(db, STORE_MIGRATIONS.slice(0, 4))
  db.exec(
    `INSERT INTO session(id, agent, started_at, last_at, cwd) VALUES ('s', 'codex', 5, 5, '/p');
     INSERT INTO run(id, n, agent, title, state, started_at, start_seq, start_checkpoint, drifted, incomplete, pid, pid_start)
     VALUES ('run_a', 1, 'codex', 'before', 'ended', 5, 0, 'cp_a', 0, 0, 1, '');
     INSERT INTO turn(id, run, n, prompt, started_at, start_seq) VALUES ('turn_a', 'run_a', 1, 'before', 5, 0);
     INSERT INTO tool_call(id, session, run, turn, name, summary, paths, wide, complete, state, opened_at, closed_at, start_seq)
     VALUES ('call_a', 's', 'run_a', 'turn_a', 'Bash', 'npm test', '[]', 1, 1, 'done', 5, 6, 0)`
  )
  const before = db.prepare('SELECT * FROM tool_call').all() as ToolCallRow[]
  db.close()
  const store = openStore(file)
  const since = { exit_code: null }
  expect(store.db.prepare('SELECT * FROM tool_call').all()).toEqual(before.map((row) => ({ ...row, ...since })))
  expect(describeSessionCalls(store, before)).toMatchObject([{ id: 'call_a', counted: true, output: null }])
  store.close()
})

test('store.db, migration 5 -> 6: files that were counted as binary are counted again, because some are text', () => {
  using temp = tempFolder()
  const file = join(temp.path, 'store.db')
  const db = openDatabase(file)
  migrate(db, STORE_MIGRATIONS.slice(0, 5))
  db.exec("INSERT INTO line_count VALUES (1, 2, 0, 0, 0, 'binary'), (3, 4, 1, 1, 1, 'text')")
  db.close()
  const store = openStore(file)
  expect(store.db.prepare('SELECT before, kind FROM line_count').all()).toEqual([{ before: 3, kind: 'text' }])
  store.close()
})

test('app.db, migration 1 -> 2: recorded folders are unchanged, and none counts as removed', async () => {
  using temp = tempFolder()
  const db = openDatabase(join(temp.path, 'app.db'))
  migrate(db, APP_MIGRATIONS.slice(0, 1))
  db.prepare("INSERT INTO workspace VALUES ('ws_a', ?, 1)").run(join(temp.path, 'p'))
  db.close()
  const engine = await engineOn(temp.path)
  const { workspaces, left } = await engine.call('workspaces.list', {})
  expect([workspaces.map((workspace) => workspace.id), left]).toEqual([['ws_a'], []])
  await engine.close()
})

const files = (folder: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => [
        join(entry.parentPath, entry.name),
        readFileSync(join(entry.parentPath, entry.name)).toString('base64')
      ])
  )

test('a store of a newer format is refused with a sentence and not changed by a byte', async () => {
  await using folder = await recordedFolder({ files: { a: 'one' } })
  await folder.engine.close()
  const file = storeFile(folder.dataDir, folder.workspace)
  const db = openDatabase(file)
  db.pragma(`user_version = ${STORE_MIGRATIONS.length + 7}`)
  db.close()
  const before = files(dirname(file))
  folder.engine = await engineOn(folder.dataDir)
  const { workspace } = folder
  for (const call of [
    () => folder.engine.call('workspace.status', { workspace, check: true }),
    () => folder.engine.call('run.begin', { workspace, title: 't', agent: 'a', pid: 1, pidStart: '' }),
    () => folder.engine.call('restore.apply', { workspace, request: { kind: 'undo' } }),
    () => folder.engine.call('timeline.list', { workspace, limit: 5 })
  ])
    await expect(call()).rejects.toMatchObject({
      code: 'StoreNewer',
      message: expect.stringMatching(/newer version of Driftline.*not changed.*Update/)
    })
  const { workspaces } = await folder.engine.call('workspaces.list', {})
  expect(workspaces, 'it is still listed').toHaveLength(1)
  const doctor = await folder.engine.call('doctor.run', {})
  expect(doctor.problems.map(doctorCode)).toEqual(['StoreNewer'])
  await folder.engine.close()
  const after = files(dirname(file))
  expect(after[file]).toBe(before[file])
  // SQLite creates the -wal and -shm files to read the database; they stay empty.
  expect(Object.keys(after).filter((name) => !/-(shm|wal)$/.test(name))).toEqual(Object.keys(before))
  expect(after[`${file}-wal`] ?? '').toBe('')
  folder.engine = await engineOn(folder.dataDir)
})

test('a newer app.db is refused and not changed', async () => {
  using temp = tempFolder()
  const dataDir = join(temp.path, 'data')
  await (await engineOn(dataDir)).close()
  const db = openDatabase(join(dataDir, 'app.db'))
  db.pragma('user_version = 99')
  db.close()
  const before = readFileSync(join(dataDir, 'app.db'))
  await expect(engineOn(dataDir)).rejects.toMatchObject({ code: 'StoreNewer' })
  expect(readFileSync(join(dataDir, 'app.db')).equals(before)).toBe(true)
})

test('the connection to a refused app.db is closed: SQLite removed the files of its log', () => {
  using temp = tempFolder()
  const file = join(temp.path, 'app.db')
  const db = openDatabase(file)
  migrate(db, APP_MIGRATIONS)
  db.pragma('user_version = 99')
  db.close()
  expect(() => createRegistry(temp.path, () => expect.fail('no folder is opened'))).toThrow('newer version')
  // The last connection to a database deletes its -wal and -shm files when it is closed.
  expect(readdirSync(temp.path)).toEqual(['app.db'])
})

test('a file that is no database is reported as damaged, and other workspaces keep working', async () => {
  await using folder = await recordedFolder({ files: { a: 'one' } })
  await folder.engine.close()
  const file = storeFile(folder.dataDir, folder.workspace)
  for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true })
  writeFileSync(file, 'this is not a database, it only lies where one should be. '.repeat(300))
  folder.engine = await engineOn(folder.dataDir)
  const { workspace } = folder
  const status = Promise.resolve().then(() => folder.engine.call('workspace.status', { workspace, check: true }))
  await expect(status).rejects.toMatchObject({ code: 'StoreDamaged', message: expect.stringContaining('doctor') })
  const doctor = await folder.engine.call('doctor.run', {})
  expect([doctor.ok, doctor.problems.map(doctorCode)]).toEqual([false, ['StoreDamaged']])
  expect((await folder.engine.call('workspaces.list', {})).workspaces).toHaveLength(1)
})

/** Overwrites the second half of the file, as a bad disk would. */
async function damageHalf(folder: RecordedFolder): Promise<void> {
  await folder.engine.close()
  const file = storeFile(folder.dataDir, folder.workspace)
  const bytes = readFileSync(file)
  bytes.fill(0xa5, 16_384)
  writeFileSync(file, bytes)
  folder.engine = await engineOn(folder.dataDir)
}

test('damaged pages are reported by every call, and nothing is written to the project', async () => {
  const content = Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`f${i}`, `${i} `.repeat(i)]))
  await using folder = await recordedFolder({ files: content })
  const run = await folder.run('edit', () => writeFiles(folder.root, { f7: 'x', f8: 'y' }))
  await damageHalf(folder)
  const tree = folder.tree()
  const { workspace } = folder
  for (const call of [
    () => folder.engine.call('workspace.status', { workspace, check: true }),
    () => folder.engine.call('restore.apply', { workspace, request: { kind: 'undo-run', run } }),
    () => folder.engine.call('diff.patch', { workspace, target: run })
  ])
    await expect(call()).rejects.toMatchObject({ code: 'StoreDamaged' })
  expect((await folder.engine.call('doctor.run', {})).ok).toBe(false)
  expect(folder.tree()).toEqual(tree)
})

test('[A23] [ST-1] content that was modified in the store is never written to a file, and doctor names it', async () => {
  await using folder = await recordedFolder({ files: { a: 'the right content '.repeat(20), b: 'fine' } })
  const run = await folder.run('edit', () => writeFiles(folder.root, { a: 'two', b: 'two' }))
  folder.store((store) =>
    transact(store, () => {
      const { content } = store.records.version(
        store.db
          .prepare("SELECT e.before FROM edit e JOIN path p ON p.id = e.path WHERE p.name = 'a'")
          .pluck()
          .get() as number
      )
      store.db
        .prepare('UPDATE content SET codec = 0, bytes = ? WHERE id = ?')
        .run(Buffer.from('the wrong content'), content)
    })
  )
  const before = folder.tree()
  const { workspace } = folder
  await expect(folder.engine.call('file.cat', { workspace, target: `${run}:start`, path: 'a' })).rejects.toMatchObject({
    code: 'NotStored'
  })
  const only = await folder.apply({ kind: 'undo-run', run, paths: ['a'] })
  expect([only.state, folder.tree()], 'nothing was written').toEqual(['refused', before])
  const doctor = await folder.engine.call('doctor.run', { deep: true })
  expect(doctor.problems).toEqual([expect.objectContaining({ code: 'Content' })])
  expect((await folder.apply({ kind: 'undo-run', run })).state, 'other files are still restored').toBe('done')
  expect(['a', 'b'].map((name) => readFileSync(join(folder.root, name), 'utf8'))).toEqual(['two', 'fine'])
})

const closing = (engine: Engine): AsyncDisposable => ({ [Symbol.asyncDispose]: () => engine.close() })

test('[C6] when the disk of the history is full, recording stops with a reason, nothing is lost, and it resumes by itself', async ({
  skip
}) => {
  using temp = tempFolder()
  const dataDir = join(temp.path, 'data')
  using disk = smallDisk(dataDir, '6m')
  if (!disk) return skip('the right to mount a disk')
  const root = join(temp.path, 'project')
  writeFiles(root, { a: 'one', b: 'one' })
  let waited = 0
  const engine = await createEngine({
    dataDir,
    host: 'cli',
    watch: false,
    programs: { ingest: INGEST_PROGRAM },
    clock: { ...systemClock, now: () => Date.now() + waited },
    // If the free space is not known, the failing write detects it.
    freeBytes: () => null
  })
  await using _ = closing(engine)
  const {
    workspace: { id: workspace }
  } = await engine.call('workspaces.add', { folder: root, wait: true })
  const { seq } = await engine.call('checkpoint.create', { workspace, label: 'before' })
  const filler = fill(dataDir)
  const noise = randomBytes(3_000_000)
  writeFiles(root, { a: noise.subarray(0, 900_000), b: 'two', big: noise })
  const status = await engine.call('workspace.status', { workspace, check: true })
  expect([status.disk, status.recording]).toMatchObject([{ low: true }, false])
  expect((await engine.call('file.cat', { workspace, target: `seq:${seq}`, path: 'a' })).size).toBe(3)
  const request = { kind: 'restore', target: `seq:${seq}`, outside: 'replace' } as const
  await expect(engine.call('restore.apply', { workspace, request })).rejects.toMatchObject({ code: 'DiskFull' })
  expect(readFileSync(join(root, 'b'), 'utf8'), 'nothing was restored over what could not be kept').toBe('two')
  rmSync(filler)
  waited = 60_000
  const { drift } = await engine.call('drift.list', { workspace, check: true })
  expect(drift[0]?.paths).toEqual(['a', 'b', 'big'])
  expect((await engine.call('doctor.run', { deep: true })).problems).toEqual([])
})

test('when the disk of the project is full, a restore fails with DiskFull before its first change and leaves no temporary file', async ({
  skip
}) => {
  using temp = tempFolder()
  const root = join(temp.path, 'project')
  using disk = smallDisk(root, '4m')
  if (!disk) return skip('the right to mount a disk')
  const engine = await engineOn(join(temp.path, 'data'))
  await using _ = closing(engine)
  writeFiles(root, { big: Buffer.alloc(2_000_000, 'b'), small: 'one' })
  const {
    workspace: { id: workspace }
  } = await engine.call('workspaces.add', { folder: root, wait: true })
  writeFiles(root, { big: 'short', small: 'two' })
  const filler = fill(root)
  const request = { kind: 'restore', target: 'seq:0', outside: 'replace' } as const
  await expect(engine.call('restore.apply', { workspace, request })).rejects.toMatchObject({
    code: 'DiskFull',
    message: expect.stringContaining('Nothing was changed')
  })
  expect(readdirSync(root).sort()).toEqual(['big', 'filler', 'small'])
  expect([readFileSync(join(root, 'big'), 'utf8'), readFileSync(join(root, 'small'), 'utf8')]).toEqual(['short', 'two'])
  const status = await engine.call('workspace.status', { workspace, check: true })
  expect(status.interruptedRestore).toBeNull()
  rmSync(filler)
  expect((await engine.call('restore.apply', { workspace, request })).state).toBe('done')
  expect(statSync(join(root, 'big')).size).toBe(2_000_000)
})

test('[RC-4] on a full disk neither a start nor gc copies the log into the history: the reserve stays for what gc deletes', async () => {
  await using folder = await recordedFolder({ files: { 'a.txt': 'one' } })
  using killed = tempFolder()
  const [original, file] = [folder.dataDir, killed.path].map((dataDir) => storeFile(dataDir, folder.workspace)) as [
    string,
    string
  ]
  const open = openStore(original)
  writeFiles(folder.root, { 'a.txt': randomBytes(3_000_000) })
  await folder.check()
  cpSync(dirname(original), dirname(file), { recursive: true })
  open.close()
  const sizes = (): number[] => ['', '-wal'].map((end) => statSync(file + end).size)
  const before = sizes()
  expect(readClosedCard(file)).toMatchObject({ card: { root: folder.root } })
  expect(sizes()).toEqual(before)

  const store = openStore(file)
  const vacuumWith = (free: number): ReturnType<typeof vacuum> =>
    vacuum(
      store,
      () => undefined,
      () => free
    )
  expect(await vacuumWith(2_000_000)).toEqual({ code: 'postponed', why: 'no-room', erases: false })
  expect(sizes()[0]).toBe(before[0])
  expect(await vacuumWith(4_000_000)).toBe(null)
  expect(sizes()).toEqual([expect.toSatisfy((size: number) => size > 3_000_000), expect.any(Number)])
  store.close()
})
