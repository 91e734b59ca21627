/** Git's own state on disks as those of Windows: without links, or where a virus scanner holds open what was just written. */
import { appendFileSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Repository, repository } from '../support/repository.ts'
import { PROFILES, scriptedDisk } from '../support/scripted-disk.ts'
import { tempFolder } from '../support/tmp.ts'

const OPTIONS = { tags: ['scripted-disk', 'git'], timeout: 60_000 }

/**
 * A repository, and work that runs while what it has just written is in use for a time: the files of this name. `withData`: the data
 * folder is on the same disk, so that a repository that is replaced can be moved there.
 */
async function onBusyDisk(
  { name, withData }: { readonly name: string; readonly withData: boolean },
  body: (repo: Repository, whileInUse: <T>(work: () => Promise<T>) => Promise<T>) => Promise<void>
): Promise<void> {
  const { inUse: _, ...quiet } = PROFILES.antivirus
  using temp = tempFolder()
  await using disk = await scriptedDisk(temp.path, quiet)
  await using repo = await repository({ place: disk.path, ...(withData ? { dataPlace: disk.path } : {}) })
  await body(repo, async (work) => {
    await disk.set({ ...quiet, inUse: { ms: [50, 150], name } })
    const done = await work()
    await disk.set(quiet)
    return done
  })
}

test('[GT-7] [RS-15] refs, stashes, the index, the config and hooks are restored and undone', OPTIONS, () =>
  onBusyDisk({ name: '*', withData: false }, async (repo, whileInUse) => {
    const { folder, git } = repo
    const at = (path: string): string => join(folder.root, '.git', path)
    mkdirSync(at('hooks'), { recursive: true })
    writeFileSync(at('hooks/pre-commit'), '#!/bin/sh\n')
    for (const branch of ['spike', 'feature/a', 'feature/b', 'other']) git('branch', branch)
    git('pack-refs', '--all')
    for (const text of ['one', 'two']) {
      appendFileSync(join(folder.root, 'a.txt'), text)
      git('stash')
    }
    appendFileSync(join(folder.root, 'a.txt'), 'staged')
    git('add', 'a.txt')
    const target = await folder.checkpoint()
    const before = repo.describe()
    await folder.run('clean up', () => {
      git('stash', 'clear')
      git('branch', '-D', 'spike', 'feature/a', 'feature/b')
      git('reset', '-q')
      git('config', 'user.name', 'Other')
      git('switch', '-q', 'other')
      rmSync(at('hooks/pre-commit'))
    })
    const after = repo.describe()
    const items = (await folder.plan({ kind: 'restore', target })).git.map(({ item }) => item)
    expect(items.length).toBeGreaterThan(7)
    for (const [request, expected] of [
      [{ kind: 'restore', target, git: items }, before],
      [{ kind: 'undo' }, after]
    ] as const) {
      const result = await whileInUse(() => folder.apply(request))
      expect(result.git.filter((each) => each.result !== 'done')).toEqual([])
      expect(repo.describe()).toBe(expected)
    }
  })
)

test('[GT-4] [RS-15] the whole repository is replaced, and that is undone', OPTIONS, () =>
  onBusyDisk({ name: 'HEAD', withData: true }, async (repo, whileInUse) => {
    const { folder } = repo
    const { engine, workspace } = folder
    repo.git('branch', 'spike')
    await folder.checkpoint()
    const before = repo.describe()
    await folder.run('delete', () => rmSync(join(folder.root, '.git'), { recursive: true }))
    const restore = () => engine.call('git.restore', { workspace, names: ['.git'], all: false, dryRun: false })
    await whileInUse(restore)
    expect(repo.describe()).toBe(before)
    await whileInUse(() => engine.call('git.undo', { workspace }))
    expect(() => repo.describe()).toThrow('not a git repository')
    await whileInUse(restore)
    expect(repo.describe()).toBe(before)
  })
)

test(
  '[GT-4] [GT-14] the whole repository is restored where a hook that was a link cannot be made, and the hook is listed',
  OPTIONS,
  async () => {
    using temp = tempFolder()
    await using disk = await scriptedDisk(temp.path, PROFILES.plain)
    await using repo = await repository({ place: disk.path })
    const { folder } = repo
    const { engine, workspace } = folder
    mkdirSync(join(folder.root, '.git/hooks'), { recursive: true })
    symlinkSync('../../hook.sh', join(folder.root, '.git/hooks/pre-push'))
    const target = await folder.checkpoint()
    const before = repo.describe()
    await folder.run('delete', () => rmSync(join(folder.root, '.git'), { recursive: true }))
    await disk.set({ noLinks: true })
    await engine.call('git.restore', { workspace, names: ['.git'], all: false, dryRun: false })
    expect(repo.describe()).toBe(before)
    expect((await folder.plan({ kind: 'restore', target })).git).toMatchObject([{ item: 'hooks/pre-push', lost: true }])
  }
)
