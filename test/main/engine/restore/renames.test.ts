/**
 * [LG-7] [RS-20] Renames are part of the history: what is undone, restored and blamed follows a file to its present
 * name, and undoing a rename takes along what others wrote since.
 */
import { appendFileSync, cpSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { RestoreRequest } from '../../../../src/contract/restore.ts'
import { countPaths } from '../../../../src/contract/words/plan.ts'
import { resultText, writtenPaths } from '../../../../src/contract/words/restores.ts'
import type { ApplyPoint } from '../../../../src/main/engine/restore/apply-state.ts'
import { openRecorder } from '../../../support/crash-recorder.ts'
import { readEvents } from '../../../support/named-events.ts'
import { type RecordedFolder, recordedFolder } from '../../../support/recorded-folder.ts'
import { LONG } from '../../../support/scale.ts'
import { remove, writeFiles } from '../../../support/tree.ts'

const MANY = LONG ? 500 : 50

const lines = (...changes: Record<number, string>[]): string => {
  const text = Array.from({ length: 30 }, (_, i) => `line ${i}`)
  for (const change of changes) for (const [n, line] of Object.entries(change)) text[Number(n)] = line
  return `${text.join('\n')}\n`
}

const A = { 3: 'by the first run' }
const B = { 12: 'by the second run' }
const C = { 22: 'by a person' }

interface Folder {
  readonly folder: RecordedFolder
  write(path: string, ...changes: Record<number, string>[]): void
  move(from: string, to: string): void
  /** The text of each file. */
  texts(): Record<string, string>
}

async function opened(files: Record<string, string> = { 'old.txt': lines() }): Promise<Folder & AsyncDisposable> {
  const folder = await recordedFolder({ files })
  const at = (path: string): string => join(folder.root, path)
  return {
    folder,
    write: (path, ...changes) => writeFileSync(at(path), lines(...changes)),
    move: (from, to) => {
      mkdirSync(join(at(to), '..'), { recursive: true })
      renameSync(at(from), at(to))
    },
    texts: () =>
      Object.fromEntries(
        Object.entries(folder.tree())
          .filter(([, state]) => !state.startsWith('dir'))
          .map(([path]) => [path, readFileSync(at(path), 'utf8')])
      ),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]()
  }
}

/** Performs it without decisions: nothing may be a conflict. */
async function apply({ folder }: Folder, request: RestoreRequest): Promise<void> {
  const { state, conflicts } = await folder.apply(request)
  expect({ state, conflicts }).toEqual({ state: 'done', conflicts: [] })
}

test('[RS-4] [RS-20] a restore to before a file took the name of a folder removes it, also where it is renamed now', async () => {
  await using opening = await opened({ 'd/a': 'a\n', b: 'b\n' })
  const { folder, move, texts } = opening
  const target = await folder.checkpoint()
  await folder.run('a file', () => {
    rmSync(join(folder.root, 'd'), { recursive: true })
    writeFileSync(join(folder.root, 'd'), 'was a folder\n')
  })
  await folder.run('a folder again', () => {
    move('d', 'e')
    mkdirSync(join(folder.root, 'd/c'), { recursive: true })
  })
  await apply(opening, { kind: 'restore', target, outside: 'replace' })
  expect(texts()).toEqual({ 'd/a': 'a\n', b: 'b\n' })
})

describe('undoing the rename', () => {
  test('[RS-20] moves a file that a person edited since to its old name', async () => {
    await using opening = await opened()
    const { folder, write, move, texts } = opening
    const run = await folder.run('move', () => move('old.txt', 'lib/new.txt'))
    write('lib/new.txt', C)
    await folder.check()

    await apply(opening, { kind: 'undo-run', run })
    expect(texts()).toEqual({ 'old.txt': lines(C) })
    await apply(opening, { kind: 'undo' })
    expect(texts()).toEqual({ 'lib/new.txt': lines(C) })
    await apply(opening, { kind: 'redo' })
    expect(texts()).toEqual({ 'old.txt': lines(C) })
  })

  test('[RS-20] takes along what was written after the undo when that is undone', async () => {
    await using opening = await opened()
    const { folder, write, move, texts } = opening
    const run = await folder.run('move', () => move('old.txt', 'new.txt'))
    write('new.txt', C)
    await folder.check()
    await apply(opening, { kind: 'undo-run', run })
    write('old.txt', C, B)
    await folder.check()

    await apply(opening, { kind: 'undo' })
    expect(texts()).toEqual({ 'new.txt': lines(B, C) })
  })

  test('[RS-20] [RS-11] removes the lines of a rename with edits, when a merge is chosen', async () => {
    await using opening = await opened()
    const { folder, write, move, texts } = opening
    const run = await folder.run('move', () => {
      move('old.txt', 'new.txt')
      write('new.txt', A)
    })
    write('new.txt', A, C)
    await folder.check()

    const { conflicts } = await folder.plan({ kind: 'undo-run', run })
    expect(conflicts).toMatchObject([{ path: 'new.txt', choices: ['keep', 'merge', 'replace'] }])
    const kept = await folder.apply({ kind: 'undo-run', run, onConflict: 'keep' })
    expect(kept.state).toBe('nothing-to-do')
    expect(texts()).toEqual({ 'new.txt': lines(A, C) })
    const { state } = await folder.apply({ kind: 'undo-run', run, onConflict: 'merge' })
    expect(state).toBe('done')
    expect(texts()).toEqual({ 'old.txt': lines(C) })
  })

  test('[RS-20] leaves the file where it is while its old name is in use', async () => {
    await using opening = await opened()
    const { folder, write, move, texts } = opening
    const run = await folder.run('move', () => move('old.txt', 'new.txt'))
    write('new.txt', C)
    write('old.txt', B)
    await folder.check()

    const plan = await folder.plan({ kind: 'undo-run', run })
    expect(plan.items).toMatchObject([
      { path: 'new.txt', action: 'keep', note: { code: 'name-in-use', path: 'old.txt' } }
    ])
    await folder.apply({ kind: 'undo-run', run })
    expect(texts()).toEqual({ 'new.txt': lines(C), 'old.txt': lines(B) })
  })

  test.each(['old.txt', 'new.txt'])('[RS-20] does neither half where a person deselects %s', async (path) => {
    await using opening = await opened()
    const { folder, move, texts } = opening
    const run = await folder.run('move', () => move('old.txt', 'new.txt'))
    const { items } = await folder.plan({ kind: 'undo-run', run }, { [path]: 'keep' })
    expect(items).toMatchObject([
      { path: 'new.txt', action: 'keep', note: { code: 'keep-requested' } },
      { path: 'old.txt', action: 'keep', note: { code: 'moved-away', path: 'new.txt' } }
    ])
    const { state } = await folder.apply({ kind: 'undo-run', run }, { [path]: 'keep' })
    expect(state).toBe('nothing-to-do')
    expect(texts()).toEqual({ 'new.txt': lines() })
  })

  test('[RS-20] works for binary content', async () => {
    await using opening = await opened({ 'a.bin': '\0\x01one' })
    const { folder, move, texts } = opening
    const run = await folder.run('move', () => move('a.bin', 'b.bin'))
    appendFileSync(join(folder.root, 'b.bin'), '\0two')
    await folder.check()
    await apply(opening, { kind: 'undo-run', run })
    expect(texts()).toEqual({ 'a.bin': '\0\x01one\0two' })
  })
})

describe('undoing an earlier run', () => {
  test('[RS-20] changes the file at its present name', async () => {
    await using opening = await opened()
    const { folder, write, move, texts } = opening
    const first = await folder.run('edit', () => write('old.txt', A))
    await folder.run('move', () => move('old.txt', 'lib/new.txt'))
    write('lib/new.txt', A, C)
    await folder.check()

    const { state } = await folder.apply({ kind: 'undo-run', run: first, onConflict: 'merge' })
    expect(state).toBe('done')
    expect(texts()).toEqual({ 'lib/new.txt': lines(C) })
    const undone = await runsUndone(folder)
    expect(undone).toEqual([first])
    await apply(opening, { kind: 'undo' })
    expect(texts()).toEqual({ 'lib/new.txt': lines(A, C) })
    expect(await runsUndone(folder)).toEqual([])
  })

  test('[RS-20] needs no decision where others only moved the file, text or not', async () => {
    await using opening = await opened({ 'old.txt': lines(), 'a.bin': '\0one' })
    const { folder, write, move, texts } = opening
    const first = await folder.run('edit', () => {
      write('old.txt', A)
      writeFileSync(join(folder.root, 'a.bin'), '\0two')
      write('made.txt', B)
    })
    await folder.run('move', () => {
      move('old.txt', 'x/new.txt')
      move('a.bin', 'x/b.bin')
      move('made.txt', 'x/made.txt')
    })
    await apply(opening, { kind: 'undo-run', run: first })
    expect(texts()).toEqual({ 'x/new.txt': lines(), 'x/b.bin': '\0one' })
    expect(await runsUndone(folder)).toEqual([first])
    await apply(opening, { kind: 'undo' })
    expect(texts()).toEqual({ 'x/new.txt': lines(A), 'x/b.bin': '\0two', 'x/made.txt': lines(B) })
  })

  test('[RS-20] follows a chain of renames, and renames in the same run', async () => {
    await using opening = await opened()
    const { folder, write, move, texts } = opening
    const first = await folder.run('edit and move', () => {
      write('old.txt', A)
      move('old.txt', 'b.txt')
    })
    await folder.run('move', () => move('b.txt', 'c.txt'))
    await folder.run('move again', () => move('c.txt', 'd.txt'))
    await apply(opening, { kind: 'undo-run', run: first })
    expect(texts()).toEqual({ 'd.txt': lines() })
  })
})

describe('a part of a renamed file', () => {
  test('[RS-20] one hunk is undone in a file that the run renamed, and that a later run renamed again', async () => {
    await using opening = await opened()
    const { folder, write, move, texts } = opening
    const first = await folder.run('edit and move', () => {
      move('old.txt', 'b.txt')
      write('b.txt', A, B)
    })
    const undo = (hunk: number) => apply(opening, { kind: 'undo-run', run: first, hunks: { 'b.txt': [hunk] } })
    await undo(1)
    expect(texts()).toEqual({ 'b.txt': lines(B) })
    await apply(opening, { kind: 'undo' })
    await folder.run('move again', () => move('b.txt', 'lib/c.txt'))
    await undo(2)
    expect(texts()).toEqual({ 'lib/c.txt': lines(A) })
  })
})

describe('a name that another file took', () => {
  test('[RS-10] [RS-20] undoing the deletion of a file whose name a later run gave to another is a conflict', async () => {
    await using opening = await opened({ 'a.txt': lines(), 'x.txt': 'x\n'.repeat(30) })
    const { folder, move, texts } = opening
    const deleted = await folder.run('delete', () => rmSync(join(folder.root, 'x.txt')))
    // Longer ago than what counts as one change.
    folder.store(({ db }) => db.exec('UPDATE edit SET at = at - 60000'))
    const moved = await folder.run('move', () => move('a.txt', 'x.txt'))
    const undo = { kind: 'undo-run', run: deleted } as const
    const { conflicts } = await folder.plan(undo)
    expect(conflicts).toMatchObject([{ path: 'x.txt', mergeable: false, choices: ['keep', 'replace'] }])
    const isUndone = async (run: string): Promise<boolean> => {
      const { entries } = await folder.engine.call('timeline.list', { workspace: folder.workspace, limit: 9 })
      return entries.some((entry) => entry.kind === 'run' && entry.id === run && entry.undone)
    }
    expect((await folder.apply(undo, { 'x.txt': 'replace' })).state).toBe('done')
    expect(texts()).toEqual({ 'x.txt': 'x\n'.repeat(30) })
    expect([await isUndone(deleted), await isUndone(moved)]).toEqual([true, true])
    await apply(opening, { kind: 'undo' })
    expect(texts()).toEqual({ 'x.txt': lines() })
    expect([await isUndone(deleted), await isUndone(moved)]).toEqual([false, false])
    await apply(opening, { kind: 'undo-run', run: moved })
    expect(texts()).toEqual({ 'a.txt': lines() })
    await apply(opening, undo)
    expect(texts()).toEqual({ 'a.txt': lines(), 'x.txt': 'x\n'.repeat(30) })
    expect([await isUndone(deleted), await isUndone(moved)]).toEqual([true, true])
  })

  test('[RS-10] [RS-20] once that file has moved on, the deleted one returns beside it', async () => {
    await using opening = await opened({ 'a.txt': lines(), 'x.txt': 'x\n'.repeat(30) })
    const { folder, move, texts } = opening
    const run = await folder.run('delete', () => rmSync(join(folder.root, 'x.txt')))
    folder.store(({ db }) => db.exec('UPDATE edit SET at = at - 60000'))
    await folder.run('move', () => move('a.txt', 'x.txt'))
    await folder.run('move on', () => move('x.txt', 'y.txt'))
    await apply(opening, { kind: 'undo-run', run })
    expect(texts()).toEqual({ 'x.txt': 'x\n'.repeat(30), 'y.txt': lines() })
    await apply(opening, { kind: 'undo' })
    expect(texts()).toEqual({ 'y.txt': lines() })
    await folder.run('move back', () => move('y.txt', 'x.txt'))
    expect((await folder.plan({ kind: 'undo-run', run })).conflicts).toMatchObject([{ path: 'x.txt' }])
  })
})

describe('the marks of runs that renamed', () => {
  /** Of each run: whether it is marked as undone in the timeline, and each file of its diff. */
  async function marks({ folder }: Folder, runs: readonly string[]): Promise<boolean[][]> {
    const { workspace } = folder
    const { entries } = await folder.engine.call('timeline.list', { workspace, limit: 9 })
    return Promise.all(
      runs.map(async (target) => {
        const { files } = await folder.engine.call('diff.files', { workspace, target, scope: 'run' })
        const entry = entries.find(({ id }) => id === target)
        return [entry?.kind === 'run' && entry.undone, ...files.map(({ undoneBy }) => undoneBy !== undefined)]
      })
    )
  }
  const UNDONE = [true, true]
  const IN_FORCE = [false, false]

  test('[RS-20] runs that renamed a file one after the other are undone by a restore past them, until that is undone', async () => {
    await using opening = await opened()
    const { folder, write, move, texts } = opening
    const edited = await folder.run('edit and move', () => {
      write('old.txt', A)
      move('old.txt', 'b.txt')
    })
    const runs = [
      edited,
      await folder.run('move again', () => move('b.txt', 'c.txt')),
      await folder.run('and again', () => move('c.txt', 'd.txt'))
    ]
    expect(await marks(opening, runs)).toEqual([IN_FORCE, IN_FORCE, IN_FORCE])
    await apply(opening, { kind: 'restore', target: `${runs[1]}:start`, outside: 'replace' })
    expect(texts()).toEqual({ 'b.txt': lines(A) })
    expect(await marks(opening, runs)).toEqual([IN_FORCE, UNDONE, UNDONE])
    await apply(opening, { kind: 'restore', target: `${edited}:start`, outside: 'replace' })
    expect(texts()).toEqual({ 'old.txt': lines() })
    expect(await marks(opening, runs)).toEqual([UNDONE, UNDONE, UNDONE])
    expect(await folder.plan({ kind: 'undo-run', run: runs[1]! })).toMatchObject({ items: [], conflicts: [] })
    await apply(opening, { kind: 'undo' })
    await apply(opening, { kind: 'undo' })
    expect(texts()).toEqual({ 'd.txt': lines(A) })
    expect(await marks(opening, runs)).toEqual([IN_FORCE, IN_FORCE, IN_FORCE])
  })

  test('[RS-20] a run stays undone when a later run gives the file the same name again', async () => {
    await using opening = await opened()
    const { folder, move } = opening
    const first = await folder.run('move', () => move('old.txt', 'b.txt'))
    await apply(opening, { kind: 'undo-run', run: first })
    const runs = [first, await folder.run('move again', () => move('old.txt', 'b.txt'))]
    expect(await marks(opening, runs)).toEqual([UNDONE, IN_FORCE])
    runs.push(await folder.run('and back', () => move('b.txt', 'old.txt')))
    expect(await marks(opening, runs)).toEqual([UNDONE, IN_FORCE, IN_FORCE])
  })

  test('[RS-20] a run whose lines are undone in a file that a later run renamed again is undone', async () => {
    await using opening = await opened()
    const { folder, write, move, texts } = opening
    const runs = [
      await folder.run('edit and move', () => {
        write('old.txt', A)
        move('old.txt', 'b.txt')
      }),
      await folder.run('move again', () => move('b.txt', 'c.txt'))
    ]
    await apply(opening, { kind: 'undo-run', run: runs[0]! })
    expect(texts()).toEqual({ 'c.txt': lines() })
    expect(await marks(opening, runs)).toEqual([UNDONE, IN_FORCE])
    await apply(opening, { kind: 'undo' })
    expect(texts()).toEqual({ 'c.txt': lines(A) })
    expect(await marks(opening, runs)).toEqual([IN_FORCE, IN_FORCE])
  })
})

describe('the history of a moved file', () => {
  test('[LG-7] [LG-1] a copy is no rename of a file that was edited after it, and then deleted', async () => {
    const text = 'a line\n'.repeat(20)
    await using folder = await recordedFolder({ files: { 'old.txt': text } })
    const before = folder.tree()
    const run = await folder.run('copy', async () => {
      for (const files of [{ 'copy.txt': text }, { 'old.txt': `${text}more\n` }, { 'old.txt': text }]) {
        writeFiles(folder.root, files)
        await folder.check()
      }
      remove(folder.root, 'old.txt')
    })
    const { versions } = await folder.engine.call('file.history', { workspace: folder.workspace, path: 'copy.txt' })
    expect(versions, 'what it is, and that it was absent').toHaveLength(2)
    expect((await folder.apply({ kind: 'undo-run', run })).state).toBe('done')
    expect(folder.tree()).toEqual(before)
  })

  test('[LG-7] blame names who wrote each line, before and after the rename, and through a copy', async () => {
    await using opening = await opened()
    const { folder, write, move } = opening
    const first = await folder.run('edit', () => write('old.txt', A))
    const second = await folder.run('move', () => {
      move('old.txt', 'new.txt')
      write('new.txt', A, B)
    })
    await folder.run('copy', () => cpSync(join(folder.root, 'new.txt'), join(folder.root, 'copy.txt')))
    for (const path of ['new.txt', 'copy.txt']) {
      const { lines } = await folder.engine.call('file.blame', { workspace: folder.workspace, path })
      expect([lines[3], lines[12], lines[5]]).toMatchObject([
        { run: first, oldPath: 'old.txt' },
        { run: second },
        { run: null, origin: 'baseline' }
      ])
    }
  })

  test('[LG-7] the history goes on under the old name', async () => {
    await using opening = await opened()
    const { folder, write, move } = opening
    await folder.run('edit', () => write('old.txt', A))
    await folder.run('move', () => move('old.txt', 'new.txt'))
    const { versions } = await folder.engine.call('file.history', { workspace: folder.workspace, path: 'new.txt' })
    expect(versions.map(({ path, oldPath, change, inForce }) => ({ path, oldPath, change, inForce }))).toEqual([
      { path: 'new.txt', oldPath: 'old.txt', change: 'renamed', inForce: true },
      { path: 'old.txt', change: 'modified', inForce: true },
      { path: 'old.txt', change: 'none', inForce: true }
    ])
  })

  test('[LG-7] the history of a file that was moved before it was changed begins with the file at its old name', async () => {
    await using opening = await opened()
    const { folder, move } = opening
    await folder.run('move', () => move('old.txt', 'new.txt'))
    const { versions } = await folder.engine.call('file.history', { workspace: folder.workspace, path: 'new.txt' })
    expect(versions.map(({ path, origin, kind, size }) => ({ path, origin, kind, size }))).toEqual([
      { path: 'new.txt', origin: 'agent', kind: 'file', size: lines().length },
      { path: 'old.txt', origin: 'baseline', kind: 'file', size: lines().length }
    ])
  })

  test('[LG-7] a run that moved and rewrote most of a file shows one change', async () => {
    await using opening = await opened()
    const { folder, move } = opening
    const run = await folder.run('move', () => {
      move('old.txt', 'new.txt')
      appendFileSync(join(folder.root, 'new.txt'), lines(A).repeat(2))
    })
    const { files } = await folder.engine.call('diff.files', { workspace: folder.workspace, target: run })
    expect(files).toMatchObject([{ path: 'new.txt', oldPath: 'old.txt', change: 'renamed' }])
  })
})

describe('kinds of renames', () => {
  test('[RS-20] a swap is undone with what was written since', async () => {
    await using opening = await opened({ 'a.txt': lines(A), 'b.txt': lines(B) })
    const { folder, write, move, texts } = opening
    const run = await folder.run('swap', () => {
      move('a.txt', 'tmp')
      move('b.txt', 'a.txt')
      move('tmp', 'b.txt')
    })
    write('a.txt', B, C)
    await folder.check()
    await apply(opening, { kind: 'undo-run', run })
    expect(texts()).toEqual({ 'a.txt': lines(A), 'b.txt': lines(B, C) })
  })

  test.each(['stays', 'goes'])(
    '[LG-7] [RS-20] a backup that an editor makes by a rename and that %s is none',
    async (backup) => {
      await using opening = await opened()
      const { folder, write, move, texts } = opening
      const run = await folder.run('edit', () => write('old.txt', A))
      move('old.txt', 'old.txt~')
      write('old.txt', A, C)
      await folder.check()
      if (backup === 'goes') rmSync(join(folder.root, 'old.txt~'))
      await folder.check()

      const { state } = await folder.apply({ kind: 'undo-run', run, onConflict: 'merge' })
      expect(state).toBe('done')
      expect(texts()).toEqual({ 'old.txt': lines(C), ...(backup === 'stays' && { 'old.txt~': lines(A) }) })
      await apply(opening, { kind: 'undo' })
      expect(texts()['old.txt']).toBe(lines(A, C))
    }
  )

  test('[LG-7] [RS-20] a log that is rotated is one', async () => {
    await using opening = await opened()
    const { folder, write, move, texts } = opening
    const run = await folder.run('edit', () => write('old.txt', A))
    move('old.txt', 'old.1.txt')
    writeFileSync(join(folder.root, 'old.txt'), 'a new log\n')
    await folder.check()

    await apply(opening, { kind: 'undo-run', run })
    expect(texts()).toEqual({ 'old.txt': 'a new log\n', 'old.1.txt': lines() })
  })

  test(`[RS-20] a folder of ${MANY} files, with a file that a person edited at its new place`, async () => {
    const names = Array.from({ length: MANY }, (_, i) => `src/${i % 7}/file${i}.ts`)
    await using opening = await opened(Object.fromEntries(names.map((name, i) => [name, `const a${i} = ${i % 10}\n`])))
    const { folder, move, texts } = opening
    const before = texts()
    const run = await folder.run('move', () => move('src', 'lib/app'))
    appendFileSync(join(folder.root, 'lib/app/3/file3.ts'), 'mine\n')
    await folder.check()
    await apply(opening, { kind: 'undo-run', run })
    expect(texts()).toEqual({ ...before, 'src/3/file3.ts': `${before['src/3/file3.ts']}mine\n` })
  })

  test('[RS-20] a rename by letter case alone', async ({ skip }) => {
    if (process.env.DRIFTLINE_WINE) return skip('Windows itself: Wine leaves the name as it is')
    await using opening = await opened({ 'Readme.md': lines() })
    const { folder, write, move, texts } = opening
    const run = await folder.run('move', () => move('Readme.md', 'README.md'))
    write('README.md', C)
    await folder.check()
    await apply(opening, { kind: 'undo-run', run })
    expect(texts()).toEqual({ 'Readme.md': lines(C) })
  })

  test('[LG-7] equal files are told apart by their inode numbers', async () => {
    await using opening = await opened({ 'a/x': 'same\n', 'b/y': 'same\n' })
    const { folder, move } = opening
    await folder.run('move', () => {
      move('a/x', 'c/y')
      move('b/y', 'c/x')
    })
    const oldPaths = await Promise.all(
      ['c/x', 'c/y'].map(async (path) => {
        const { versions } = await folder.engine.call('file.history', { workspace: folder.workspace, path })
        return versions[0]?.oldPath
      })
    )
    expect(oldPaths).toEqual(['b/y', 'a/x'])
  })

  test('[LG-7] [RS-18] an old content that cannot be read any more does not stop recording', async () => {
    await using opening = await opened()
    const { folder, write, texts } = opening
    folder.store((store) => store.db.exec('UPDATE content SET bytes = zeroblob(length(bytes))'))
    write('new.txt', A)
    rmSync(join(folder.root, 'old.txt'))
    const { drift } = await folder.engine.call('drift.list', { workspace: folder.workspace, check: true })
    expect(drift).toMatchObject([{ count: 2, paths: ['new.txt', 'old.txt'] }])
    expect(texts()).toEqual({ 'new.txt': lines(A) })
  })

  test('[LG-7] a deletion by one and an unlike file by another are no rename', async () => {
    await using opening = await opened()
    const { folder, write, texts } = opening
    const run = await folder.run('delete', () => rmSync(join(folder.root, 'old.txt')))
    write('new.txt', A, B, C)
    await folder.check()
    await apply(opening, { kind: 'undo-run', run })
    expect(texts()).toEqual({ 'old.txt': lines(), 'new.txt': lines(A, B, C) })
  })
})

describe('restoring to a position', () => {
  test('[RS-4] [RS-20] returns a file to its old name, which a later file had and left again', async () => {
    await using opening = await opened({ 'old.txt': lines(A), 'swapped.txt': lines(B) })
    const { folder, write, move, texts } = opening
    const before = texts()
    const target = await folder.checkpoint()
    await folder.run('swap, and delete one', () => {
      move('old.txt', 'aside')
      move('swapped.txt', 'old.txt')
      move('aside', 'swapped.txt')
      rmSync(join(folder.root, 'old.txt'))
    })
    await folder.run('a new file of that name', () => write('old.txt', C))
    await folder.run('rename it', () => move('old.txt', 'new.txt'))

    await apply(opening, { kind: 'restore', target })
    expect(texts()).toEqual(before)
    await apply(opening, { kind: 'undo' })
    expect(texts()).toEqual({ 'new.txt': lines(C), 'swapped.txt': lines(A) })
  })

  test('[RS-4] [RS-20] restores a file that another replaced, whose old name was and is a folder', async () => {
    await using opening = await opened({ 'old.txt': lines(A), 'd/x': lines(B) })
    const { folder, write, move, texts } = opening
    const before = texts()
    const target = await folder.checkpoint()
    await folder.run('a file instead of the folder', () => {
      rmSync(join(folder.root, 'd'), { recursive: true })
      write('d', C)
    })
    await folder.run('over the other file, and the folder again', () => {
      move('d', 'old.txt')
      mkdirSync(join(folder.root, 'd'))
    })
    await apply(opening, { kind: 'restore', target })
    expect(texts()).toEqual(before)
    await apply(opening, { kind: 'undo' })
    expect(texts()).toEqual({ 'old.txt': lines(C) })
  })

  test('[RS-14] [RS-20] keeps a moved file that a person edited, once, or merges it at its old name', async () => {
    await using opening = await opened()
    const { folder, write, move, texts } = opening
    const target = await folder.checkpoint()
    await folder.run('move', () => {
      move('old.txt', 'new.txt')
      write('new.txt', A)
    })
    write('new.txt', A, C)
    await folder.check()

    const kept = await folder.apply({ kind: 'restore', target })
    expect(kept.state).toBe('nothing-to-do')
    expect(texts()).toEqual({ 'new.txt': lines(A, C) })
    const merged = await folder.apply({ kind: 'restore', target }, { 'new.txt': 'merge' })
    expect(merged.state).toBe('done')
    expect(texts()).toEqual({ 'old.txt': lines(C) })
    await apply(opening, { kind: 'undo' })
    expect(texts()).toEqual({ 'new.txt': lines(A, C) })
    const replaced = await folder.apply({ kind: 'restore', target, outside: 'replace' })
    expect(replaced.state).toBe('done')
    expect(texts()).toEqual({ 'old.txt': lines() })
  })
})

describe('interrupted', () => {
  const POINTS: readonly ApplyPoint[] = ['aside', 'placed', 'removed', 'verified']
  const pairs = POINTS.flatMap((at) => (['finish', 'undo'] as const).map((how) => ({ at, how })))
  /** Each moment and each way; the other pairs are in the long form. */
  test.each(LONG ? pairs : [pairs[0]!, pairs[3]!, pairs[6]!])(
    '[RS-7] [RS-20] after $at, $how: the file is at one name, with its history',
    async ({ at, how }) => {
      await using opening = await opened()
      const { folder, write, move, texts } = opening
      const first = await folder.run('edit', () => write('old.txt', A))
      const run = await folder.run('move', () => move('old.txt', 'new.txt'))
      write('new.txt', A, C)
      await folder.check()
      {
        await using recorder = openRecorder(folder.dataDir, folder.workspace)
        const cut = new Error('cut off')
        const point = (now: ApplyPoint): void => {
          if (now === at) throw cut
        }
        await expect(recorder.restore({ request: { kind: 'undo-run', run }, point })).rejects.toBe(cut)
      }
      await folder.apply({ kind: 'recover', how })
      const name = how === 'finish' ? 'old.txt' : 'new.txt'
      expect(texts()).toEqual({ [name]: lines(A, C) })
      const blamed = await folder.engine.call('file.blame', { workspace: folder.workspace, path: name })
      expect([blamed.lines[3], blamed.lines[22]]).toMatchObject([{ run: first }, { run: null, origin: 'outside' }])
      await folder.apply({ kind: 'undo-run', run: first, onConflict: 'merge' })
      expect(texts()).toEqual({ [name]: lines(C) })
    }
  )

  test('[RS-5] [RS-20] a file whose old name is taken at the last moment stays where it is', async () => {
    await using opening = await opened()
    const { folder, write, move, texts } = opening
    const run = await folder.run('move', () => move('old.txt', 'new.txt'))
    write('new.txt', C)
    await folder.check()
    await using recorder = openRecorder(folder.dataDir, folder.workspace)
    const point = (now: ApplyPoint): void => {
      if (now === 'aside') write('old.txt', B)
    }
    const { state, items } = await recorder.restore({ request: { kind: 'undo-run', run }, point })
    expect(state).toBe('failed')
    expect(items).toMatchObject([
      { path: 'new.txt', result: 'kept', reason: { code: 'not-moved', path: 'old.txt' } },
      { path: 'old.txt', result: 'failed', reason: { code: 'changed' } }
    ])
    expect(texts()).toEqual({ 'new.txt': lines(C), 'old.txt': lines(B) })
  })
})

async function runsUndone({ engine, workspace }: RecordedFolder): Promise<string[]> {
  const { entries } = await engine.call('timeline.list', { workspace, limit: 100, kinds: ['run'] })
  return entries.flatMap((entry) => (entry.kind === 'run' && entry.undone ? [entry.id] : []))
}

describe('[UI-6] a rename is one file', () => {
  type Counts = Record<'preview' | 'result' | 'timeline' | 'status' | 'events', number>

  /** Performs it, and counts its files wherever they are counted. */
  async function counted({ folder }: Folder, request: RestoreRequest): Promise<Counts> {
    const { engine, workspace } = folder
    const plan = await folder.plan(request)
    const result = await folder.apply(request)
    expect([result.state, result.conflicts]).toEqual(['done', []])
    const { entries } = await engine.call('timeline.list', { workspace, limit: 1, kinds: ['restore'] })
    const [entry] = entries
    const { undo, redo } = await engine.call('workspace.status', { workspace, check: false })
    const events = await readEvents(folder, { since: 0 })
    const last = events.findLast((event) => event.event === 'restore.finished')
    return {
      preview: countPaths(plan.items.filter(({ action }) => action !== 'keep')).files,
      result: writtenPaths(result).files,
      timeline: entry?.kind === 'restore' ? entry.files : -1,
      status: (request.kind === 'undo' ? redo : undo)?.files ?? -1,
      events: last?.event === 'restore.finished' ? last.files : -1
    }
  }
  const all = (n: number): Counts => ({ preview: n, result: n, timeline: n, status: n, events: n })

  const AT_OLD = { 'd/1': lines(A), 'd/2': lines(B), b: 'b\n', 'old.txt': lines() }
  const toNew = (folder: Folder, ...changes: [path: string, ...Record<number, string>[]]): void => {
    folder.move('old.txt', 'new.txt')
    folder.write(...changes)
  }
  const folderAndFile = ({ folder, move }: Folder): void => {
    move('d', 'e')
    writeFileSync(join(folder.root, 'b'), 'c\n')
  }
  const RENAMES: readonly [string, (folder: Folder) => void, number][] = [
    ['with edits', (folder) => toNew(folder, 'new.txt', A, B), 1],
    ['of a folder, beside a change', folderAndFile, 3],
    ['over another file is two', ({ move }) => move('old.txt', 'b'), 2],
    ['with a new file in its place is two', (folder) => toNew(folder, 'old.txt', C), 2]
  ]
  test.each(RENAMES)('%s: in an undo, its undo, the redo, and a restore to before it', async (_, change, files) => {
    await using opening = await opened(AT_OLD)
    const { folder, texts } = opening
    const target = await folder.checkpoint()
    const run = await folder.run('move', () => change(opening))
    const moved = texts()
    const { files: shown } = await folder.engine.call('diff.files', { workspace: folder.workspace, target: run })
    expect(shown).toHaveLength(files)
    const steps: readonly [RestoreRequest, Record<string, string>][] = [
      [{ kind: 'undo-run', run }, AT_OLD],
      [{ kind: 'undo' }, moved],
      [{ kind: 'redo' }, AT_OLD],
      [{ kind: 'undo' }, moved],
      [{ kind: 'restore', target }, AT_OLD],
      [{ kind: 'undo' }, moved]
    ]
    for (const [request, state] of steps) {
      expect(await counted(opening, request)).toEqual(all(files))
      expect(texts()).toEqual(state)
    }
  })

  test('in a restore to between a rename and its undo, which may be selected by either name', async () => {
    await using opening = await opened()
    const { folder, move, texts } = opening
    const run = await folder.run('move', () => move('old.txt', 'new.txt'))
    const target = await folder.checkpoint()
    await apply(opening, { kind: 'undo-run', run })
    for (const paths of [undefined, ['old.txt'], ['new.txt']]) {
      expect(await counted(opening, { kind: 'restore', target, ...(paths ? { paths } : {}) })).toEqual(all(1))
      expect(texts()).toEqual({ 'new.txt': lines() })
      await apply(opening, { kind: 'undo' })
      expect(texts()).toEqual({ 'old.txt': lines() })
    }
  })

  test.each(['finish', 'undo'] as const)('to %s of an interrupted restore', async (how) => {
    await using opening = await opened()
    const { folder, move, texts } = opening
    const run = await folder.run('move', () => move('old.txt', 'new.txt'))
    {
      await using recorder = openRecorder(folder.dataDir, folder.workspace)
      const cut = new Error('cut off')
      const point = (now: ApplyPoint): void => {
        if (now === (how === 'finish' ? 'aside' : 'verified')) throw cut
      }
      await expect(recorder.restore({ request: { kind: 'undo-run', run }, point })).rejects.toBe(cut)
    }
    const { items } = await folder.plan({ kind: 'recover', how })
    expect([items.length, countPaths(items)]).toEqual([2, { files: 1, folders: 0 }])
    await apply(opening, { kind: 'recover', how })
    expect(texts()).toEqual({ [how === 'finish' ? 'old.txt' : 'new.txt']: lines() })
  })
})

test('[UI-6] the preview shows a rename as one under both names, and what each name holds where one was or stays a file', async () => {
  await using opening = await opened({ 'old.txt': lines(), b: 'b\n' })
  const { folder, move, texts } = opening
  const before = texts()
  const sides = async (request: RestoreRequest, path: string) => {
    const shown = await folder.engine.call('restore.preview', {
      workspace: folder.workspace,
      request,
      path,
      side: 'result'
    })
    const { oldPath, change } = shown
    return shown.view === 'text' ? [shown.path, oldPath, change, shown.beforeText, shown.afterText] : shown.view
  }
  const run = await folder.run('move', () => move('old.txt', 'new.txt'))
  const renamed = ['old.txt', 'new.txt', 'renamed', lines(), lines()]
  for (const path of ['old.txt', 'new.txt']) expect(await sides({ kind: 'undo-run', run }, path)).toEqual(renamed)
  await apply(opening, { kind: 'undo-run', run })
  const back = ['new.txt', 'old.txt', 'renamed', lines(), lines()]
  for (const path of ['old.txt', 'new.txt']) expect(await sides({ kind: 'undo' }, path)).toEqual(back)

  const over = await folder.run('move over', () => move('old.txt', 'b'))
  const undo = { kind: 'undo-run', run: over } as const
  expect(await sides(undo, 'old.txt')).toEqual(['old.txt', undefined, 'added', '', lines()])
  expect(await sides(undo, 'b')).toEqual(['b', undefined, 'modified', lines(), 'b\n'])
  await apply(opening, undo)
  expect(texts()).toEqual(before)
})

describe('undoing the undo of a rename', () => {
  test('[RS-20] moves the file or leaves it where it is, and never makes a copy of it', async () => {
    await using opening = await opened()
    const { folder, write, move, texts } = opening
    const run = await folder.run('move', () => move('old.txt', 'new.txt'))
    await apply(opening, { kind: 'undo-run', run })
    write('old.txt', C)
    await folder.check()
    const kept = await folder.apply({ kind: 'undo' })
    expect(kept).toMatchObject({
      state: 'nothing-to-do',
      conflicts: [{ path: 'old.txt', choices: ['keep', 'replace'] }]
    })
    expect(resultText(kept).title).toBe('Nothing to restore: 1 file kept.')
    expect(texts()).toEqual({ 'old.txt': lines(C) })
    move('old.txt', 'lib/old.txt')
    await folder.check()
    expect((await folder.apply({ kind: 'undo' })).state).toBe('nothing-to-do')
    expect(texts()).toEqual({ 'lib/old.txt': lines(C) })

    expect((await folder.apply({ kind: 'undo' }, { 'lib/old.txt': 'replace' })).state).toBe('done')
    expect(texts()).toEqual({ 'new.txt': lines() })
    await apply(opening, { kind: 'redo' })
    expect(texts()).toEqual({ 'lib/old.txt': lines(C) })
  })

  test('[RS-20] leaves the file where it is while the name it had is another file', async () => {
    await using opening = await opened()
    const { folder, write, move, texts } = opening
    const run = await folder.run('move', () => move('old.txt', 'new.txt'))
    await apply(opening, { kind: 'undo-run', run })
    write('new.txt', B)
    await folder.check()
    expect((await folder.apply({ kind: 'undo' })).state).toBe('nothing-to-do')
    expect(texts()).toEqual({ 'old.txt': lines(), 'new.txt': lines(B) })
    expect((await folder.apply({ kind: 'undo' }, { 'new.txt': 'replace' })).state).toBe('done')
    expect(texts()).toEqual({ 'new.txt': lines() })
  })
})
