/** Capture settings apply at once, during the initial snapshot and after it, and never rewrite recorded history. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Drift } from '../../../../src/contract/timeline.ts'
import { noteText } from '../../../../src/contract/words/plan.ts'
import type { ExcludedPath } from '../../../../src/contract/workspace.ts'
import { createEngine } from '../../../../src/main/engine/engine.ts'
import { INGEST_PROGRAM } from '../../../support/programs.ts'
import { type RecordedFolder, recordedFolder } from '../../../support/recorded-folder.ts'
import { tempFolder } from '../../../support/tmp.ts'
import { writeFiles } from '../../../support/tree.ts'

const MB = 1024 * 1024

const set = (on: RecordedFolder, key: string, value: string) => on.engine.call('settings.set', { key, value })
const excluded = async (on: RecordedFolder): Promise<Record<string, ExcludedPath['reason']>> => {
  const { notCovered } = await on.engine.call('coverage.list', { workspace: on.workspace })
  return Object.fromEntries(notCovered.map(({ path, reason }) => [path, reason]))
}
const openDrift = async (on: RecordedFolder): Promise<Drift[]> => {
  const { drift } = await on.engine.call('drift.list', { workspace: on.workspace, check: true })
  return drift.filter(({ state }) => state === 'open')
}
const expectHealthy = async (on: RecordedFolder): Promise<void> => {
  expect(await on.engine.call('doctor.run', { deep: true })).toMatchObject({ ok: true, problems: [] })
}
const big = (letter: string, size = 3 * MB): string => letter.repeat(size)

describe('the size limit', () => {
  test('[CP-3] lowered: a larger file is excluded from its next change on, and stored versions stay', async () => {
    await using shop = await recordedFolder({ files: { 'a.bin': big('a'), 'b.txt': 'b\n' } })
    await set(shop, 'capture.limit', String(2 * MB))
    await shop.check()
    expect(await excluded(shop), 'unchanged files stay stored, also when they are checked again').toEqual({})
    const before = await shop.checkpoint('before')
    writeFileSync(join(shop.root, 'a.bin'), big('x'))
    await shop.check()
    expect(await excluded(shop)).toEqual({ 'a.bin': 'too-large' })
    await shop.apply({ kind: 'restore', target: before, outside: 'replace' })
    expect(readFileSync(join(shop.root, 'a.bin')).equals(Buffer.from(big('a')))).toBe(true)
    await expectHealthy(shop)
  })

  test('raised: excluded files are stored at once, without open drift', async () => {
    await using shop = await recordedFolder({ files: { 'b.txt': 'b\n' } })
    await set(shop, 'capture.limit', String(2 * MB))
    writeFileSync(join(shop.root, 'a.bin'), big('a'))
    await shop.check()
    for (const drift of await openDrift(shop))
      await shop.engine.call('drift.accept', { workspace: shop.workspace, drift: drift.id })
    expect(await excluded(shop)).toEqual({ 'a.bin': 'too-large' })
    await set(shop, 'capture.limit', String(10 * MB))
    expect(await excluded(shop)).toEqual({})
    expect(await openDrift(shop)).toEqual([])
    const point = await shop.checkpoint('kept')
    rmSync(join(shop.root, 'a.bin'))
    await shop.apply({ kind: 'restore', target: point, outside: 'replace' })
    expect(readFileSync(join(shop.root, 'a.bin')).equals(Buffer.from(big('a')))).toBe(true)
    await expectHealthy(shop)
  })

  test('applies to the initial snapshot and to a watched folder', async () => {
    using temp = tempFolder()
    const root = join(temp.path, 'shop')
    writeFiles(temp.path, { 'shop/a.bin': big('a'), 'shop/.env': 'KEY=1\n', 'shop/b.txt': 'b\n' })
    const engine = await createEngine({
      dataDir: join(temp.path, 'data'),
      home: temp.path,
      host: 'server',
      watch: true,
      programs: { ingest: INGEST_PROGRAM }
    })
    try {
      await engine.call('settings.set', { key: 'capture.limit', value: String(2 * MB) })
      await engine.call('settings.set', { key: 'capture.never', value: '.env\n*.pem' })
      const { workspace, notCovered } = await engine.call('workspaces.add', { folder: root, wait: true })
      expect(notCovered).toEqual([
        { path: '.env', reason: 'never', size: 6 },
        { path: 'a.bin', reason: 'too-large', size: 3 * MB }
      ])
      await engine.call('settings.set', { key: 'capture.limit', value: '' })
      const after = await engine.call('coverage.list', { workspace: workspace.id })
      expect(after.notCovered.map(({ path }) => path)).toEqual(['.env'])
      expect(after.covered).toMatchObject({ files: 2 })
    } finally {
      await engine.close()
    }
  })

  test.each([
    ['capture.limit', 'much'],
    ['capture.limit', '1000'],
    ['capture.include/ws_1', '../other'],
    ['capture.include/ws_1', '/etc']
  ])('%s rejects %s', async (key, value) => {
    await using shop = await recordedFolder()
    await expect(set(shop, key, value)).rejects.toMatchObject({
      code: 'Usage',
      message: expect.stringMatching(/Nothing was changed/)
    })
    expect((await shop.engine.call('settings.get', {})).values[key]).toBeUndefined()
  })
})

describe('excluded files', () => {
  test('changes are recorded without content; once removed from the list, the files are stored again', async () => {
    await using shop = await recordedFolder({ files: { 'b.txt': 'b\n' } })
    await set(shop, 'capture.never', '# keys\n*.pem\nsecrets/')
    writeFiles(shop.root, { 'key.pem': 'PRIVATE-1', 'secrets/a.txt': 'PRIVATE-2', 'c.txt': 'c\n' })
    await shop.check()
    expect(await excluded(shop)).toEqual({ 'key.pem': 'never', 'secrets/a.txt': 'never' })
    const kept = readFileSync(join(shop.dataDir, 'w', shop.workspace, 'store.db'), 'latin1')
    const log = join(shop.dataDir, 'w', shop.workspace, 'store.db-wal')
    expect(kept + (existsSync(log) ? readFileSync(log, 'latin1') : '')).not.toMatch(/PRIVATE/)
    await set(shop, 'capture.never', '')
    expect(await excluded(shop)).toEqual({})
    await expectHealthy(shop)
  })

  test('[RS-9] a restore stores an excluded file before it overwrites it', async () => {
    await using shop = await recordedFolder({ files: { 'key.pem': 'old' } })
    const point = await shop.checkpoint('before')
    await set(shop, 'capture.never', '*.pem')
    writeFileSync(join(shop.root, 'key.pem'), 'new')
    await shop.check()
    expect(await excluded(shop)).toEqual({ 'key.pem': 'never' })
    await shop.apply({ kind: 'restore', target: point, outside: 'replace' })
    expect(readFileSync(join(shop.root, 'key.pem'), 'utf8')).toBe('old')
    await shop.apply({ kind: 'undo' })
    expect(readFileSync(join(shop.root, 'key.pem'), 'utf8')).toBe('new')
  })
})

describe('a protected ignored folder', () => {
  test('is covered from then on, with its new folders; earlier checkpoints do not claim to know it', async () => {
    await using shop = await recordedFolder({
      files: { '.gitignore': 'dist/\n', 'b.txt': 'b\n', 'dist/out.css': 'one', 'dist/deep/x.js': 'one' },
      make: (root) => mkdirSync(join(root, '.git'))
    })
    const early = await shop.checkpoint('early')
    expect(await excluded(shop)).toEqual({ dist: 'ignored' })
    await set(shop, `capture.include/${shop.workspace}`, 'dist')
    expect(await excluded(shop)).toEqual({})
    expect(await openDrift(shop)).toEqual([])
    const point = await shop.checkpoint('kept')
    writeFiles(shop.root, { 'dist/out.css': 'two', 'dist/new/y.js': 'new' })
    await shop.check()
    expect((await openDrift(shop))[0]?.paths).toEqual(expect.arrayContaining(['dist/out.css', 'dist/new/y.js']))
    await shop.apply({ kind: 'restore', target: point, outside: 'replace' })
    expect(readFileSync(join(shop.root, 'dist/out.css'), 'utf8')).toBe('one')
    expect(existsSync(join(shop.root, 'dist/new/y.js'))).toBe(false)

    writeFiles(shop.root, { 'dist/out.css': 'three' })
    await shop.check()
    const plan = await shop.plan({ kind: 'restore', target: early, outside: 'replace' })
    const about = plan.items
      .filter(({ path }) => path.startsWith('dist'))
      .map(({ action, note }) => [action, noteText(note)])
    expect(about).toEqual([
      ['keep', 'was not stored: ignored'],
      ['keep', 'was not protected at that time'],
      ['keep', 'was not protected at that time']
    ])
    await expectHealthy(shop)
  })

  test('stays covered after a restart', async () => {
    await using shop = await recordedFolder({
      files: { '.gitignore': 'dist/\n', 'dist/out.css': 'one' },
      make: (root) => mkdirSync(join(root, '.git'))
    })
    await set(shop, `capture.include/${shop.workspace}`, 'dist')
    await shop.reopen()
    writeFiles(shop.root, { 'dist/later/z.js': 'z' })
    await shop.check()
    expect(await excluded(shop)).toEqual({})
    expect((await openDrift(shop))[0]?.paths).toEqual(expect.arrayContaining(['dist/later/z.js']))
  })
})

describe('stored content of files that are excluded later', () => {
  const gc = (shop: RecordedFolder, dryRun: boolean) =>
    shop.engine.call('gc.run', { workspace: shop.workspace, dryRun, never: true })

  test('[ST-2] is listed, and removed from every checkpoint on request; everything else stays complete', async () => {
    await using shop = await recordedFolder({ files: { 'key.pem': 'PRIVATE-1', 'a.txt': 'a1', 'same.txt': 'SHARED' } })
    writeFiles(shop.root, { 'key.pem': 'PRIVATE-2', 'a.txt': 'a2', 'copy.pem': 'SHARED' })
    await shop.check()
    const pin = await shop.checkpoint('before')
    writeFiles(shop.root, { 'key.pem': 'PRIVATE-3', 'a.txt': 'a3' })
    await shop.check()
    expect((await gc(shop, true)).versions, 'no file is excluded').toBe(0)
    await set(shop, 'capture.never', '*.pem')
    const listed = await gc(shop, true)
    expect(listed).toMatchObject({
      versions: 3,
      checkpoints: [],
      pruned: [{ code: 'excluded', path: 'key.pem', versions: 3 }]
    })
    expect(await excluded(shop), 'a dry run evicts nothing').toEqual({})

    expect((await gc(shop, false)).versions).toBe(3)
    expect((await gc(shop, true)).versions).toBe(0)
    expect(await excluded(shop)).toEqual({ 'key.pem': 'never' })
    await expectHealthy(shop)
    const cat = (path: string) => shop.engine.call('file.cat', { workspace: shop.workspace, target: pin, path })
    await expect(cat('key.pem')).rejects.toMatchObject({ code: 'NotStored' })
    // Content that another file shares is not evicted.
    expect(Buffer.from((await cat('copy.pem')).base64, 'base64').toString()).toBe('SHARED')

    // Nothing changed on disk, so no edit is found; the checkpoint can still be restored and reports what it lacks.
    await shop.check()
    const before = shop.tree()
    const plan = await shop.plan({ kind: 'restore', target: pin, outside: 'replace' })
    expect(plan.items.find(({ path }) => path === 'key.pem')).toMatchObject({
      action: 'keep',
      note: { code: 'not-stored', reason: 'pruned' }
    })
    await shop.apply({ kind: 'restore', target: pin, outside: 'replace' })
    expect(readFileSync(join(shop.root, 'a.txt'), 'utf8')).toBe('a2')
    expect(readFileSync(join(shop.root, 'key.pem'), 'utf8')).toBe('PRIVATE-3')
    await shop.apply({ kind: 'undo' })
    expect(shop.tree()).toEqual(before)
  })

  test('removed from the list, the present content is stored at once, without an edit', async () => {
    await using shop = await recordedFolder({ files: { 'key.pem': 'PRIVATE-1' } })
    await set(shop, 'capture.never', '*.pem')
    await gc(shop, false)
    const before = await openDrift(shop)
    await set(shop, 'capture.never', '')
    expect(await excluded(shop)).toEqual({})
    expect(await openDrift(shop)).toEqual(before)
    const pin = await shop.checkpoint('again')
    const cat = await shop.engine.call('file.cat', { workspace: shop.workspace, target: pin, path: 'key.pem' })
    expect(Buffer.from(cat.base64, 'base64').toString()).toBe('PRIVATE-1')
    await expectHealthy(shop)
  })

  test('an ignored folder that is no longer included can be excluded by a list of its own', async () => {
    await using shop = await recordedFolder({
      files: { '.gitignore': 'dist/\n', 'dist/out.css': 'one', 'b.txt': 'b\n' },
      make: (root) => mkdirSync(join(root, '.git'))
    })
    const include = `capture.include/${shop.workspace}`
    const never = `capture.never/${shop.workspace}`
    await shop.check()
    await set(shop, include, 'dist')
    expect(await excluded(shop)).toEqual({})
    await set(shop, never, '/dist/')
    await set(shop, include, '')
    writeFiles(shop.root, { 'dist/out.css': 'two', 'dist/new.css': 'new' })
    await shop.check()
    expect(await excluded(shop)).toMatchObject({ 'dist/out.css': 'never' })
    expect(await gc(shop, false)).toMatchObject({
      versions: 1,
      pruned: [{ code: 'excluded', path: 'dist/out.css', versions: 1 }]
    })
    // Included again.
    await set(shop, never, '')
    await set(shop, include, 'dist')
    expect(await excluded(shop)).toEqual({})
    const pin = await shop.checkpoint('again')
    const cat = await shop.engine.call('file.cat', { workspace: shop.workspace, target: pin, path: 'dist/new.css' })
    expect(Buffer.from(cat.base64, 'base64').toString()).toBe('new')
  })
})
