/** [RS-23] A database of SQLite is restored with its journals, by real databases of which a program holds the newest changes. */
import { copyFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { type RecordedFolder, recordedFolder } from '../support/recorded-folder.ts'
import { tempFolder } from '../support/tmp.ts'
import { writeFiles } from '../support/tree.ts'

const NAMES = ['app.db', 'app.db-wal'] as const

/** A program with a database elsewhere, whose files are copied as they are while it has them open. */
function program() {
  const folder = tempFolder()
  const path = join(folder.path, 'app.db')
  const db = new Database(path)
  db.pragma('journal_mode = wal')
  db.pragma('wal_autocheckpoint = 0')
  db.exec('CREATE TABLE t(i INTEGER PRIMARY KEY, v TEXT); CREATE INDEX by_v ON t(v)')
  return {
    write: (sql: string) => db.exec(sql),
    checkpoint: () => db.pragma('wal_checkpoint(TRUNCATE)'),
    copyTo: (root: string) => {
      for (const name of NAMES) copyFileSync(join(folder.path, name), join(root, name))
    },
    [Symbol.dispose]: () => {
      db.close()
      folder[Symbol.dispose]()
    }
  }
}

const INSERT = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500)
  INSERT INTO t(v) SELECT 'old ' || i || hex(randomblob(40)) FROM n`

/** What a program finds that opens a copy of the recorded database. */
function opened(root: string): { sound: boolean; texts: string } {
  using copy = tempFolder()
  for (const name of NAMES) if (existsSync(join(root, name))) copyFileSync(join(root, name), join(copy.path, name))
  const db = new Database(join(copy.path, 'app.db'))
  try {
    const check = db.pragma('integrity_check', { simple: true })
    return { sound: check === 'ok', texts: check === 'ok' ? JSON.stringify(db.prepare('SELECT * FROM t').all()) : '' }
  } catch {
    return { sound: false, texts: '' }
  } finally {
    db.close()
  }
}

/** A run rewrites the database, and the program has further changes in its `-wal` after it. */
async function rewritten(): Promise<{ folder: RecordedFolder; run: string; before: string; others: string }> {
  using made = program()
  made.write(INSERT)
  made.checkpoint()
  const folder = await recordedFolder({ make: made.copyTo })
  const before = opened(folder.root).texts
  const run = await folder.run('migrate', () => {
    made.write(
      'UPDATE t SET v = hex(randomblob(400)); DELETE FROM t WHERE i % 3 = 0; CREATE TABLE u AS SELECT * FROM t'
    )
    made.checkpoint()
    made.copyTo(folder.root)
  })
  made.write("UPDATE t SET v = 'by the program' WHERE i < 60")
  made.copyTo(folder.root)
  await folder.check()
  return { folder, run, before, others: opened(folder.root).texts }
}

const LEFT = { code: 'database-parts', paths: ['app.db-wal'], count: 1 }

test('[RS-23] the undo of a run that changed a database needs a decision on the journal that others wrote since', async () => {
  const { folder, run, before, others } = await rewritten()
  await using _ = folder
  const undo = { kind: 'undo-run', run } as const
  expect(opened(folder.root).sound).toBe(true)
  const plan = await folder.plan(undo)
  expect(plan.conflicts).toMatchObject([{ path: 'app.db-wal', choice: 'keep', choices: ['keep', 'replace'] }])
  expect(plan.warnings).toContainEqual(LEFT)
  expect(await folder.apply(undo)).toMatchObject({ state: 'refused' })

  const replaced = await folder.apply({ ...undo, onConflict: 'replace' })
  expect(replaced.warnings).not.toContainEqual(LEFT)
  expect(opened(folder.root)).toEqual({ sound: true, texts: before })
  expect((await folder.apply({ kind: 'undo' })).state).toBe('done')
  expect(opened(folder.root)).toEqual({ sound: true, texts: others })
})

test('[RS-23] a journal that stays beside a restored database is named, because a program would damage it', async () => {
  const { folder, run, before } = await rewritten()
  await using _ = folder
  const kept = await folder.apply({ kind: 'undo-run', run, onConflict: 'keep' })
  expect(kept.warnings).toContainEqual(LEFT)
  expect(opened(folder.root).sound, 'the warning is true').toBe(false)
  rmSync(join(folder.root, 'app.db-wal'))
  expect(opened(folder.root)).toEqual({ sound: true, texts: before })
})

test('[RS-23] a database that is selected alone is restored with its journal, and without one that it did not have', async () => {
  const { folder, before } = await rewritten()
  await using _ = folder
  const restore = { kind: 'restore', target: 'seq:0', paths: ['app.db'], outside: 'replace' } as const
  const paths = (await folder.plan(restore)).items.map(({ path }) => path)
  expect(paths).toEqual(['app.db', 'app.db-wal'])
  await folder.apply(restore)
  expect(opened(folder.root)).toEqual({ sound: true, texts: before })
  const journal = { kind: 'restore', target: 'seq:0', paths: ['app.db-wal'], outside: 'replace' } as const
  expect((await folder.plan(journal)).items, 'both are as they were').toEqual([])
})

test('[RS-23] an ignored journal is named, too, and so is a database that a program has open', async () => {
  const [one, two] = ['one', 'two'].map((text) => text.padEnd(512)) as [string, string]
  const files = {
    '.gitignore': '*-wal\n*-shm\n',
    'app.db': one,
    'notes.txt': one.slice(1),
    'notes.txt-wal': 'no journal'
  }
  await using folder = await recordedFolder({ files })
  const run = await folder.run('edit', () => writeFiles(folder.root, { 'app.db': two, 'notes.txt': two.slice(1) }))
  const undo = { kind: 'undo-run', run } as const
  const warnings = async () => (await folder.plan(undo)).warnings.map(({ code }) => code)
  expect(await warnings()).toEqual(['all-changes'])
  writeFileSync(join(folder.root, 'app.db-wal'), '')
  expect(await warnings(), 'an empty journal changes nothing').toEqual(['all-changes'])
  writeFileSync(join(folder.root, 'app.db-wal'), Buffer.alloc(6 * 1024 * 1024))
  writeFileSync(join(folder.root, 'app.db-shm'), 'index')
  expect(await warnings()).toEqual(['all-changes', 'database-in-use', 'database-parts'])
  expect((await folder.apply({ ...undo, onConflict: 'keep' })).state).toBe('done')
  expect(readFileSync(join(folder.root, 'app.db'), 'utf8')).toBe(one)
})
