/** Bits that flip anywhere in git.db: what is read is what was kept, or doctor finds that it is not. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DriftlineError } from '../../src/contract/errors.ts'
import { checkGitState } from '../../src/main/engine/doctor/git-state.ts'
import {
  beginGitRun,
  type GitStore,
  insertGitFile,
  insertGitRestore,
  insertGitState,
  markGitState,
  openGitStore,
  putGitContent,
  readWholeGitContent
} from '../../src/main/engine/store/git-store.ts'
import { transact } from '../../src/main/engine/store/sql.ts'
import { LONG, limitFor, SEED, scaled } from '../support/scale.ts'
import { tempFolder } from '../support/tmp.ts'

const FLIPS = LONG ? scaled(60) : 30

function written(file: string): Buffer {
  const store = openGitStore(file)
  transact(store, (tx) => {
    for (let n = 1; n <= 30; n++) {
      const state = insertGitState(tx, { seq: n * 7, at: 1_700_000_000_000 + n, run: n % 3 === 0 ? `run_${n}` : null })
      const put = (path: string, text: string): void =>
        insertGitFile(tx, { path, state, mode: 0o644, hash: putGitContent(tx, Buffer.from(text)) })
      put(`refs/heads/branch-${n % 5}`, `${String(n % 10).repeat(40)}\n`)
      put('index', `DIRC ${n} ${'entry '.repeat(n * 20)}`)
      if (n % 4 === 0) insertGitFile(tx, { path: `refs/tags/${n}`, state, mode: 0, hash: null })
      markGitState(tx, `cp_${n}`, state)
      if (n % 3 === 0) beginGitRun(tx, `run_${n}`, state)
    }
    insertGitRestore(tx, 1_700_000_000_000, JSON.stringify([{ kind: 'branch', from: '', to: '1'.repeat(40) }]))
  })
  store.db.pragma('wal_checkpoint(TRUNCATE)')
  store.close()
  return readFileSync(file)
}

const TABLES = ['state', 'file', 'run', 'restored', 'mark']

function readAll(store: GitStore): string {
  const rows = TABLES.map((table) => store.db.prepare(`SELECT * FROM ${table} ORDER BY 1, 2`).raw().all())
  const hashes = store.db.prepare('SELECT DISTINCT hash FROM file WHERE hash IS NOT NULL ORDER BY 1').pluck().all()
  return JSON.stringify([rows, hashes.map((hash) => readWholeGitContent(store, hash as Buffer)?.toString('base64'))])
}

/** What is read and what doctor finds; null where the file is refused. */
async function examine(file: string): Promise<{ readonly read: string | null; readonly problems: number } | null> {
  let store: GitStore | null = null
  try {
    store = openGitStore(file)
    const problems = (await checkGitState(store, true)).length
    return { problems, read: readAll(store) }
  } catch (error) {
    if (error instanceof DriftlineError || (error as Error).name === 'SqliteError') return null
    throw error
  } finally {
    store?.close()
  }
}

test(
  `[GT-8] ${FLIPS} bits that flip in the kept copies of git’s state: none is read unnoticed`,
  async () => {
    using temp = tempFolder()
    const file = join(temp.path, 'git.db')
    const bytes = written(file)
    const before = await examine(file)
    expect(before?.problems).toBe(0)
    const flip = fc.tuple(fc.nat(bytes.length - 1), fc.nat(7))
    await fc.assert(
      fc.asyncProperty(flip, async ([at, bit]) => {
        const flipped = Buffer.from(bytes)
        flipped[at] = (flipped[at] ?? 0) ^ (1 << bit)
        for (const ending of ['-wal', '-shm']) writeFileSync(file + ending, '')
        writeFileSync(file, flipped)
        const found = await examine(file)
        expect(found === null || found.problems > 0 || found.read === before?.read).toBe(true)
      }),
      { numRuns: FLIPS, seed: SEED }
    )
  },
  limitFor(FLIPS)
)
