/** Which refs are read after git has written: those that changed, and all of those. */
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createRefFiles, type ReportedNames } from '../../../../src/main/engine/git-state/ref-files.ts'
import { listStateFiles } from '../../../../src/main/engine/git-state/state-files.ts'
import { SEED, scaled } from '../../../support/scale.ts'
import { type TempFolder, tempFolder } from '../../../support/tmp.ts'

/** As git writes: a file beside it that is renamed. */
function write(temp: TempFolder, path: string, text: string): void {
  const file = join(temp.path, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(`${file}.lock`, text)
  renameSync(`${file}.lock`, file)
}

const NAMES = ['a', 'b', 'c', 'd/e', 'd/f', 'd'] as const
const step = fc.record({
  name: fc.constantFrom(...NAMES),
  remove: fc.boolean(),
  /** Whether the watch of refs/heads says what changed, does not know, or is not there. */
  watch: fc.constantFrom('names', 'any', 'none')
})

test(`[GT-6] ${scaled(20)} random changes of refs: what is read and what is gone is all that changed`, () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 15 }), (steps) => {
      using temp = tempFolder()
      write(temp, 'HEAD', 'ref: refs/heads/a\n')
      write(temp, 'refs/heads/z', '0\n')
      const refs = createRefFiles()
      const model = new Map<string, string>()
      const look = (reported: ReportedNames): void => {
        const { files, gone } = refs.changes(temp.path, reported)
        if (gone === null) model.clear()
        for (const path of gone ?? []) model.delete(path)
        for (const { path, stamp } of files) model.set(path, stamp)
        const all = listStateFiles(temp.path).files.map(({ path, stamp }) => [path, stamp])
        expect([...model].sort()).toEqual(all.sort())
      }
      look(new Map())
      for (const [n, { name, remove, watch }] of steps.entries()) {
        const file = join(temp.path, 'refs/heads', name)
        // Git removes the folder of a branch that is in the way of another.
        if (remove || name === 'd') rmSync(file, { recursive: true, force: true })
        if (name.startsWith('d/')) clearFile(join(temp.path, 'refs/heads/d'))
        if (!remove) write(temp, `refs/heads/${name}`, `${n}\n`)
        const first = name.replace(/\/.*/, '')
        const named = watch === 'names' ? new Set([first, `${first}.lock`]) : 'any'
        look(watch === 'none' ? new Map() : new Map([['refs/heads', named]]))
      }
    }),
    { numRuns: scaled(20), seed: SEED }
  )
})

/** Where a branch is that must become a folder. */
function clearFile(path: string): void {
  try {
    rmSync(path)
  } catch {
    // A folder already, or absent.
  }
}

test('[GT-6] [WT-3] where a worktree is now, which git writes into its file when it moves or repairs one, is read', () => {
  using temp = tempFolder()
  for (const name of ['HEAD', 'worktrees/side/HEAD', 'worktrees/side/gitdir']) write(temp, name, 'before\n')
  const refs = createRefFiles()
  const paths = () => refs.changes(temp.path, new Map()).files.map(({ path }) => path)
  // Until the folder is old enough that an equal time proves that no file came or went.
  while (paths().includes('worktrees/side/HEAD'));
  writeFileSync(join(temp.path, 'worktrees/side/gitdir'), 'elsewhere\n')
  expect(paths()).toContain('worktrees/side/gitdir')
})

test('[GT-6] of many refs in a watched folder, only those that the watch names are read', () => {
  using temp = tempFolder()
  for (let n = 0; n < 300; n++) write(temp, `refs/heads/branch-${n}`, `${n}\n`)
  const refs = createRefFiles()
  expect([...refs.folders(temp.path).keys()]).toEqual(['refs', 'refs/heads'])
  expect(refs.changes(temp.path, new Map()).files).toHaveLength(300)
  expect([...refs.folders(temp.path)]).toEqual([
    ['refs', false],
    ['refs/heads', true]
  ])
  write(temp, 'refs/heads/branch-7', 'moved\n')
  rmSync(join(temp.path, 'refs/heads/branch-8'))
  const named = new Set(['branch-7', 'branch-7.lock', 'branch-8'])
  const { files, gone } = refs.changes(temp.path, new Map([['refs/heads', named]]))
  expect(files.map(({ path }) => path)).toEqual(['refs/heads/branch-7'])
  expect(gone).toContain('refs/heads/branch-8')
  expect(refs.changes(temp.path, new Map([['refs/heads', new Set()]])).files).toEqual([])
})
