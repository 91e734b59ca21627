/** What a hostile or unlucky folder holds: links that lead out, devices, files that never rest, names we cannot write. */
import { execFileSync, fork } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import {
  appendFileSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync
} from 'node:fs'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { createEngine } from '../../../../src/main/engine/engine.ts'
import { systemClock } from '../../../../src/main/engine/ports/clock.ts'
import { INGEST_PROGRAM, type Recorded, recordedFolder } from '../../../support/recorded.ts'
import { tempFolder } from '../../../support/tmp.ts'
import { readTree, remove, writeFiles } from '../../../support/tree.ts'

const notCovered = async (folder: Recorded): Promise<string[]> =>
  (await folder.engine.call('coverage.list', { workspace: folder.workspace })).notCovered.map(
    (one) => `${one.path} ${one.reason}`
  )

const versions = async (folder: Recorded, path: string) =>
  (await folder.engine.call('file.history', { workspace: folder.workspace, path })).versions

test('[CP-4] links are recorded as links: nothing behind them is read, whether inside, outside or in a loop', async () => {
  using outside = tempFolder()
  writeFiles(outside.path, { secret: 'never read', 'deep/secret2': 'never read' })
  await using folder = await recordedFolder({
    files: {
      out: { link: outside.path },
      loop: { link: 'loop2' },
      loop2: { link: 'loop' },
      up: { link: '..' },
      dot: { link: '.' }
    }
  })
  await folder.run('more', () =>
    writeFiles(folder.root, { out2: { link: join(outside.path, 'secret') }, 'd/up': { link: '../..' } })
  )
  const names = folder.store((store) =>
    (store.db.prepare('SELECT name FROM path').all() as { name: string }[]).map((row) => row.name)
  )
  expect(names.sort()).toEqual(['', 'd', 'd/up', 'dot', 'loop', 'loop2', 'out', 'out2', 'up'])
  const contents = folder.store((store) => store.db.prepare('SELECT count(*) AS n FROM content').get())
  expect(contents).toEqual({ n: 0 })
})

test('[CP-4] a folder that became a link: what was in it is gone, what the link shows is not recorded', async () => {
  using outside = tempFolder()
  writeFiles(outside.path, { a: 'theirs', b: 'theirs' })
  await using folder = await recordedFolder({ files: { 'd/a': 'mine' } })
  const before = folder.tree()
  const run = await folder.run('swap', () => {
    remove(folder.root, 'd')
    symlinkSync(outside.path, join(folder.root, 'd'))
  })
  expect((await versions(folder, 'd/a'))[0]).toMatchObject({ kind: 'absent' })
  expect((await folder.apply({ kind: 'undo-run', run })).state).toBe('done')
  expect(folder.tree()).toEqual(before)
  expect(readTree(outside.path)).toMatchObject({ a: expect.stringContaining(Buffer.from('theirs').toString('base64')) })
})

test('[CP-4] a folder and a file that flip to links out of the workspace while they are read never bring in what lies there', async () => {
  using outside = tempFolder()
  writeFiles(outside.path, { f: 'SECRET', other: 'SECRET' })
  await using folder = await recordedFolder({
    files: {
      'd/f': 'inside',
      'd/other': 'inside',
      f: 'inside',
      '.d-link': { link: outside.path },
      '.f-link': { link: join(outside.path, 'f') }
    }
  })
  const flipper = fork(join(import.meta.dirname, 'link-flipper.ts'), [folder.root], { execArgv: [] })
  await once(flipper, 'message')
  for (let i = 0; i < 60; i++) await folder.check()
  flipper.kill('SIGKILL')
  await once(flipper, 'exit')
  await folder.check()
  const secret = createHash('sha256').update('SECRET').digest()
  const brought = folder.store((store) =>
    store.db.prepare('SELECT count(*) AS n FROM content WHERE hash = ?').get(secret)
  )
  expect(brought).toEqual({ n: 0 })
  expect((await folder.engine.call('doctor.run', { deep: true })).problems).toEqual([])
  expect(readTree(outside.path)).toEqual(expect.objectContaining({ f: expect.stringContaining('file') }))
})

test('[CP-4] pipes, sockets and devices are named, never opened, and never written back', async () => {
  await using folder = await recordedFolder({ files: { a: 'one' } })
  execFileSync('mkfifo', [join(folder.root, 'pipe')])
  const server = createServer().listen(join(folder.root, 'socket'))
  await once(server, 'listening')
  if (process.getuid?.() === 0) execFileSync('mknod', [join(folder.root, 'zero'), 'c', '1', '5'])
  const run = await folder.run('edit', () => writeFiles(folder.root, { a: 'two' }))
  const listed = await notCovered(folder)
  expect(listed).toEqual(expect.arrayContaining(['pipe special', 'socket special']))
  const undo = await folder.apply({ kind: 'undo-run', run })
  expect(undo.items.find((item) => item.path === 'a')?.result).toBe('done')
  expect(lstatSync(join(folder.root, 'pipe')).isFIFO()).toBe(true)
  server.close()
  await once(server, 'close')
  await folder.check()
  expect((await folder.engine.call('doctor.run', { deep: true })).problems).toEqual([])
})

test('[CP-3] [CP-4] a file that becomes a pipe does not hold up the check, and comes back', async () => {
  await using folder = await recordedFolder({ files: { a: 'one', b: 'one' } })
  const run = await folder.run('swap', () => {
    remove(folder.root, 'a')
    execFileSync('mkfifo', [join(folder.root, 'a')])
    writeFiles(folder.root, { b: 'two' })
  })
  expect((await versions(folder, 'b'))[0]?.run).toBe(run)
  expect((await versions(folder, 'a'))[0]).toMatchObject({ kind: 'special', stored: false })
  const kept = await folder.apply({ kind: 'undo-run', run, onConflict: 'keep' })
  expect(kept.items.map((item) => [item.path, item.result])).toEqual([
    ['a', 'kept'],
    ['b', 'done']
  ])
  const replaced = await folder.apply({ kind: 'undo-run', run, onConflict: 'replace' }, { a: 'replace' })
  expect([replaced.state, readFileSync(join(folder.root, 'a'), 'utf8')]).toEqual(['done', 'one'])
})

test('[CP-2] [CP-3] a file that never rests is recorded as changing, not as absent, and the others as they are', async () => {
  await using folder = await recordedFolder({ files: { calm: 'one' } })
  const writer = fork(join(import.meta.dirname, 'restless-writer.ts'), [join(folder.root, 'restless')], {
    execArgv: []
  })
  await once(writer, 'message')
  try {
    const run = await folder.run('work', () => writeFiles(folder.root, { calm: 'two' }))
    const [calm] = await versions(folder, 'calm')
    expect(calm).toMatchObject({ run, stored: true })
    const [newest] = await versions(folder, 'restless')
    expect(newest).toMatchObject({ kind: 'file', stored: false })
    expect(await notCovered(folder)).toContain('restless changing')
  } finally {
    writer.kill('SIGKILL')
    await once(writer, 'exit')
  }
  await folder.check()
  const [last] = await versions(folder, 'restless')
  expect(last, 'once it rests it is kept').toMatchObject({
    stored: true,
    size: statSync(join(folder.root, 'restless')).size
  })
  expect(await notCovered(folder)).not.toContain('restless changing')
  expect((await folder.engine.call('doctor.run', { deep: true })).problems).toEqual([])
})

test('[CP-5] recording writes nothing into the folder: not a byte, a time or a name, and nothing in .git', async () => {
  await using folder = await recordedFolder({ files: { a: 'one', 'd/b': 'two', link: { link: 'a' }, empty: null } })
  execFileSync('git', ['init', '-q'], { cwd: folder.root })
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', 'commit', '-qm', 'x', '--allow-empty'], {
    cwd: folder.root
  })
  const whole = (): string[] =>
    (readdirSync(folder.root, { recursive: true }) as string[]).sort().map((name) => {
      const { mode, size, ino, mtimeMs, ctimeMs, uid, gid, nlink } = lstatSync(join(folder.root, name))
      return JSON.stringify([name, mode, size, ino, mtimeMs, ctimeMs, uid, gid, nlink])
    })
  const before = whole()
  await folder.check()
  await folder.checkpoint('here')
  await folder.reopen()
  await folder.engine.call('workspace.status', { workspace: folder.workspace, check: true })
  await folder.plan({ kind: 'restore', target: 'seq:0' })
  const run = await folder.run('nothing', () => {})
  await folder.engine.call('diff.patch', { workspace: folder.workspace, target: run })
  expect(whole()).toEqual(before)
})

test('[LG-5] .git and what is in it is never recorded, also as a file and in any case', async () => {
  await using folder = await recordedFolder({
    files: { '.git/config': 'x', 'sub/.git': 'gitdir: ../x', 'other/.GIT/y': 'y', '.gitignore': '' }
  })
  await folder.run('more', () => writeFiles(folder.root, { '.git/HEAD': 'x', 'new/.git/z': 'z' }))
  const names = folder.store((store) =>
    store.db.prepare("SELECT name FROM path WHERE lower(name) LIKE '%.git' OR lower(name) LIKE '%.git/%'").all()
  )
  expect(names).toEqual([])
})

const raw = (root: string, bytes: number[], dir = ''): Buffer =>
  Buffer.concat([Buffer.from(`${join(root, dir)}/`), Buffer.from(bytes)])

test('[UI-1] [CP-3] names that are not UTF-8 are listed as not covered, and stay listed until they are gone', async () => {
  await using folder = await recordedFolder({ files: { 'one/a': 'a', 'two/b': 'b' } })
  // A clock ahead of the folder's times, so that unchanged folders are not listed again.
  await folder.engine.close()
  folder.engine = await createEngine({
    dataDir: folder.dataDir,
    host: 'cli',
    watch: false,
    programs: { ingest: INGEST_PROGRAM },
    clock: { ...systemClock, now: () => Date.now() + 60_000 }
  })
  writeFileSync(raw(folder.root, [0x66, 0xff], 'one'), 'x')
  await folder.check()
  expect(await notCovered(folder)).toEqual(['one/f\ufffd name'])
  writeFileSync(raw(folder.root, [0x67, 0xfe], 'two'), 'y')
  await folder.check()
  expect(await notCovered(folder), 'a name elsewhere does not hide the first').toEqual([
    'one/f\ufffd name',
    'two/g\ufffd name'
  ])
  await folder.reopen()
  await folder.check()
  expect(await notCovered(folder)).toEqual(['one/f\ufffd name', 'two/g\ufffd name'])
  rmSync(raw(folder.root, [0x66, 0xff], 'one'))
  await folder.check()
  expect(await notCovered(folder), 'gone').toEqual(['two/g\ufffd name'])
  remove(folder.root, 'two')
  await folder.check()
  expect(await notCovered(folder), 'gone with its folder').toEqual([])
})

test('[CP-3] a name that holds the replacement character itself is a name like any other', async () => {
  await using folder = await recordedFolder({ files: { 'a\ufffdb': 'one', 'd\ufffd/x': 'x' } })
  await folder.engine.close()
  // A clock ahead of the folder's times, so that the first copy's listing is trusted.
  folder.engine = await createEngine({
    dataDir: folder.dataDir,
    host: 'cli',
    watch: false,
    programs: { ingest: INGEST_PROGRAM },
    clock: { ...systemClock, now: () => Date.now() + 60_000 }
  })
  expect(await notCovered(folder)).toEqual([])
  const before = folder.tree()
  const run = await folder.run('edit', () => {
    writeFiles(folder.root, { 'a\ufffdb': 'two' })
    remove(folder.root, 'd\ufffd')
  })
  expect((await folder.apply({ kind: 'undo-run', run })).state).toBe('done')
  expect(folder.tree()).toEqual(before)
})

test('[CP-3] [RS-4] a folder holding a name we cannot write is kept when the rest of it goes', async () => {
  await using folder = await recordedFolder({ files: { keep: 'k' } })
  const run = await folder.run('add', () => {
    writeFiles(folder.root, { 'new/a': 'a' })
    writeFileSync(raw(folder.root, [0xff], 'new'), 'odd')
  })
  const result = await folder.apply({ kind: 'undo-run', run })
  expect(result.items.map((item) => [item.path, item.result])).toEqual([
    ['new', 'kept'],
    ['new/a', 'done']
  ])
  expect(readdirSync(join(folder.root, 'new'), { encoding: 'buffer' })).toEqual([Buffer.from([0xff])])
})

test('[CP-3] a link whose target is not UTF-8 is named, and the others are recorded', async () => {
  await using folder = await recordedFolder({ files: { a: 'one' } })
  const run = await folder.run('odd', () => {
    symlinkSync(Buffer.from([0x78, 0xff]), join(folder.root, 'odd'))
    writeFiles(folder.root, { a: 'two' })
  })
  expect(await notCovered(folder)).toEqual(['odd name'])
  expect((await versions(folder, 'a'))[0]?.run).toBe(run)
})

test('[RS-9] a file over the limit is named with its reason; what is over the limit now is stored by the guard and comes back', async () => {
  await using folder = await recordedFolder({ files: { big: 'small once' } })
  const run = await folder.run('grow', () => truncateSync(join(folder.root, 'big'), 51 * 1024 * 1024))
  appendFileSync(join(folder.root, 'big'), 'the end')
  await folder.check()
  expect(await notCovered(folder)).toEqual(['big too-large'])
  const grown = readFileSync(join(folder.root, 'big'))
  const result = await folder.apply({ kind: 'restore', target: run, outside: 'replace' })
  expect(result.state).toBe('done')
  expect(readFileSync(join(folder.root, 'big'), 'utf8')).toBe('small once')
  expect((await folder.apply({ kind: 'undo' })).state).toBe('done')
  expect(readFileSync(join(folder.root, 'big')).equals(grown)).toBe(true)
  expect((await folder.engine.call('doctor.run', { deep: true })).problems).toEqual([])
})

test('[RS-9] a target over the limit is named in the plan and never silently skipped', async () => {
  await using folder = await recordedFolder({ files: { a: 'one' } })
  writeFileSync(join(folder.root, 'big'), '')
  truncateSync(join(folder.root, 'big'), 51 * 1024 * 1024)
  await folder.check()
  const run = await folder.run('delete', () => {
    remove(folder.root, 'big')
    writeFiles(folder.root, { a: 'two' })
  })
  const plan = await folder.plan({ kind: 'undo-run', run })
  expect(plan.items.find((item) => item.path === 'big')).toMatchObject({
    action: 'keep',
    note: expect.stringContaining('size limit')
  })
  const result = await folder.apply({ kind: 'undo-run', run })
  expect(result.items.map((item) => [item.path, item.result])).toEqual([
    ['a', 'done'],
    ['big', 'kept']
  ])
})

test('[DR-1] a large file that is only touched is not another version', async () => {
  await using folder = await recordedFolder({ files: { a: 'one' } })
  writeFileSync(join(folder.root, 'medium'), Buffer.alloc(2 << 20, 'x'))
  await folder.check()
  const before = (await versions(folder, 'medium')).length
  utimesSync(join(folder.root, 'medium'), 1, 1)
  await folder.check()
  expect((await versions(folder, 'medium')).length).toBe(before)
})

test('[CP-3] a folder that cannot be listed is not a folder whose files were deleted', async () => {
  await using folder = await recordedFolder({ files: { 'd/a': 'one', b: 'one' } })
  // A path over the system's limit cannot be looked at by name, whoever asks.
  const parts = Array.from({ length: 18 }, () => 'x'.repeat(220))
  let at = folder.root
  for (const part of parts.slice(0, 9)) {
    at = join(at, part)
    mkdirSync(at)
  }
  let inner = join(dirname(folder.root), 'inner')
  const start = inner
  mkdirSync(inner)
  for (const part of parts.slice(0, 10)) {
    inner = join(inner, part)
    mkdirSync(inner)
  }
  renameSync(start, join(at, 'moved'))
  const run = await folder.run('edit', () => writeFiles(folder.root, { b: 'two' }))
  expect((await versions(folder, 'b'))[0]?.run).toBe(run)
  expect((await versions(folder, 'd/a')).length).toBe(1)
  expect((await notCovered(folder)).some((line) => line.endsWith(' unreadable'))).toBe(true)
  renameSync(join(at, 'moved'), start)
})
