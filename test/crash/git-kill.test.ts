/**
 * [GT-7] A restore killed before, between and after the items of git that it writes: Finish and Undo both end exactly there.
 *
 * @module-tag git
 */
import { cpSync, existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { KILLED, runCrashChild } from '../support/crash-process.ts'
import { repository } from '../support/repository.ts'
import { LONG } from '../support/scale.ts'

/** Between two of the three items; in the long form before, between and after all of them. */
test.each(['git:2', ...(LONG ? ['verified', 'git:1', 'git:3'] : [])])(
  '[GT-7] [RS-7] killed at %s: recover finish and undo restore files and git as if there had been no kill',
  async (at) => {
    await using repo = await repository()
    const { folder } = repo
    repo.git('branch', 'spike')
    for (const name of ['older', 'newer']) {
      writeFileSync(join(folder.root, 'a.txt'), `${name}\n`)
      repo.git('stash', 'push', '-qm', name)
    }
    const before = repo.describe()
    const run = await folder.run('clean up', () => {
      repo.git('branch', '-qD', 'spike')
      repo.git('stash', 'clear')
      writeFileSync(join(folder.root, 'a.txt'), 'by the run\n')
    })
    const after = repo.describe()
    await folder.engine.close()
    const request = { kind: 'restore', target: run, git: ['lost'] } as const
    const ended = await runCrashChild(folder, { do: 'restore', request, at })
    expect(ended, ended.errors).toMatchObject(KILLED)
    const places = [folder.root, folder.dataDir]
    const copy = (from: string, to: string): void => {
      rmSync(to, { recursive: true, force: true })
      cpSync(from, to, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true })
    }
    for (const place of places) copy(place, `${place}.left`)

    for (const how of ['finish', 'undo'] as const) {
      await folder.reopen()
      const result = await folder.apply({ kind: 'recover', how })
      expect(result, JSON.stringify(result.git)).toMatchObject({ state: 'done' })
      expect(repo.describe(), how).toBe(how === 'finish' ? before : after)
      if (how === 'finish') {
        expect(await folder.apply({ kind: 'undo' })).toMatchObject({ state: 'done' })
        expect(repo.describe(), 'undone').toBe(after)
      }
      await folder.engine.close()
      for (const place of places) copy(`${place}.left`, place)
    }
  }
)

/** After `.git` is gone; in the long form also after the files are. */
test.each(
  ['git:1', ...(LONG ? ['aside', 'removed', 'verified'] : [])].flatMap((at) => [
    { at, how: 'finish' } as const,
    { at, how: 'undo' } as const
  ])
)(
  '[GT-12] [RS-7] an undo that removes a subfolder and its repository, killed at $at: recover $how leaves both or nothing',
  async ({ at, how }) => {
    await using repo = await repository()
    const { folder } = repo
    const below = join(folder.root, 'libs/b')
    cpSync(join(folder.root, '.git'), join(below, '.git'), { recursive: true, preserveTimestamps: true })
    writeFileSync(join(below, 'b.txt'), 'b\n')
    const describe = (): string =>
      [
        ['log', '--all', '--format=%H %D'],
        ['status', '--porcelain']
      ]
        .map((args) => repo.git('-C', 'libs/b', ...args))
        .join()
    const before = describe()
    await folder.check()
    const run = await folder.run('delete', () => rmSync(join(folder.root, 'libs'), { recursive: true }))
    await folder.apply({ kind: 'undo-run', run, git: ['lost'] })
    expect(describe()).toBe(before)
    await folder.engine.close()
    const ended = await runCrashChild(folder, { do: 'restore', request: { kind: 'undo' }, at })
    expect(ended, ended.errors).toMatchObject(KILLED)
    await folder.reopen()
    expect(await folder.apply({ kind: 'recover', how })).toMatchObject({ state: 'done' })
    if (how === 'undo') expect(describe()).toBe(before)
    expect(existsSync(join(folder.root, 'libs'))).toBe(how === 'undo')
  }
)
