/** Erased content is in no file of the data folder: not in free space of a page, not in the write-ahead log, not in the spool. */
import { randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { ownProcess } from '../../../../src/main/engine/ports/processes.ts'
import { needsVacuum, requestErase, vacuum } from '../../../../src/main/engine/retention/vacuum.ts'
import { EVICTED_CODEC, RAW } from '../../../../src/main/engine/store/codec.ts'
import { sha256 } from '../../../../src/main/engine/store/hash.ts'
import { openStore } from '../../../../src/main/engine/store/open-store.ts'
import { transact } from '../../../../src/main/engine/store/sql.ts'
import { storeFile } from '../../../../src/main/engine/workspaces/store-file.ts'
import { toHookEvent } from '../../../support/agent-replay.ts'
import { createManualClock, type ManualClock } from '../../../support/manual-clock.ts'
import { type RecordedFolder, recordedFolder } from '../../../support/recorded-folder.ts'
import { writeFiles } from '../../../support/tree.ts'

const SECRET = 'q7Zk-erase-this-xV3w'

/** Names of files in the data folder that hold the secret. */
function holders({ dataDir }: RecordedFolder): string[] {
  return (readdirSync(dataDir, { recursive: true }) as string[]).filter((name) => {
    const file = join(dataDir, name)
    return statSync(file).isFile() && readFileSync(file).includes(SECRET)
  })
}

/** Random bytes that contain the secret every 64 bytes. */
function withSecret(length: number): Buffer {
  const bytes = randomBytes(length)
  for (let at = 0; at + SECRET.length <= length; at += 64) bytes.write(SECRET, at)
  return bytes
}

/**
 * Stores secrets uncompressed between rows that shrink and grow, as contents do that are evicted, stored again or repacked.
 * SQLite merges and splits pages meanwhile, which leaves copies of the secrets between the rows.
 */
async function withSecrets(clock?: ManualClock): Promise<RecordedFolder> {
  const folder = await recordedFolder(clock ? { clock, watch: true } : {})
  const secrets = Array.from({ length: 300 }, (_, n) => withSecret(40 + ((n * 379) % 4000)))
  const files: Record<string, Buffer> = { 'large.pem': withSecret(2_500_000) }
  for (const [n, secret] of secrets.entries()) {
    files[`${n}-a.txt`] = randomBytes(60 + ((n * 541) % 4000))
    files[`${n}-b.pem`] = secret
  }
  writeFiles(folder.root, files)
  await folder.check()
  folder.store(({ db }) => {
    const fill = db.prepare('UPDATE content SET hash = ?, size = ?, codec = ?, bytes = ? WHERE id = ?')
    const held = db.prepare('SELECT v.content FROM path p JOIN version v ON v.id = p.version WHERE p.name = ?').pluck()
    const other = (n: number): number => held.get(`${n}-a.txt`) as number
    const resize = db.prepare(
      'UPDATE version SET size = (SELECT size FROM content c WHERE c.id = content) WHERE content > 0'
    )
    transact({ db }, () => {
      for (const [n, secret] of secrets.entries())
        fill.run(sha256(secret), secret.length, RAW, secret, held.get(`${n}-b.pem`))
      for (let n = 0; n < 300; n++) if (n % 3 > 0) fill.run(randomBytes(32), 0, EVICTED_CODEC, null, other(n))
      for (let n = 0; n < 300; n++) {
        const bytes = randomBytes(40 + ((n * 379) % 4000))
        if (n % 5 < 2) fill.run(sha256(bytes), bytes.length, RAW, bytes, other(n))
      }
      resize.run()
    })
  })
  await folder.engine.call('settings.set', { key: 'capture.never', value: '*.pem' })
  return folder
}

const erase = ({ engine, workspace }: RecordedFolder) =>
  engine.call('gc.run', { workspace, dryRun: false, never: true })

test('erasing excluded files leaves no byte of them in any file, and all other content intact', async () => {
  await using folder = await withSecrets()
  const input = { session_id: 's', cwd: folder.root, tool_input: { content: SECRET } }
  mkdirSync(join(folder.dataDir, 'spool'))
  const event = toHookEvent('claude-code', { event: 'SessionEnd', input })
  writeFileSync(join(folder.dataDir, 'spool', '1.json'), JSON.stringify(event))
  expect(holders(folder)).toHaveLength(2)
  const done = await erase(folder)
  expect([done.versions > 0, done.note]).toEqual([true, null])
  expect(holders(folder)).toEqual([])
  expect((await folder.engine.call('doctor.run', { deep: true })).problems).toEqual([])
})

test('while a reader or a live run prevents erasing, the result says so, and the recorder erases later when it is idle', async () => {
  // How many bytes are left until then is SQLite's choice (secure_delete = FAST), so only the end is checked.
  const clock = createManualClock()
  await using folder = await withSecrets(clock)
  const { workspace, engine } = folder
  const { pid, start } = ownProcess()
  const { run } = await engine.call('run.begin', { workspace, title: 'x', agent: 'sh', pid, pidStart: start })
  expect(holders(folder)).not.toEqual([])
  expect((await erase(folder)).note).toEqual({ code: 'postponed', why: 'live-run', erases: true })
  await engine.call('run.end', { workspace, run, exitCode: 0 })
  const reader = new Database(storeFile(folder.dataDir, workspace), { readonly: true })
  reader.prepare('BEGIN').run()
  reader.prepare('SELECT count(*) FROM content').get()
  expect((await erase(folder)).note).toEqual({ code: 'postponed', why: 'readers', erases: true })
  reader.close()
  const holdersWhenIdle = async (): Promise<string[]> => {
    clock.jump(120_000)
    return holders(folder)
  }
  await expect.poll(holdersWhenIdle, { timeout: 10_000 }).toEqual([])
})

test('without disk space to rewrite the file the result says so, and a later vacuum erases', async () => {
  await using folder = await withSecrets()
  const store = openStore(storeFile(folder.dataDir, folder.workspace))
  const vacuumWith = (free: number): ReturnType<typeof vacuum> =>
    vacuum(
      store,
      () => undefined,
      () => free
    )
  transact(store, requestErase)
  expect(await vacuumWith(200_000_000)).toEqual({ code: 'postponed', why: 'no-room', erases: true })
  expect(needsVacuum(store)).toBe(true)
  expect(await vacuumWith(300_000_000)).toBe(null)
  expect(needsVacuum(store)).toBe(false)
  store.close()
})
