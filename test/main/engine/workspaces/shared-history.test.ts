/**
 * Histories of worktrees that share contents with the main folder's.
 * @module-tag git
 */
import { mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { sweep } from '../../../../src/main/engine/retention/sweep.ts'
import { SHARED } from '../../../../src/main/engine/store/codec.ts'
import { openStore } from '../../../../src/main/engine/store/open-store.ts'
import { MAX_WHOLE, worktreesSharing } from '../../../../src/main/engine/store/shared-content.ts'
import { column } from '../../../../src/main/engine/store/sql.ts'
import { storeFile } from '../../../../src/main/engine/workspaces/store-file.ts'
import { runGit as git } from '../../../support/git.ts'
import { type RecordedFolder, recordedFolder } from '../../../support/recorded-folder.ts'
import { readTree, writeFiles } from '../../../support/tree.ts'

const NAMES = Array.from({ length: 40 }, (_, n) => `src/${n % 4}/file ${n}.ts`)

/** A recorded repository whose files were written, and added, some time before git and the initial snapshot read them. */
async function repository(more: Readonly<Record<string, string>> = {}): Promise<RecordedFolder> {
  return recordedFolder({
    make: (root) => {
      git(root, 'init', '-q', '-b', 'main')
      for (const name of NAMES) {
        mkdirSync(dirname(join(root, name)), { recursive: true })
        writeFileSync(join(root, name), `${name}\n`.repeat(50))
      }
      writeFiles(root, more)
      ageFiles(root, ...Object.keys(more))
      git(root, 'add', '.')
      git(root, 'commit', '-qm', 'first')
    }
  })
}

/** Only a later time of git's index proves contents; nobody has to wait for it. */
function ageFiles(root: string, ...more: readonly string[]): void {
  const past = Date.now() / 1000 - 100.000123
  for (const name of [...NAMES, ...more]) utimesSync(join(root, name), past, past)
}

/** Adds a worktree beside the folder, and records it. */
async function recordWorktree(
  folder: RecordedFolder,
  ...more: readonly string[]
): Promise<{ root: string; workspace: string }> {
  const root = join(dirname(folder.root), 'fix')
  git(folder.root, 'worktree', 'add', '-q', '--detach', root)
  ageFiles(root, ...more)
  git(root, 'update-index', '-q', '--refresh')
  const { workspace } = await folder.engine.call('workspaces.add', { folder: root, wait: true })
  return { root, workspace: workspace.id }
}

const codecsOf = ({ dataDir }: RecordedFolder, workspace: string): number[] => {
  const store = openStore(storeFile(dataDir, workspace))
  try {
    return column<number>(store, 'SELECT DISTINCT codec FROM content ORDER BY codec')
  } finally {
    store.close()
  }
}

/** Evicts from the main folder's history whatever may be evicted; returns how many of its contents are left. */
async function sweepAll({ dataDir, workspace }: RecordedFolder): Promise<number> {
  const store = openStore(storeFile(dataDir, workspace))
  try {
    const bounds = { budget: 0, days: 1, now: Date.now() + 400 * 86_400_000, neverKeep: null }
    await sweep(store, { ...bounds, dryRun: false, pause: () => undefined, stop: () => false })
    return column<number>(store, 'SELECT id FROM content WHERE codec <> 9').length
  } finally {
    store.close()
  }
}

test('[WT-1] a new worktree shares its contents with the history of the main folder, and every byte comes back', async () => {
  await using folder = await repository()
  const { engine } = folder
  const { root, workspace } = await recordWorktree(folder)
  expect(codecsOf(folder, workspace)).toEqual([SHARED])
  expect(await engine.call('coverage.list', { workspace })).toMatchObject({ covered: { files: NAMES.length } })
  const before = readTree(root)
  const { checkpoint } = await engine.call('checkpoint.create', { workspace, label: '' })

  rmSync(join(root, 'src/1'), { recursive: true })
  writeFileSync(join(root, NAMES[0] ?? ''), 'other\n')
  // The main folder loses the same contents, and everything old is removed from its history.
  for (const name of NAMES) writeFileSync(join(folder.root, name), 'main\n')
  await folder.check()
  expect(await sweepAll(folder)).toBeGreaterThan(0)

  const request = { kind: 'restore', target: checkpoint, outside: 'replace' } as const
  expect(await engine.call('restore.apply', { workspace, request })).toMatchObject({ state: 'done' })
  expect(readTree(root)).toEqual(before)
  await engine.call('restore.apply', { workspace, request: { kind: 'undo' } })
  expect(readFileSync(join(root, NAMES[0] ?? ''), 'utf8')).toBe('other\n')
})

test('[WT-1] a large file that a worktree shares comes back, and is damaged where the main folder lost it', async () => {
  const large = 'a line of a large file\n'.repeat(400_000)
  expect(large.length).toBeGreaterThan(MAX_WHOLE)
  await using folder = await repository({ large })
  const { engine } = folder
  const { root, workspace } = await recordWorktree(folder, 'large')
  expect(codecsOf(folder, workspace)).toEqual([SHARED])
  const lose = (): void => writeFileSync(join(root, 'large'), 'other\n')
  const request = { kind: 'restore', target: 'seq:0', outside: 'replace' } as const
  lose()
  expect(await engine.call('restore.apply', { workspace, request })).toMatchObject({ state: 'done' })
  expect(readFileSync(join(root, 'large'), 'utf8') === large).toBe(true)

  lose()
  folder.store((store) => store.db.prepare('UPDATE chunk SET bytes = zeroblob(9) WHERE id = 1').run())
  await engine.call('drift.list', { workspace, check: true })
  await expect(engine.call('file.cat', { workspace, target: 'seq:0', path: 'large' })).rejects.toMatchObject({
    code: 'NotStored'
  })
  const { items } = await engine.call('restore.plan', { workspace, request, resolutions: {} })
  expect(items).toMatchObject([{ path: 'large', action: 'keep', note: { code: 'not-stored', reason: 'damaged' } }])
})

test('[WT-1] a worktree has its own copies once the history of the main folder is deleted', async () => {
  await using folder = await repository()
  const { engine } = folder
  const { root, workspace } = await recordWorktree(folder)
  const before = readTree(root)
  const { checkpoint } = await engine.call('checkpoint.create', { workspace, label: '' })
  await engine.call('workspaces.remove', { workspace: folder.workspace, deleteHistory: true })
  expect(codecsOf(folder, workspace)).not.toContain(SHARED)
  rmSync(join(root, 'src'), { recursive: true })
  const request = { kind: 'restore', target: checkpoint, outside: 'replace' } as const
  await engine.call('restore.apply', { workspace, request })
  expect(readTree(root)).toEqual(before)
})

test('[WT-1] files that differ from the main folder are read: other contents, line endings, and what git does not know', async () => {
  await using folder = await repository()
  writeFileSync(join(folder.root, NAMES[0] ?? ''), 'changed in main\n')
  git(folder.root, 'config', 'core.autocrlf', 'true')
  const root = join(dirname(folder.root), 'fix')
  git(folder.root, 'worktree', 'add', '-q', '--detach', root)
  ageFiles(root)
  git(root, 'update-index', '-q', '--refresh')
  writeFileSync(join(root, 'new.txt'), 'new\n')
  const { workspace } = await folder.engine.call('workspaces.add', { folder: root, wait: true })
  expect(codecsOf(folder, workspace.id)).not.toContain(SHARED)
  expect(folder.store(worktreesSharing), 'the main folder need not keep anything for it').toEqual([])
  const { checkpoint } = await folder.engine.call('checkpoint.create', { workspace: workspace.id, label: '' })
  const before = readTree(root)
  rmSync(join(root, 'src'), { recursive: true })
  rmSync(join(root, 'new.txt'))
  const request = { kind: 'restore', target: checkpoint, outside: 'replace' } as const
  await folder.engine.call('restore.apply', { workspace: workspace.id, request })
  expect(readTree(root)).toEqual(before)
})

test('[WT-1] files that git writes through a filter are read: the same blob may have other bytes of the same size', async () => {
  const attributes = { '.gitattributes': '*.c text filter=count\n', 'lib/.gitattributes': '/deep/*.h filter=count\n' }
  const filtered = ['main.c', 'lib/deep/main.h']
  const files = Object.fromEntries(filtered.map((name) => [name, 'count\n']))
  await using folder = await repository({ ...attributes, ...files, 'main.h': 'count\n' })
  const write = (root: string, text: string): void => {
    git(folder.root, 'config', 'filter.count.smudge', `sed s/count/${text}/`)
    git(folder.root, 'config', 'filter.count.clean', 'sed s/.*/count/')
    for (const name of filtered) rmSync(join(root, name))
    git(root, 'checkout', '-q', '--', '.')
    ageFiles(root, ...filtered, 'main.h')
    git(root, 'update-index', '-q', '--refresh')
  }
  write(folder.root, 'one')
  await folder.check()
  const root = join(dirname(folder.root), 'fix')
  git(folder.root, 'worktree', 'add', '-q', '--detach', root)
  write(root, 'two')
  const { workspace } = await folder.engine.call('workspaces.add', { folder: root, wait: true })
  const cat = async (path: string): Promise<string> => {
    const { base64 } = await folder.engine.call('file.cat', { workspace: workspace.id, target: 'seq:0', path })
    return Buffer.from(base64, 'base64').toString()
  }
  expect(await Promise.all([...filtered, 'main.h'].map(cat))).toEqual(['two\n', 'two\n', 'count\n'])
  expect(codecsOf(folder, workspace.id)).toContain(SHARED)
})
