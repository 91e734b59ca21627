/** [CP-4] Symlinks out of the folder, in loops, dangling, or in place of folders are recorded as links and never followed. */
import { fork } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync, readFileSync, readlinkSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { observe } from '../../src/main/engine/capture/observe.ts'
import { ifExists } from '../../src/main/engine/files/fs-errors.ts'
import { openFolders, openParents } from '../../src/main/engine/files/pinned-folder.ts'
import { createWorkspaceFs, type WorkspaceFs } from '../../src/main/engine/files/workspace-fs.ts'
import { recordedFolder } from '../support/recorded-folder.ts'
import { versions } from '../support/recorded-state.ts'
import { bystander, expectIntact, expectRoundTrip } from '../support/round-trip.ts'
import { tempFolder } from '../support/tmp.ts'
import { readTree, remove, writeFiles } from '../support/tree.ts'

test('[CP-6] links are restored as links: relative, absolute, dangling, to a folder, to themselves, to odd targets', async () => {
  const links = {
    relative: { link: 'target' },
    absolute: { link: '/etc/passwd' },
    dangling: { link: 'no/such/thing' },
    folder: { link: 'dir' },
    self: { link: 'self' },
    up: { link: '../..' },
    odd: { link: 'a b\n"c"' },
    // XFS stores at most 1023 bytes.
    long: { link: 'x'.repeat(1000) }
  }
  await using folder = await recordedFolder({ files: { target: 't', 'dir/x': 'x', ...links } })
  await expectRoundTrip(folder, () => remove(folder.root, ...Object.keys(links)))
  await expectRoundTrip(folder, () => {
    for (const name of Object.keys(links)) {
      remove(folder.root, name)
      writeFiles(folder.root, { [name]: { link: 'dir' } })
    }
  })
})

test('[A27] [CP-4] [CP-6] an edit through a link changes its target: the link stays a link, and the target is restored', async () => {
  await using folder = await recordedFolder({
    files: { 'real/file': 'one', link: { link: 'real/file' }, 'link-dir': { link: 'real' }, dangling: { link: 'gone' } }
  })
  await expectRoundTrip(folder, () => {
    writeFileSync(join(folder.root, 'link'), 'written through the link')
    writeFileSync(join(folder.root, 'link-dir/second'), 'made through the folder’s link')
    writeFileSync(join(folder.root, 'dangling'), 'made where it points to')
  })
  expect(folder.tree()).toMatchObject({ link: 'link real/file', 'link-dir': 'link real', dangling: 'link gone' })
})

test('[CP-4] an edit through a link out of the folder is neither recorded nor undone', async () => {
  await using folder = await recordedFolder({
    files: { a: 'one', out: { link: '../outside/d' }, file: { link: '../outside/a' } }
  })
  const outside = bystander(folder.root)
  const run = await folder.run('write', () => {
    writeFiles(folder.root, { a: 'two' })
    writeFileSync(join(folder.root, 'out/b'), 'through the link')
    writeFileSync(join(folder.root, 'file'), 'through the link')
  })
  const behind = readTree(outside)
  const result = await folder.apply({ kind: 'undo-run', run })
  expect(result.items.map((item) => [item.path, item.result])).toEqual([['a', 'done']])
  expect(readTree(outside)).toEqual(behind)
  await expectIntact(folder)
})

test('[CP-4] a folder added through a link is recorded and restored at its real path', async () => {
  await using folder = await recordedFolder({ files: { a: 'one' } })
  const link = join(dirname(folder.root), 'by-link')
  symlinkSync(folder.root, link)
  const { workspace } = await folder.engine.call('workspaces.find', { folder: link })
  expect([workspace.id, workspace.root]).toEqual([folder.workspace, folder.root])
  await expectRoundTrip(folder, () => writeFileSync(join(link, 'a'), 'written through the link'))
})

test('[CP-4] links are recorded as links: their targets are not read, inside, outside or in a loop', async () => {
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

test('[CP-4] a folder that became a link: its files are deleted, and the files at its target are not recorded', async () => {
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

test('[CP-4] a folder replaced by a link between the check of a path and its read is absent', async () => {
  using outside = tempFolder()
  writeFiles(outside.path, { f: 'SECRET' })
  await using folder = await recordedFolder({ files: { 'd/f': 'inside' } })
  const disk = createWorkspaceFs(folder.root)
  const swapped: WorkspaceFs = {
    ...disk,
    stat: (path) => {
      const stat = disk.stat(path)
      renameSync(join(folder.root, 'd'), join(folder.root, 'moved'))
      symlinkSync(outside.path, join(folder.root, 'd'))
      return stat
    }
  }
  const seen = folder.store((store) =>
    observe(swapped, store.content, 'd/f', { limit: Number.POSITIVE_INFINITY, readAt: Date.now() })
  )
  expect(seen).toMatchObject({ version: { kind: 'absent' }, bytes: null })
})

test('[CP-4] a read uses the folder opened for it, wherever its name leads by then', { tags: ['linux'] }, () => {
  using outside = tempFolder()
  writeFiles(outside.path, { f: 'SECRET' })
  using root = tempFolder()
  writeFiles(root.path, { 'd/f': 'inside' })
  using parents = openParents(createWorkspaceFs(root.path))
  const path = parents.absolute('d/f') as string
  renameSync(join(root.path, 'd'), join(root.path, 'moved'))
  symlinkSync(outside.path, join(root.path, 'd'))
  expect(readFileSync(path, 'utf8')).toBe('inside')
  expect(() => parents.absolute('moved/../../f')).toThrow('not inside the folder')
})

/** Number of open files and folders in it. */
const openBelow = (root: string): number =>
  readdirSync('/proc/self/fd').filter((fd) => ifExists(() => readlinkSync(`/proc/self/fd/${fd}`))?.startsWith(root))
    .length

test('[CP-4] paths are read in a row however deep their folders are, and no folder stays open', {
  tags: ['linux']
}, () => {
  using root = tempFolder()
  const deep = Array.from({ length: 40 }, (_, n) => `${n}`).join('/')
  const paths = [`${deep}/f`, `${deep}/g/f`, '0/1/f', '0/2/3/f', 'f', `${deep}/f`, '0/2/f']
  writeFiles(root.path, Object.fromEntries(paths.map((path) => [path, path])))
  {
    using parents = openParents(createWorkspaceFs(root.path))
    const read = (path: string): string => readFileSync(parents.absolute(path) as string, 'utf8')
    expect(paths.map(read)).toEqual(paths)
    expect([parents.absolute('0/1/none/f'), parents.absolute('0/1/f/f'), read('0/1/f')]).toEqual([null, null, '0/1/f'])
  }
  expect(openBelow(root.path)).toBe(0)
})

test('[CP-4] a folder stays open for what follows in it, but only while its name leads to it', {
  tags: ['linux']
}, () => {
  using outside = tempFolder()
  using root = tempFolder()
  writeFiles(root.path, { 'd/f': 'inside', 'e/f': 'other' })
  {
    using folders = openFolders(root.path)
    const first = folders.open('d')
    expect(folders.open('d')).toBe(first)
    expect(folders.open('e')?.stat('f')).toMatchObject({ size: 'other'.length })
    folders.open('d')
    renameSync(join(root.path, 'd'), join(root.path, 'moved'))
    symlinkSync(outside.path, join(root.path, 'd'))
    expect(folders.open('d')).toBeNull()
    rmSync(join(root.path, 'd'))
    writeFiles(root.path, { 'd/made': 'in its place' })
    expect(folders.open('d')?.stat('made')).not.toBeNull()
    expect(openBelow(root.path)).toBe(1)
  }
  expect(openBelow(root.path)).toBe(0)
})

test('[CP-4] a folder and a file replaced by links out of the workspace during a read never let outside content in', async () => {
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
