import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Params } from '../../../../src/contract/api.ts'
import { copyAtPosition, removePosition } from '../../../../src/main/cli/bisect/position-copy.ts'
import { isInMemory, makeTree } from '../../../../src/main/engine/bisect/position-folders.ts'
import { toWriteError } from '../../../../src/main/engine/bisect/write-position.ts'
import { ownProcess } from '../../../../src/main/engine/ports/processes.ts'
import { type RecordedFolder, recordedFolder } from '../../../support/recorded-folder.ts'
import { scaled } from '../../../support/scale.ts'
import { tempFolder } from '../../../support/tmp.ts'
import { fileOf, readTree, remove, type Tree, writeFiles } from '../../../support/tree.ts'

type Request = Omit<Params<'position.write'>, 'workspace' | 'owner'>

async function write(folder: RecordedFolder, request: Request) {
  return folder.engine.call('position.write', { ...request, workspace: folder.workspace, owner: ownProcess() })
}

/** The folder at a position, as a command would find it. */
async function treeAt(folder: RecordedFolder, request: Request): Promise<Tree> {
  const position = await write(folder, request)
  const copy = join(position.folder, 'copy')
  await copyAtPosition(position, folder.root, copy)
  const tree = readTree(copy)
  await removePosition(position)
  return tree
}

const lastSeq = (folder: RecordedFolder): number => folder.store((store) => store.records.lastSeq())

test('a disk that is full while a position is written is named: memory, or that of the data folder', () => {
  const full = Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' })
  expect(toWriteError(full, '/dev/shm/driftline-position-1-x-a/tree')).toMatchObject({
    code: 'DiskFull',
    message:
      'Not enough space in memory (/dev/shm) to prepare the position. Your folder was not changed. Free some space there and retry.'
  })
  expect(toWriteError(full, '/data/positions/1-x-a/tree')).toMatchObject({
    code: 'DiskFull',
    message: expect.stringContaining('Not enough disk space in the data folder')
  })
})

test('[BI-1] where there is no room in memory, as on macOS and Windows, even an empty position is on the disk', () => {
  using folder = tempFolder()
  const tree = makeTree(folder.path, 0, null)
  expect([dirname(tree), lstatSync(tree).isDirectory(), isInMemory(tree)]).toEqual([folder.path, true, false])
})

describe('the folder at a position', () => {
  test('[BI-1] is the folder as it was there, and the folder on disk stays as it is', { tags: ['posix'] }, async () => {
    await using folder = await recordedFolder({
      files: {
        'a.txt': 'a1\n',
        'src/b.txt': 'b1\n',
        'src/deep/c.txt': 'c1\n',
        'gone/d.txt': 'd\n',
        tool: { bytes: '#!\n', mode: 0o755 },
        link: { link: 'a.txt' }
      }
    })
    const trees = new Map<number, Tree>([[0, folder.tree()]])
    const step = async (work: () => void): Promise<void> => {
      await folder.run('step', work)
      trees.set(lastSeq(folder), folder.tree())
    }
    await step(() => writeFiles(folder.root, { 'a.txt': 'a2\n', 'new/e.txt': 'e\n' }))
    await step(() => remove(folder.root, 'gone', 'link'))
    await step(() => {
      remove(folder.root, 'src')
      writeFiles(folder.root, { src: 'now a file\n', link: { link: '/etc' } })
    })
    await step(() => {
      remove(folder.root, 'src', 'a.txt')
      writeFiles(folder.root, { 'src/b.txt': 'b2\n', 'a.txt/inside': 'x\n' })
      renameSync(join(folder.root, 'new'), join(folder.root, 'src/moved'))
    })
    await step(() => writeFiles(folder.root, { tool2: { bytes: 'x', mode: 0o700 } }))
    const now = folder.tree()
    for (const [seq, tree] of trees) expect(await treeAt(folder, { target: `seq:${seq}` }), `seq:${seq}`).toEqual(tree)
    expect(folder.tree()).toEqual(now)
    expect(readdirSync(join(folder.dataDir, 'positions'))).toEqual([])
  })

  test('[BI-1] takes files that are not recorded as they are now', async () => {
    await using folder = await recordedFolder({ files: { '.gitignore': 'node_modules\n', 'a.txt': '1' } })
    await folder.run('edit', () => writeFiles(folder.root, { 'a.txt': '2', 'node_modules/m/index.js': 'built' }))
    const tree = await treeAt(folder, { target: 'seq:0' })
    expect(tree['a.txt']).toBe(fileOf('1'))
    expect(tree['node_modules/m/index.js']).toBe(fileOf('built'))
  })

  test('[BI-1] names a path that it cannot give its version back, and leaves it as on disk', async () => {
    await using folder = await recordedFolder({ files: { 'a.txt': 'one', 'b.txt': 'one' } })
    await folder.run('edit', () => writeFiles(folder.root, { 'a.txt': 'two' }))
    await folder.engine.call('settings.set', { key: `capture.never/${folder.workspace}`, value: 'secret.txt' })
    await folder.run('edit', () => writeFiles(folder.root, { 'secret.txt': 'hush' }))
    const seq = lastSeq(folder)
    await folder.run('edit', () => writeFiles(folder.root, { 'secret.txt': 'other' }))
    const position = await write(folder, { target: `seq:${seq}` })
    expect(position.unavailable).toEqual([{ path: 'secret.txt', reason: 'never' }])
    expect(position.paths).toEqual([])
    await removePosition(position)
  })

  test('[CP-4] a link that leads out of the folder is a link, and nothing is written behind it', {
    tags: ['links']
  }, async () => {
    await using folder = await recordedFolder({ files: { 'd/a.txt': 'inside' } })
    await folder.run('edit', () => {
      remove(folder.root, 'd')
      mkdirSync(join(folder.home, 'outside'), { recursive: true })
      symlinkSync(join(folder.home, 'outside'), join(folder.root, 'd'))
    })
    await folder.run('edit', () => remove(folder.root, 'd'))
    expect(await treeAt(folder, { target: 'seq:0' })).toMatchObject({ 'd/a.txt': fileOf('inside') })
    const seq = lastSeq(folder) - 1
    expect((await treeAt(folder, { target: `seq:${seq}` })).d).toBe(`link ${join(folder.home, 'outside')}`)
    expect(readdirSync(join(folder.home, 'outside'))).toEqual([])
  })

  test('[BI-7] of a process that ended is deleted by the next recorder, also what is in memory', async () => {
    await using folder = await recordedFolder({ files: { 'a.txt': '1' } })
    await folder.run('edit', () => writeFiles(folder.root, { 'a.txt': '2' }))
    const parent = join(folder.dataDir, 'positions')
    const left = await folder.engine.call('position.write', {
      ...{ workspace: folder.workspace, target: 'seq:0', owner: { pid: 999_999_999, start: '1' } }
    })
    const mine = await write(folder, { target: 'seq:0' })
    await folder.reopen({ watch: true })
    await expect.poll(() => readdirSync(parent)).toEqual([basename(mine.folder)])
    expect([existsSync(left.tree), readTree(mine.tree)]).toEqual([false, { 'a.txt': fileOf('1') }])
    await removePosition(mine)
    expect(existsSync(mine.tree)).toBe(false)
  })

  test('[BI-1] shares the files that another position holds, but none that differs', { tags: ['posix'] }, async () => {
    await using folder = await recordedFolder({ files: { 'a.txt': 'a1', 'b.txt': 'b1', tool: 't1' } })
    await folder.run('first', () => writeFiles(folder.root, { 'a.txt': 'a2', 'b.txt': 'b2' }))
    const seq = lastSeq(folder)
    await folder.run('second', () => {
      writeFiles(folder.root, { 'a.txt': 'a3', 'b.txt': 'b3' })
      chmodSync(join(folder.root, 'tool'), 0o700)
    })
    const before = await write(folder, { target: `seq:${seq}` })
    const after = await write(folder, { target: `seq:${seq - 1}`, like: before.folder })
    expect(readTree(after.tree)).toEqual({ 'a.txt': fileOf('a2'), 'b.txt': fileOf('b1'), tool: fileOf('t1') })
    const isShared = (path: string) => statSync(join(before.tree, path)).ino === statSync(join(after.tree, path)).ino
    expect(['a.txt', 'b.txt', 'tool'].map(isShared)).toEqual([true, false, true])
    await removePosition(before)
    const alone = await write(folder, { target: `seq:${seq}`, like: before.folder })
    expect(readTree(alone.tree)).toEqual({ 'a.txt': fileOf('a2'), 'b.txt': fileOf('b2'), tool: fileOf('t1') })
    await removePosition(after)
    await removePosition(alone)
  })
})

describe('the candidates of a search', () => {
  const candidates = (folder: RecordedFolder, ends: { good?: string; bad?: string } = {}) =>
    folder.engine.call('bisect.candidates', { workspace: folder.workspace, ...ends })

  test('[BI-4] an edit that was undone is no candidate, and is in none of the positions', async () => {
    await using folder = await recordedFolder({ files: { 'a.txt': '1\n', 'b.txt': 'x\n' } })
    await folder.run('first', () => writeFiles(folder.root, { 'b.txt': 'y\n' }))
    const undone = await folder.run('undone', () => writeFiles(folder.root, { 'a.txt': 'broken\n', 'c.txt': 'new\n' }))
    await folder.run('between', () => writeFiles(folder.root, { 'b.txt': 'z\n' }))
    await folder.apply({ kind: 'undo-run', run: undone })
    await folder.run('last', () => writeFiles(folder.root, { 'a.txt': '2\n' }))
    const { good, bad, groups } = await candidates(folder)
    expect(groups.flat()).toHaveLength(3)
    for (const seq of groups.flat()) {
      const tree = await treeAt(folder, { target: `seq:${seq}`, between: { good, bad } })
      expect(tree['a.txt']).not.toBe(fileOf('broken\n'))
      expect(tree['c.txt']).toBeUndefined()
    }
    const last = groups.flat().at(-1)
    expect(await treeAt(folder, { target: `seq:${last}`, between: { good, bad } })).toEqual(folder.tree())
  })

  test('[BI-4] a restore to before the search began is a candidate of its own', async () => {
    await using folder = await recordedFolder({ files: { 'a.txt': '1\n' } })
    const first = await folder.run('first', () => writeFiles(folder.root, { 'a.txt': '2\n' }))
    await folder.run('second', () => writeFiles(folder.root, { 'a.txt': '3\n' }))
    const good = lastSeq(folder)
    await folder.apply({ kind: 'restore', target: first })
    const { groups } = await candidates(folder, { good: `seq:${good}` })
    expect(groups).toEqual([[good + 1]])
  })

  test('[BI-4] edits of one tool call, and of one run without calls, are one candidate', async () => {
    await using folder = await recordedFolder({ files: { 'a.txt': '1\n', 'b.txt': '1\n' } })
    await folder.run('both', () => writeFiles(folder.root, { 'a.txt': '2\n', 'b.txt': '2\n' }))
    await folder.run('one', () => writeFiles(folder.root, { 'a.txt': '3\n' }))
    expect((await candidates(folder)).groups.map(({ length }) => length)).toEqual([2, 1])
  })

  test('[BI-4] with each of them applied in order, the last is the folder at the end, whatever was undone', async () => {
    const files = ['a.txt', 'b.txt', 'c.txt']
    const action = fc.oneof(
      fc.record({
        kind: fc.constant('write' as const),
        file: fc.constantFrom(...files),
        text: fc.integer({ min: 0, max: 4 })
      }),
      fc.record({ kind: fc.constant('delete' as const), file: fc.constantFrom(...files) }),
      fc.record({ kind: fc.constant('move' as const), file: fc.constantFrom(...files), to: fc.constantFrom(...files) }),
      fc.record({ kind: fc.constant('undo' as const), back: fc.integer({ min: 0, max: 5 }) }),
      fc.record({ kind: fc.constant('restore' as const), back: fc.integer({ min: 0, max: 5 }) })
    )
    await fc.assert(
      fc.asyncProperty(
        fc.array(action, { minLength: 3, maxLength: 10 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        async (actions, part) => {
          await using folder = await recordedFolder({ files: { 'a.txt': 'l1\nl2\n', 'b.txt': 'm1\nm2\n' } })
          const runs: string[] = []
          for (const step of actions) await play(folder, step, runs)
          const good = Math.floor(part * lastSeq(folder))
          const { bad, groups } = await candidates(folder, {
            good: `seq:${good}`,
            bad: `seq:${lastSeq(folder)}`
          }).catch(() => ({ bad: 0, groups: [] }))
          if (groups.length === 0) return
          expect(await treeAt(folder, { target: `seq:${bad}`, between: { good, bad } })).toEqual(folder.tree())
          expect(await treeAt(folder, { target: `seq:${good}`, between: { good, bad } })).toEqual(
            await treeAt(folder, { target: `seq:${good}` })
          )
        }
      ),
      { numRuns: scaled(3) }
    )
  })
})

type Step =
  | { kind: 'write'; file: string; text: number }
  | { kind: 'delete'; file: string }
  | { kind: 'move'; file: string; to: string }
  | { kind: 'undo'; back: number }
  | { kind: 'restore'; back: number }

async function play(folder: RecordedFolder, step: Step, runs: string[]): Promise<void> {
  if (step.kind === 'undo' || step.kind === 'restore') {
    const run = runs.at(-1 - (step.back % Math.max(1, runs.length)))
    if (run && step.kind === 'undo') await folder.apply({ kind: 'undo-run', run, onConflict: 'keep' })
    else if (run) await folder.apply({ kind: 'restore', target: run, outside: 'replace' })
    return
  }
  const work = (): void => {
    const path = join(folder.root, step.file)
    if (step.kind === 'write') writeFileSync(path, `l1\n${'x\n'.repeat(step.text)}l2 ${step.text}\n`)
    else if (step.kind === 'delete') rmSync(path, { force: true })
    else if (readdirSync(folder.root).includes(step.file)) renameSync(path, join(folder.root, step.to))
  }
  runs.push(await folder.run(step.kind, work))
}

describe('a part of a change', () => {
  test('[BI-6] is one hunk of a text, or the whole of any other change', async () => {
    const lines = Array.from({ length: 30 }, (_, n) => `line ${n}\n`)
    await using folder = await recordedFolder({ files: { 'a.txt': lines.join(''), 'b.bin': Buffer.from([0, 1]) } })
    const edited = lines.with(2, 'first\n').with(15, 'second\n').with(28, 'third\n')
    await folder.run('edit', () =>
      writeFiles(folder.root, { 'a.txt': edited.join(''), 'b.bin': Buffer.from([0, 2]), 'c.txt': 'new\n' })
    )
    const { workspace } = folder
    const { good, bad } = await folder.engine.call('bisect.candidates', { workspace })
    const between = { good, bad }
    const { parts } = await folder.engine.call('bisect.parts', { workspace, between, from: good, to: bad })
    expect(parts).toEqual([
      { path: 'a.txt', n: 1 },
      { path: 'a.txt', n: 2 },
      { path: 'a.txt', n: 3 },
      { path: 'b.bin', n: 0 },
      { path: 'c.txt', n: 0 }
    ])
    const apply = [parts[1]!, parts[4]!]
    const tree = await treeAt(folder, { target: `seq:${bad}`, between, parts: { from: good, apply } })
    expect(tree['a.txt']).toBe(fileOf(lines.with(15, 'second\n').join('')))
    expect(tree['c.txt']).toBe(fileOf('new\n'))
    expect(tree['b.bin']).toBe(`file 644 ${Buffer.from([0, 1]).toString('base64')}`)
  })

  test('[BI-8] only the named edits of a run are undone', async () => {
    await using folder = await recordedFolder({ files: { 'a.txt': '1\n', 'b.txt': '1\n' } })
    const run = await folder.run('both', () => writeFiles(folder.root, { 'a.txt': '2\n', 'b.txt': '2\n' }))
    const seq = folder.store((store) => store.records.head('a.txt')?.edit ?? 0)
    const result = await folder.apply({ kind: 'undo-run', run, edits: { from: seq, to: seq } })
    expect(result.state).toBe('done')
    expect(folder.tree()).toEqual({ 'a.txt': fileOf('1\n'), 'b.txt': fileOf('2\n') })
  })
})
