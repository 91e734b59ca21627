/**
 * What every hostile tree is put through: one run changes the folder; its patch is taken by git both ways; the run is
 * taken back, and again, by every way there is. Each time bytes, kinds and modes on disk are compared.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, vi } from 'vitest'
import type { Recorded } from './recorded.ts'
import { tempFolder } from './tmp.ts'
import { contentsOf, gitView, readTree, type Tree, writeFiles } from './tree.ts'

// A dozen restores a test, each synced to disk: on a busy machine that takes its time.
vi.setConfig({ testTimeout: 60_000 })

export interface BackAndForth {
  /** Paths git does not take in a patch; everything else must be in it. */
  readonly notInPatch?: (path: string) => boolean
}

export async function backAndForth(folder: Recorded, work: () => void, options: BackAndForth = {}): Promise<void> {
  const outside = bystander(folder.root)
  const before = folder.tree()
  const kept = readTree(outside)
  const run = await folder.run('work', work)
  const after = folder.tree()
  expect(after).not.toEqual(before)
  const { patch } = await folder.engine.call('diff.patch', { workspace: folder.workspace, target: run })
  takenByGit(patch, before, after, options.notInPatch)
  await everyWay(folder, run, before, after)
  expect(readTree(outside), 'nothing beside the folder is touched').toEqual(kept)
  await expectWhole(folder)
}

/** Takes a run back, and again, by every way there is; bytes, kinds and modes on disk are compared each time. */
export async function everyWay(folder: Recorded, run: string, before: Tree, after: Tree): Promise<void> {
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

/** The log equals the disk, everything in the store is what it should be, and no file of ours is left. */
export async function expectWhole(folder: Recorded): Promise<void> {
  const { drift } = await folder.engine.call('drift.list', { workspace: folder.workspace, check: true })
  expect(drift, '[DR-3] our own writes are never drift').toEqual([])
  await expectSound(folder)
}

/** As `expectWhole`, where others changed the folder too. */
export async function expectSound(folder: Recorded): Promise<void> {
  expect((await folder.engine.call('doctor.run', { deep: true })).problems).toEqual([])
  const ours = Object.keys(folder.tree()).filter((path) => /(^|\/)\.driftline-[^/]*\.(new|old)$/.test(path))
  expect(ours, 'no file of ours is left').toEqual([])
}

/** A folder beside the recorded one that nothing may touch, with names that lie in the recorded one too. */
export function bystander(root: string): string {
  const outside = join(dirname(root), 'outside')
  if (!existsSync(outside)) {
    writeFiles(outside, { a: 'theirs', 'd/b': 'theirs', 'd/e/f': 'theirs', link: { link: 'a' }, empty: null })
  }
  return outside
}

/** `git apply` takes a folder from `before` to `after`, and back with -R. */
export function takenByGit(
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
  for (const [args, wanted] of [
    [[], after],
    [['-R'], before]
  ] as const) {
    gitApply(copy, args, patch)
    expect(seen(readTree(copy)), `git apply ${args.join(' ')}`).toEqual(seen(wanted))
  }
}

/** Runs `git apply` without anybody's configuration and outside of any repository. */
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
