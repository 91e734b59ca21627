/** Bits that flip anywhere in the file of a history: what is read is what was recorded, or doctor finds that it is not. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DriftlineError } from '../../src/contract/errors.ts'
import { checkStore } from '../../src/main/engine/doctor/verify.ts'
import { outputsOf } from '../../src/main/engine/store/call-outputs.ts'
import { createContent } from '../../src/main/engine/store/content.ts'
import { createRecentContents } from '../../src/main/engine/store/content-rows.ts'
import { messagesOf } from '../../src/main/engine/store/messages.ts'
import { openStore, type Store } from '../../src/main/engine/store/open-store.ts'
import { findTurn } from '../../src/main/engine/store/turns.ts'
import { storeFile } from '../../src/main/engine/workspaces/store-file.ts'
import { PROJECT, recordedEvents, replay } from '../support/agent-replay.ts'
import { recordedFolder } from '../support/recorded-folder.ts'
import { LONG, limitFor, SEED, scaled } from '../support/scale.ts'
import { tempFolder } from '../support/tmp.ts'
import { writeFiles } from '../support/tree.ts'
import { bytesOf, LARGE_TEXTS } from './large-contents.ts'

const FLIPS = LONG ? scaled(25) : 12

/** A history of files of all kinds of packing, and of a conversation. `large`: versions of a file that is in chunks. */
async function writtenHistory(large: readonly string[]): Promise<Buffer> {
  await using folder = await recordedFolder({ files: { ...PROJECT, 'never changed': 'as it was' } })
  const lines = Array.from({ length: 80 }, (_, n) => `line ${n} ${(n * 7919).toString(36)}\n`)
  for (let n = 0; n < 6; n++) {
    lines[(n * 13) % 80] = `line of version ${n}\n`
    if (n % 2 === 0) lines[(n * 29) % 80] = `and ${'another, much longer one '.repeat(n)}\n`
    writeFiles(folder.root, { small: lines.join(''), [`file ${n}`]: `${n}\n` })
    const text = large[n]
    if (text) writeFiles(folder.root, { large: bytesOf(text) })
    await (n % 2 === 0 ? folder.check() : folder.run(`change ${n}`, () => writeFiles(folder.root, { run: `by ${n}` })))
  }
  await folder.checkpoint('a pin')
  await replay(folder, 'claude-code', recordedEvents('claude', folder.root))
  await folder.engine.close()
  return readFileSync(storeFile(folder.dataDir, folder.workspace))
}

const TABLES = [
  'SELECT id, parent, name, version, edit FROM path ORDER BY id',
  'SELECT * FROM edit ORDER BY seq',
  'SELECT * FROM version ORDER BY id',
  'SELECT id, title, plan, todos FROM session ORDER BY id',
  'SELECT id, title, note, session, agent, start_seq, end_seq FROM run ORDER BY id',
  'SELECT turn, name, summary, paths FROM tool_call ORDER BY id',
  'SELECT seq, n, reason, label FROM checkpoint ORDER BY n'
]

/** All that a restore, a diff or the conversation shows of a history, and no caches. */
function readAll(store: Store): string {
  const { db } = store
  const contents = createContent(store, createRecentContents(store))
  const files = db.prepare('SELECT id, content, size FROM version WHERE content IS NOT NULL ORDER BY id').all() as {
    content: number
    size: number
  }[]
  const ids = (table: string): string[] => db.prepare(`SELECT id FROM ${table} ORDER BY id`).pluck().all() as string[]
  return JSON.stringify([
    TABLES.map((sql) => db.prepare(sql).raw().all()),
    files.map(({ content, size }) => contents.get(content, size).toString('base64')),
    ids('session').map((id) => [...messagesOf(store, id)].map(({ seq, text }) => [seq, text])),
    ids('turn').map((id) => findTurn(store, id)?.prompt),
    [
      ...outputsOf(
        store,
        ids('tool_call').map((id) => ({ id }))
      )
    ]
  ])
}

/** What a reader gets, or null where it is told that the history is damaged. */
function readOrDamaged(file: string): string | null {
  let store: Store | null = null
  try {
    store = openStore(file)
    return readAll(store)
  } catch (error) {
    const isKnown = error instanceof DriftlineError || (error instanceof Error && error.name === 'SqliteError')
    if (!isKnown && !(error instanceof Error && / is missing$/.test(error.message))) throw error
    return null
  } finally {
    store?.close()
  }
}

function difference(was: string, is: string): string {
  let at = 0
  while (was[at] === is[at]) at++
  const from = Math.max(0, at - 60)
  return `${was.slice(from, at + 40)} became ${is.slice(from, at + 40)}`
}

async function isFound(file: string): Promise<boolean> {
  let store: Store | null = null
  try {
    store = openStore(file)
    return (await checkStore(store, true)).length > 0
  } catch {
    return true
  } finally {
    store?.close()
  }
}

test.each([
  { of: 'with large files', large: LARGE_TEXTS.slice(0, 3) },
  { of: 'of small files', large: [] }
])(
  `[ST-9] [ST-1] [ST-8] ${FLIPS} bits flipped anywhere in a history $of: doctor finds each that changes what is read`,
  async ({ large }) => {
    const whole = await writtenHistory(large)
    using temp = tempFolder()
    const file = join(temp.path, 'store.db')
    writeFileSync(file, whole)
    const read = readOrDamaged(file)
    expect(read).not.toBeNull()
    expect(await isFound(file)).toBe(false)
    let changed = 0
    const where = fc.record({ at: fc.nat(whole.length - 1), bit: fc.nat(7) })
    const property = fc.asyncProperty(where, async ({ at, bit }) => {
      const flipped = Buffer.from(whole)
      flipped[at]! ^= 1 << bit
      for (const end of ['-wal', '-shm']) rmSync(`${file}${end}`, { force: true })
      writeFileSync(file, flipped)
      const now = readOrDamaged(file)
      if (now === read) return
      changed++
      expect(await isFound(file), `byte ${at}, bit ${bit}: ${difference(read as string, now ?? '')}`).toBe(true)
    })
    await fc.assert(property, { numRuns: FLIPS, seed: SEED })
    expect(changed).toBeGreaterThan(FLIPS / 10)
  },
  limitFor(FLIPS)
)
