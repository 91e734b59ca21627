/** Backups in a real repository of restic: made while folders are recorded, and restored into another data folder. */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { BackupOutcome } from '../../../src/contract/storage.ts'
import { connectHost } from '../../../src/main/host/connect-host.ts'
import { readEngineFile } from '../../../src/main/host/engine-file.ts'
import { endRecorder } from '../../support/end-recorder.ts'
import { readTree } from '../../support/tree.ts'
import { type CliProject, createCliProject } from './cli-project.ts'

interface Backup {
  snapshot: string
  histories: number
  bytes: number
  added: number
}

/** As `restic init` made it on a slow computer, so that its key is cheap to derive; its password is `test`. */
const EMPTY_REPOSITORY = resolve(import.meta.dirname, '../../fixtures/restic')

describe('backups', { tags: ['restic'] }, () => {
  let project: CliProject
  let repository: string
  let elsewhere: string
  beforeEach(async () => {
    project = createCliProject(undefined, { DRIFTLINE_RECORDER: '', RESTIC_PASSWORD: 'test' })
    repository = join(project.root, '../repository')
    elsewhere = join(project.root, '../elsewhere')
    project.write('a.txt', 'one\n')
    await project.add()
    await project.run('first', () => {
      project.write('a.txt', 'two\n')
      project.write('b.txt', 'new\n')
    })
  })
  afterEach(async () => {
    for (const data of [project.data, elsewhere]) await endRecorder(data)
    project.remove()
  })

  async function ok(...args: readonly string[]): Promise<string> {
    const { code, out, err } = await project.call(args)
    expect(code, err || out.toString('utf8')).toBe(0)
    return out.toString('utf8')
  }
  const json = async <T>(...args: readonly string[]) => JSON.parse(await ok(...args, '--json')) as T
  const there = (...args: readonly string[]) => ok(...args, '--data', elsewhere)
  const backUp = (...more: readonly string[]) => json<Backup>('backup', repository, ...more)
  const copyEmptyRepository = () => cpSync(EMPTY_REPOSITORY, repository, { recursive: true })
  /** As with `--init`, without the half second in which restic measures how hard its keys may be to derive. */
  const backUpFirst = () => {
    copyEmptyRepository()
    return backUp()
  }

  test('[BK-1] a backup in another data folder has every run, and restores the folder byte for byte', async () => {
    const recorded = readTree(project.root)
    expect((await project.call(['backup'])).code).toBe(2)
    expect((await project.call(['backup', repository])).err).toContain('--init')
    copyEmptyRepository()
    await ok('settings', 'backup.repository', repository)
    expect(await json('backup', '--now')).toMatchObject({ repository, histories: 1, took: expect.any(Number) })
    writeFileSync(join(project.root, 'a.txt'), 'lost\n')
    rmSync(join(project.root, 'b.txt'))
    expect(JSON.parse(await there('restore-history', repository, '--json'))).toMatchObject({
      workspaces: [{ root: project.root, here: true }],
      verified: true
    })
    expect(await there('log')).toContain('first')
    expect(JSON.parse(await there('doctor', '--json'))).toMatchObject({ ok: true, problems: [] })
    const { entries } = JSON.parse(await there('log', '--json', '--kind', 'run')) as { entries: { id: string }[] }
    await there('restore', `${entries[0]?.id}:end`, '--outside', 'replace', '--yes')
    expect(readTree(project.root)).toEqual(recorded)
  })

  test('[BK-1] --init makes the repository', { tags: ['long'] }, async () => {
    expect(await backUp('--init')).toMatchObject({ histories: 1 })
  })

  // The copy of a database that is written is that of test/main/engine/store/copy-database.test.ts.
  test('[BK-1] made while runs are recorded and the recorder is then killed, it is whole, and the next one adds to it', {
    tags: ['long']
  }, async () => {
    const first = await backUpFirst()
    const runs = [1, 2, 3].map((n) => project.run(`during ${n}`, () => project.write(`c${n}`, `${n}`)))
    const second = await backUp()
    await Promise.all(runs)
    expect(second.snapshot).not.toBe(first.snapshot)
    expect(readdirSync(join(project.data, 'backup'))).toEqual([])
    process.kill(readEngineFile(project.data)?.pid as number, 'SIGKILL')
    await there('restore-history', repository)
    expect(JSON.parse(await there('doctor', '--json'))).toEqual({ ok: true, problems: [] })
    expect(await there('log')).toContain('first')
  })

  test('[BK-3] a run is backed up by itself; why one failed is in status and doctor', async () => {
    copyEmptyRepository()
    const passwordFile = join(project.root, '../password')
    writeFileSync(passwordFile, 'wrong')
    await ok('settings', 'backup.delay', '0')
    await ok('settings', 'backup.password-file', passwordFile)
    const host = await connectHost(project.data, 10_000, 10_000)
    if (!host) throw new Error('no recorder runs')
    const { client } = host
    /** The next automatic backup that ends after `change` began. */
    const backupAfter = async (change: () => Promise<unknown>): Promise<BackupOutcome> => {
      const before = (await client.call('host.state', {})).backup?.last?.at ?? 0
      const ended = Promise.withResolvers<BackupOutcome>()
      const off = client.on('workspaces.changed', () => {
        client.call('host.state', {}).then(({ backup }) => {
          if (backup?.last && backup.last.at > before) ended.resolve(backup.last)
        }, ended.reject)
      })
      await change()
      return ended.promise.finally(off)
    }
    const failed = await backupAfter(() => ok('settings', 'backup.repository', repository))
    expect(failed).toMatchObject({ ok: false, message: expect.stringContaining('wrong password') })
    for (const name of ['status', 'doctor']) expect(await ok(name)).toMatch(/Backup .*Failed.*wrong password/)

    const named = await project.call(['backup', repository])
    expect([named.code, named.err]).toEqual([3, expect.stringContaining('its message is above')])

    // No setting changes: only the run is a reason for the next one.
    writeFileSync(passwordFile, 'test')
    const afterRun = await backupAfter(() => project.run('by itself', () => project.write('a.txt', 'three\n')))
    expect(afterRun).toMatchObject({ ok: true, message: expect.stringContaining('Backed up 1 history') })
    expect(await ok('status')).toMatch(/Backup .*Backed up 1 history/)
    host.disconnect()
    await there('restore-history', repository)
    expect(await there('log')).toContain('by itself')
  })

  test('[BK-2] --as-of brings the newest backup until then; a time before all of them, or none, is named', {
    tags: ['long']
  }, async () => {
    await backUpFirst()
    const { backups } = await json<{ backups: { at: number }[] }>('restore-history', repository, '--list')
    await project.run('later', () => project.write('a.txt', 'later\n'))
    await backUp()
    const at = new Date(backups[0]?.at as number).toISOString()
    await ok('restore-history', repository, '--as-of', at, '--into', elsewhere)
    expect(await there('log')).not.toContain('later')
    const early = ['restore-history', repository, '--into', `${elsewhere}-2`, '--as-of']
    expect((await project.call([...early, '2001-01-01'])).code).toBe(5)
    expect((await project.call([...early, 'yesterday'])).code).toBe(2)
    expect(existsSync(`${elsewhere}-2`)).toBe(false)
  })

  test('[BK-2] histories that are there are never replaced', async () => {
    const before = await ok('log', '--json')
    const refused = await project.call(['restore-history', repository])
    expect([refused.code, refused.err]).toEqual([3, expect.stringContaining('already holds 1 history')])
    expect(await ok('log', '--json')).toBe(before)
  })

  test('[BK-1] what restic refuses is said in its words and ours, and leaves no copy', { tags: ['long'] }, async () => {
    const none = await project.call(['backup', repository])
    expect([none.code, none.err]).toEqual([3, expect.stringContaining('its message is above')])
    expect(readdirSync(join(project.data, 'backup'))).toEqual([])
    await backUpFirst()
    project.env.RESTIC_PASSWORD = 'wrong'
    // What restic prints is in the output of a process only.
    const wrong = await project.callProcess(['restore-history', repository, '--data', elsewhere])
    expect([wrong.code, wrong.err]).toEqual([3, expect.stringContaining('wrong password')])
    expect(existsSync(elsewhere)).toBe(false)
  })

  test('[BK-1] a copy that SQLite finds damaged is not stored', { tags: ['long'] }, async () => {
    await backUpFirst()
    await ok('recorder', 'stop')
    const [id] = readdirSync(join(project.data, 'w')).filter((name) => !name.includes('.'))
    const file = join(project.data, 'w', id as string, 'store.db')
    const bytes = readFileSync(file)
    bytes.fill(0x5a, bytes.length - 3 * 8192, bytes.length - 2 * 8192)
    writeFileSync(file, bytes)
    const damaged = await project.call(['backup', repository])
    expect(damaged.code).toBe(1)
    const { backups } = await json<{ backups: unknown[] }>('restore-history', repository, '--list')
    expect(backups).toHaveLength(1)
  })
})

test('[BK-1] without restic, both commands say how to get it and change nothing', async () => {
  const project = createCliProject(undefined, { PATH: '/nowhere' })
  for (const name of ['backup', 'restore-history']) {
    const { code, err } = await project.call([name, 'repository'])
    expect([code, err]).toEqual([3, expect.stringContaining('restic, which is not installed')])
  }
  expect(existsSync(project.data)).toBe(false)
  project.remove()
})

describe('backups in a folder of rclone', { tags: ['rclone'] }, () => {
  test('[BK-1] [BK-2] each is a whole copy that counts once it is complete, and is restored elsewhere', async () => {
    const project = createCliProject(undefined, { RCLONE_CONFIG: '/dev/null', RCLONE_CONFIG_BOX_TYPE: 'local' })
    const store = join(project.root, '../remote')
    const address = `rclone:box:${store}`
    const ok = async (...args: readonly string[]): Promise<string> => {
      const { code, out, err } = await project.call(args)
      expect(code, err).toBe(0)
      return out.toString('utf8')
    }
    try {
      project.write('a.txt', 'one\n')
      await project.add()
      await project.run('first', () => project.write('a.txt', 'two\n'))
      const first = JSON.parse(await ok('backup', address, '--init', '--json')) as Backup
      expect(first.added).toBe(first.bytes)
      const recorded = readTree(project.root)
      // One that was cut off is none.
      mkdirSync(join(store, '20990101T000000Z-box/w'), { recursive: true })
      const { backups } = JSON.parse(await ok('restore-history', address, '--list', '--json')) as {
        backups: { id: string }[]
      }
      expect(backups.map(({ id }) => id)).toEqual([first.snapshot])
      writeFileSync(join(project.root, 'a.txt'), 'lost\n')
      const elsewhere = ['--data', join(project.root, '../elsewhere')]
      await ok('restore-history', address, ...elsewhere)
      await ok('restore', 'latest:end', '--outside', 'replace', '--yes', ...elsewhere)
      expect(readTree(project.root)).toEqual(recorded)
      expect(JSON.parse(await ok('doctor', '--json', ...elsewhere))).toEqual({ ok: true, problems: [] })
    } finally {
      project.remove()
    }
  })
})
