/** [CP-4] Pipes, sockets and devices are listed, never opened and never created. */
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { lstatSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { recordedFolder } from '../support/recorded-folder.ts'
import { notCovered, versions } from '../support/recorded-state.ts'
import { expectRoundTrip, expectSound } from '../support/round-trip.ts'
import { remove, writeFiles } from '../support/tree.ts'

test('[CP-4] pipes, sockets and devices are listed, never opened and never restored', async () => {
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

test('[CP-3] [CP-4] a file that becomes a pipe does not block the scan, and is restored', async () => {
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

test('[CP-4] pipes, sockets and devices that exist at the initial snapshot are listed and stay unchanged', async () => {
  await using folder = await recordedFolder({
    files: { a: 'one', 'd/b': 'one' },
    make: (root) => {
      execFileSync('mkfifo', [join(root, 'pipe'), join(root, 'd/pipe')])
      if (process.getuid?.() === 0) execFileSync('mknod', [join(root, 'd/zero'), 'c', '1', '5'])
    }
  })
  expect(await notCovered(folder)).toEqual(expect.arrayContaining(['d/pipe special', 'pipe special']))
  await expectRoundTrip(folder, () => writeFiles(folder.root, { a: 'two', 'd/b': 'two', 'd/c': 'new' }))
})

test('[CP-4] [RS-4] a folder to be deleted is kept if it contains a pipe', async () => {
  await using folder = await recordedFolder({ files: { keep: 'k' } })
  const run = await folder.run('make', () => writeFiles(folder.root, { 'd/a': 'a' }))
  execFileSync('mkfifo', [join(folder.root, 'd/pipe')])
  const result = await folder.apply({ kind: 'undo-run', run })
  expect(result.items.map((item) => [item.path, item.result])).toEqual([
    ['d', 'kept'],
    ['d/a', 'done']
  ])
  expect(lstatSync(join(folder.root, 'd/pipe')).isFIFO()).toBe(true)
  await expectSound(folder)
})
