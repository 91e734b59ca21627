/**
 * The round trip for hostile trees: one run changes the folder, git applies and reverts its patch, and the run is undone and
 * redone in every possible way. Bytes, kinds and modes on disk are compared after each step.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect } from 'vitest'
import { asReverted } from './git-revert.ts'
import type { RecordedFolder } from './recorded-folder.ts'
import { tempFolder } from './tmp.ts'
import { contentsOf, gitView, readTree, type Tree, writeFiles } from './tree.ts'

export interface RoundTripOptions {
  /** Paths that a git patch cannot express; all others must be in it. */
  readonly notInPatch?: (path: string) => boolean
}

export async function expectRoundTrip(
  folder: RecordedFolder,
  work: () => void,
  options: RoundTripOptions = {}
): Promise<void> {
  const outside = bystander(folder.root)
  const before = folder.tree()
  const kept = readTree(outside)
  const run = await folder.run('work', work)
  const after = folder.tree()
  expect(after).not.toEqual(before)
  const { patch } = await folder.engine.call('diff.patch', { workspace: folder.workspace, target: run })
  expectGitApplies(patch, before, after, options.notInPatch)
  await undoInEveryWay(folder, run, before, after)
  expect(readTree(outside), 'nothing beside the folder is touched').toEqual(kept)
  await expectIntact(folder)
}

/** Undoes and redoes a run in every possible way; compares bytes, kinds and modes on disk each time. */
export async function undoInEveryWay(folder: RecordedFolder, run: string, before: Tree, after: Tree): Promise<void> {
  for (const act of [
    { kind: 'restore', target: run },
    { kind: 'undo' },
    { kind: 'redo' },
    { kind: 'undo' },
    { kind: 'undo-run', run },
    { kind: 'undo' }
  ] as const) {
    const result = await folder.apply(act)
    expect(
      result.items.filter((item) => item.result !== 'done'),
      act.kind
    ).toEqual([])
    expect(result.state, act.kind).toBe('done')
    expect(folder.tree(), act.kind).toEqual(act.kind === 'undo' ? after : before)
  }
}

/** Checks that the log equals the disk, the store is valid, and no temporary file is left. */
export async function expectIntact(folder: RecordedFolder): Promise<void> {
  const { drift } = await folder.engine.call('drift.list', { workspace: folder.workspace, check: true })
  expect(drift, '[DR-3] our own writes are never drift').toEqual([])
  await expectSound(folder)
}

/** As `expectWhole`, where others changed the folder too. */
export async function expectSound(folder: RecordedFolder): Promise<void> {
  expect((await folder.engine.call('doctor.run', { deep: true })).problems).toEqual([])
  const ours = Object.keys(folder.tree()).filter((path) => /(^|\/)\.driftline-[^/]*\.(new|old)$/.test(path))
  expect(ours, 'no file of ours is left').toEqual([])
}

/** A folder outside the recorded one that must not change, with the same names as in the recorded one. */
export function bystander(root: string): string {
  const outside = join(dirname(root), 'outside')
  if (!existsSync(outside)) {
    writeFiles(outside, { a: 'theirs', 'd/b': 'theirs', 'd/e/f': 'theirs', link: { link: 'a' }, empty: null })
  }
  return outside
}

/** Checks that `git apply` turns `before` into `after`, and -R reverts it. */
export function expectGitApplies(
  patch: string,
  before: Tree,
  after: Tree,
  notInPatch: (path: string) => boolean = () => false
): void {
  const seen = (tree: Tree): Tree =>
    Object.fromEntries(Object.entries(gitView(tree)).filter(([path]) => !notInPatch(path)))
  if (JSON.stringify(seen(before)) === JSON.stringify(seen(after))) {
    expect(patch, 'nothing git knows of has changed').toBe('')
    return
  }
  using temp = tempFolder()
  const copy = join(temp.path, 'copy')
  mkdirSync(copy)
  writeFiles(copy, contentsOf(before))
  gitApply(copy, [], patch)
  expect(seen(readTree(copy)), 'git apply').toEqual(seen(after))
  gitApply(copy, ['-R'], patch)
  const reverted = (tree: Tree): Tree => asReverted(seen(tree), seen(before), seen(after))
  expect(reverted(readTree(copy)), 'git apply -R').toEqual(reverted(before))
}

/** Runs `git apply` without user configuration and outside of any repository. */
function gitApply(folder: string, args: readonly string[], patch: string): void {
  execFileSync('git', ['apply', '--whitespace=nowarn', ...args, '-'], {
    cwd: folder,
    input: patch,
    stdio: ['pipe', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_CEILING_DIRECTORIES: dirname(folder)
    }
  })
}
