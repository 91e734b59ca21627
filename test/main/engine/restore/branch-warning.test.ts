/** A plan that crosses a change of branch warns and names both branches. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { RestoreRequest } from '../../../../src/contract/restore.ts'
import { type RecordedFolder, recordedFolder } from '../../../support/recorded-folder.ts'
import { type TempRepository, tempRepository } from '../git/repository.ts'

interface Repository extends AsyncDisposable {
  readonly folder: RecordedFolder
  git(...args: string[]): string
  write(text: string): void
}

async function repository(): Promise<Repository> {
  const temp: TempRepository = tempRepository()
  const git = (...args: string[]): string => temp.git(args, { in: 'project' })
  const folder = await recordedFolder({
    place: temp.path,
    files: { a: 'one\n' },
    make: () => {
      git('init')
      git('add', '.')
      git('commit', '-m', 'first')
      git('branch', 'fix')
    }
  })
  return {
    folder,
    git,
    write: (text) => writeFileSync(join(folder.root, 'a'), text),
    [Symbol.asyncDispose]: async () => {
      await folder[Symbol.asyncDispose]()
      temp.remove()
    }
  }
}

/** [RN-2] Every undo of a run without hooks has it. */
const ALL_CHANGES = { code: 'all-changes' }
const FROM_MAIN = { code: 'other-checkout', recorded: 'main', now: 'fix' }

test('runs, turns, pins, positions and undo warn across a branch switch, and do not on the same branch', {
  tags: ['git']
}, async () => {
  await using at = await repository()
  const { folder, git, write } = at
  const warnings = async (act: RestoreRequest) => (await folder.plan(act)).warnings
  const onMain = await folder.run('on main', () => write('two\n'))
  const pin = await folder.checkpoint('on main')
  expect(await warnings({ kind: 'restore', target: onMain })).toEqual([])
  git('checkout', '-q', '-f', 'fix')
  const onFix = await folder.run('on fix', () => write('three\n'))
  const later = await folder.checkpoint('on fix')
  write('four\n')
  const all = { outside: 'replace' } as const
  expect(await warnings({ kind: 'restore', target: pin, ...all })).toEqual([FROM_MAIN])
  expect((await warnings({ kind: 'restore', target: `${onMain}:start`, ...all })).at(-1)).toEqual(FROM_MAIN)
  expect((await warnings({ kind: 'restore', target: 'seq:0', ...all })).at(-1)).toEqual(FROM_MAIN)
  expect(await warnings({ kind: 'undo-run', run: onMain, onConflict: 'replace' })).toContainEqual(FROM_MAIN)
  expect(await warnings({ kind: 'undo-run', run: onFix, onConflict: 'replace' })).toEqual([ALL_CHANGES])
  expect(await warnings({ kind: 'restore', target: later, ...all })).toEqual([])
  const before = git('rev-parse', '--symbolic-full-name', 'HEAD')
  const done = await folder.apply({ kind: 'restore', target: pin, ...all })
  expect([done.state, done.warnings]).toEqual(['done', [FROM_MAIN]])
  expect(await warnings({ kind: 'undo' })).toEqual([])
  expect(git('rev-parse', '--symbolic-full-name', 'HEAD')).toBe(before)
})

test('undoing a run that switched the branch itself has the warning; a commit is no switch', {
  tags: ['git']
}, async () => {
  await using at = await repository()
  const { folder, git, write } = at
  const commits = await folder.run('commits', () => {
    write('two\n')
    git('commit', '-am', 'second')
  })
  expect((await folder.plan({ kind: 'undo-run', run: commits })).warnings).toEqual([ALL_CHANGES])
  const switches = await folder.run('switches', () => {
    git('checkout', '-q', 'fix')
    write('three\n')
  })
  expect((await folder.plan({ kind: 'undo-run', run: switches })).warnings).toEqual([ALL_CHANGES, FROM_MAIN])
  git('checkout', '-q', '-f', '--detach', 'main')
  write('four\n')
  const commit = git('rev-parse', 'HEAD').slice(0, 9)
  expect((await folder.plan({ kind: 'undo-run', run: switches, onConflict: 'replace' })).warnings).toEqual([
    ALL_CHANGES,
    { ...FROM_MAIN, now: commit }
  ])
})
