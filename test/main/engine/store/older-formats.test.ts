/**
 * [B18] Files of every older format open with today's code and lose nothing. `test/fixtures/schemas` holds one file per schema
 * that was ever on main: PRAGMA user_version, the schema as SQLite stored it, and rows in every table. Format 1 has several,
 * because its text was extended until format 2 existed.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { crc32 } from 'node:zlib'
import Database from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { checkStore } from '../../../../src/main/engine/doctor/verify.ts'
import { APP_MIGRATIONS, openAppStore } from '../../../../src/main/engine/store/app-store.ts'
import { causeOf, findCheckpoint } from '../../../../src/main/engine/store/checkpoints.ts'
import { packChecked, unpack } from '../../../../src/main/engine/store/codec.ts'
import { type Db, openDatabase, userVersion } from '../../../../src/main/engine/store/database.ts'
import { branchesOf, findDriftRow } from '../../../../src/main/engine/store/drifts.ts'
import { messagesOf } from '../../../../src/main/engine/store/messages.ts'
import { readMeta } from '../../../../src/main/engine/store/meta.ts'
import { openStore } from '../../../../src/main/engine/store/open-store.ts'
import { storedContents } from '../../../../src/main/engine/store/retention-queries.ts'
import { findRun, notesOf } from '../../../../src/main/engine/store/runs.ts'
import { checkSchema } from '../../../../src/main/engine/store/schema-check.ts'
import { STORE_MIGRATIONS } from '../../../../src/main/engine/store/store-schema.ts'
import { LONG } from '../../../support/scale.ts'
import { tempFolder } from '../../../support/tmp.ts'

const FIXTURES = join(import.meta.dirname, '../../../fixtures/schemas')
const fixtures = (kind: 'store' | 'app'): string[] =>
  readdirSync(FIXTURES)
    .filter((name) => name.startsWith(`${kind}-`))
    .map((name) => join(FIXTURES, name))

type Row = Readonly<Record<string, unknown>>
type Tables = Readonly<Record<string, readonly Row[]>>

interface Older {
  readonly version: number
  readonly tables: Tables
}

/**
 * Columns that were removed on purpose: checkpoints record the branch now, `restore.target` names the run, `parent` is the chain,
 * texts of messages are in packs, and `content_chunk` says which contents have a chunk.
 */
const REMOVED = [
  'run.head_start',
  'run.head_end',
  'restore.run',
  'message.superseded',
  'message.text',
  'chunk.content',
  'chunk.n'
]
/** What rows get in columns that were added without a default, by row id. */
const ADDED: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'restore.target': { rst_a: 'run_a', rst_b: 'rst_a', rst_c: 'seq:2' },
  'restore.whole': { rst_a: 1, rst_b: 1, rst_c: 1 },
  'restore.mode': { rst_a: 'files', rst_b: 'files', rst_c: 'files' },
  'restore_conversation.superseded': { rst_a: 0 },
  'restore_conversation.brought_back': { rst_a: 0 },
  'fork.file': { 'fork-a': '' },
  'message.parent': { 1: 0, 2: 1, 3: 2 },
  'message.size': { 1: 15, 2: 15, 3: 0 },
  // The frames of the texts, and 150 bytes for each message that has one.
  'session.n': { 'session-a': 1 },
  'session.stored': { 'session-a': 356 }
}
/** Values that a migration changed, by column. */
const CHANGED: Readonly<Record<string, (value: unknown) => unknown>> = {
  'message.session': (value) => (value === 'session-a' ? 1 : value)
}

function tableNames(db: Db): string[] {
  return db
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name")
    .pluck()
    .all() as string[]
}

/** In the order of their keys, which no migration changes. */
function readTables(db: Db): Tables {
  const keyOf = (table: string): string =>
    (db.pragma(`table_info(${table})`) as { name: string; pk: number }[])
      .filter(({ pk }) => pk > 0)
      .map(({ name }) => name)
      .join()
  return Object.fromEntries(
    tableNames(db).map((name) => [name, db.prepare(`SELECT * FROM ${name} ORDER BY ${keyOf(name)}`).all() as Row[]])
  )
}

/** Version and schema without comments and spaces: SQLite stores the text of each statement as it was written. */
function formatOf(db: Db): unknown {
  const entries = db.prepare('SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name').all() as {
    sql: string | null
  }[]
  const plain = (sql: string): string => sql.replaceAll(/--[^\n]*/g, '').replaceAll(/\s+/g, '')
  return [userVersion(db), entries.map((entry) => ({ ...entry, sql: entry.sql && plain(entry.sql) }))]
}

const FRESH = { store: freshFormat(openStore), app: freshFormat(openAppStore) }

function freshFormat(open: (file: string) => { readonly db: Db }): unknown {
  using temp = tempFolder()
  const { db } = open(join(temp.path, 'fresh.db'))
  const format = formatOf(db)
  db.close()
  return format
}

function makeOlder(fixture: string, file: string): Older {
  const db = openDatabase(file)
  db.pragma('foreign_keys = OFF')
  db.exec(readFileSync(fixture, 'utf8'))
  const older = { version: userVersion(db), tables: readTables(db) }
  db.close()
  return older
}

/** The rows as they have to be after the migration. `columns` of today's table, with their defaults as SQL text. */
function expectedRows(table: string, rows: readonly Row[], columns: ReadonlyMap<string, string | null>): Row[] {
  return rows.map((row) => {
    const expected: Record<string, unknown> = {}
    for (const [column, defaultValue] of columns) {
      const added = ADDED[`${table}.${column}`]
      const change = CHANGED[`${table}.${column}`]
      if (column in row) expected[column] = change ? change(row[column]) : row[column]
      else if (column === 'sum') expected[column] = crc32(String(row.text ?? row.prompt))
      else if (added) expected[column] = added[String(row.id ?? row.seq ?? row.restore)]
      else expected[column] = defaultValue === null ? null : JSON.parse(defaultValue.replaceAll("'", '"'))
    }
    return expected
  })
}

/** Migration 15 -> 16 packs texts of messages again that have no checksum. The fixtures have one session with messages. */
function withChecksums({ version, tables }: Older): Tables {
  const { message_pack: packs = [], session = [] } = tables
  if (version < 9 || version > 12) return tables
  const checked = packs.map((row) => {
    const text = row.text as Buffer
    return { ...row, codec: 1, text: packChecked(unpack(Number(row.codec), text)).bytes, longer: -text.length }
  })
  const longer = checked.reduce((sum, row) => sum + row.text.length + row.longer, 0)
  return {
    ...tables,
    message_pack: checked.map(({ longer: _, ...row }) => row),
    session: session.map((row) => (row.id === 'session-a' ? { ...row, stored: Number(row.stored) + longer } : row))
  }
}

function expectSameRows(older: Older, db: Db): void {
  const { version } = older
  const tables = withChecksums(older)
  const now = readTables(db)
  for (const [table, rows] of Object.entries(tables)) {
    const info = db.pragma(`table_info(${table})`) as { name: string; dflt_value: string | null }[]
    const columns = new Map(info.map(({ name, dflt_value }) => [name, dflt_value]))
    for (const column of Object.keys(rows[0] ?? {}))
      expect(columns.has(column) || REMOVED.includes(`${table}.${column}`), `${table}.${column}`).toBe(true)
    // Migration 5 -> 6 deletes line counts of binary files, which are counted again.
    const counted = version < 6 ? rows.filter((row) => table !== 'line_count' || row.kind !== 'binary') : rows
    // Migration 6 -> 7 removes the sentence of a pruned checkpoint: its status says as much.
    const kept =
      version < 7 && table === 'checkpoint'
        ? counted.map((row) => (row.status === 'pruned' ? { ...row, why: '' } : row))
        : counted
    expect(now[table], table).toEqual(expectedRows(table, kept, columns))
  }
  // Migration 8 -> 9 moves the texts of messages there, migration 10 -> 11 the chunks of contents.
  const chunks = (tables.chunk ?? []).map(({ content, n, id }) => ({ content, n, chunk: id }))
  if (version < 11) expect(now.content_chunk ?? []).toEqual(chunks)
  const moved = [...(version < 9 ? ['message_pack'] : []), ...(version < 11 ? ['content_chunk'] : [])]
  for (const table of tableNames(db))
    if (!(table in tables) && !moved.includes(table)) expect(now[table], table).toEqual([])
}

/** The database file and, while SQLite keeps one, its log. */
const bytesOf = (folder: string): Record<string, Buffer> =>
  Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name))]))

/** One of each format, two of the many that format 1 had; all in the long form. */
const STORES = fixtures('store').filter((path) => LONG || !/^store-1-(?!008fe40|e18ac31)/.test(basename(path)))

describe.each(STORES.map((path) => [basename(path), path]))('%s', (_, fixture) => {
  test('every row and byte is still there, in the format of a new store, and a second opening changes nothing', async () => {
    using temp = tempFolder()
    const file = join(temp.path, 'store.db')
    const before = makeOlder(fixture, file)
    const store = openStore(file)
    expectSameRows(before, store.db)
    expect([...messagesOf(store, 'session-a')].map(({ text }) => text)).toEqual(
      before.tables.message?.length ? ["it's the parser", 'done — 日本'] : []
    )
    expect(formatOf(store.db)).toEqual(FRESH.store)
    // Foreign keys, the log's rules, and each content against its hash.
    expect(storedContents(store, 0, 10)).toEqual([1, 2, 3, 4])
    expect(await checkStore(store, true)).toEqual([])
    expect(store.db.pragma('foreign_keys', { simple: true })).toBe(1)
    store.close()
    const migrated = bytesOf(temp.path)
    openStore(file).close()
    expect(bytesOf(temp.path)).toEqual(migrated)
  })
})

test('sentences in columns of format 6 become data; a note that is not known stays as it is', () => {
  using temp = tempFolder()
  const file = join(temp.path, 'store.db')
  const db = openDatabase(file)
  db.pragma('foreign_keys = OFF')
  db.exec(readFileSync(fixtures('store').find((path) => basename(path).startsWith('store-6-')) as string, 'utf8'))
  db.exec(`
    UPDATE checkpoint SET status = 'broken', why = 'the stored content of a/is damaged.ts is damaged' WHERE id = 'cp_a';
    UPDATE checkpoint SET status = 'restored', why = 'left behind by the restore rst_b' WHERE id = 'cp_c';
    UPDATE run SET note = 'the agent still remembers what was undone; stopped before it finished; its command may have kept running, and later changes by it count as made outside' WHERE id = 'run_a';
    UPDATE run SET note = 'the conversation was rewound in the agent before this prompt; as it was said before' WHERE id = 'run_b';
    UPDATE drift SET note = 'the branch moved from main to fix/to-do' WHERE id = 'dr_a';
    UPDATE drift SET cause = 'bulk', note = 'protected from now on by your settings' WHERE id = 'dr_b'`)
  db.close()
  const store = openStore(file)
  expect(['cp_a', 'cp_b', 'cp_c'].map((id) => causeOf(findCheckpoint(store, id)!))).toEqual([
    { code: 'broken', path: 'a/is damaged.ts' },
    { code: 'pruned' },
    { code: 'restored', restore: 'rst_b' }
  ])
  expect(['run_a', 'run_b'].map((id) => notesOf(findRun(store, id)!))).toEqual([
    [{ code: 'remembers' }, { code: 'stopped-with-command' }],
    [{ code: 'rewound' }, { code: 'text', text: 'as it was said before' }]
  ])
  const drifts = ['dr_a', 'dr_b'].map((id) => findDriftRow(store, id)!)
  expect(drifts.map((row) => [row.cause, branchesOf(row)])).toEqual([
    ['branch', { from: 'main', to: 'fix/to-do' }],
    ['settings', null]
  ])
  store.close()
})

test('the measurement of a history of format 10 includes the chunks of the contents that it included', () => {
  using temp = tempFolder()
  const file = join(temp.path, 'store.db')
  const db = openDatabase(file)
  db.pragma('foreign_keys = OFF')
  db.exec(readFileSync(fixtures('store').find((path) => basename(path).startsWith('store-10-')) as string, 'utf8'))
  const measured = { to: 4, edit: 2, unique: 9, packed: 8, head: 7 }
  db.prepare("INSERT OR REPLACE INTO meta VALUES ('usage', ?)").run(JSON.stringify(measured))
  db.close()
  const store = openStore(file)
  expect(JSON.parse(readMeta(store, 'usage') ?? '')).toEqual({ ...measured, chunk: 2 })
  store.close()
})

test('[ST-9] a history of format 15 with a damaged page opens; doctor finds it, and other files are read', async () => {
  using temp = tempFolder()
  const file = join(temp.path, 'store.db')
  makeOlder(fixtures('store').find((path) => basename(path).startsWith('store-15-')) as string, file)
  const db = openDatabase(file)
  const size = db.pragma('page_size', { simple: true }) as number
  const page = db.prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'run'").pluck().get() as number
  db.close()
  const bytes = readFileSync(file)
  // Its type: none that SQLite knows.
  bytes[(page - 1) * size] = 0x77
  writeFileSync(file, bytes)
  const store = openStore(file)
  expect(userVersion(store.db)).toBe(STORE_MIGRATIONS.length)
  expect(store.db.prepare('SELECT count(*) FROM edit WHERE path > 0').pluck().get()).toBeGreaterThan(0)
  expect([...messagesOf(store, 'session-a')].map(({ text }) => text)).toEqual(["it's the parser", 'done — 日本'])
  expect(checkSchema(store)).toEqual(['the definition of index run_named is not the one of this format'])
  store.close()
})

describe.each(fixtures('app').map((path) => [basename(path), path]))('%s', (_, fixture) => {
  test('every row is still there, in the format of a new app.db, and a second opening changes nothing', () => {
    using temp = tempFolder()
    const file = join(temp.path, 'app.db')
    const before = makeOlder(fixture, file)
    const store = openAppStore(file)
    expectSameRows(before, store.db)
    expect(formatOf(store.db)).toEqual(FRESH.app)
    store.close()
    const migrated = bytesOf(temp.path)
    openAppStore(file).close()
    expect(bytesOf(temp.path)).toEqual(migrated)
  })
})

test.each([
  { kind: 'store' as const, newest: STORE_MIGRATIONS.length, open: openStore },
  { kind: 'app' as const, newest: APP_MIGRATIONS.length, open: openAppStore }
])('database $kind: the fixtures end with today’s format, and a newer one is refused without a byte changed', (row) => {
  const names = fixtures(row.kind)
  expect(new Set(names.map((path) => Number(basename(path).split('-')[1])))).toEqual(
    new Set(Array.from({ length: row.newest }, (_, index) => index + 1))
  )
  using temp = tempFolder()
  const file = join(temp.path, `${row.kind}.db`)
  makeOlder(names.at(-1) as string, file)
  const db = new Database(file)
  db.pragma(`user_version = ${row.newest + 1}`)
  db.close()
  const before = bytesOf(temp.path)
  expect(() => row.open(file)).toThrow('written by a newer version')
  expect(bytesOf(temp.path)).toEqual(before)
})
