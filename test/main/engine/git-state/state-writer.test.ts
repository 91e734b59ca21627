/** Which files of git's state are read when a recorder starts. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { listStateFiles } from '../../../../src/main/engine/git-state/state-files.ts'
import { createStateWriter } from '../../../../src/main/engine/git-state/state-writer.ts'
import { systemClock } from '../../../../src/main/engine/ports/clock.ts'
import {
  gitFilesAt,
  gitStamps,
  lastGitState,
  openGitStore,
  readGitContent
} from '../../../../src/main/engine/store/git-store.ts'
import { openStore } from '../../../../src/main/engine/store/open-store.ts'
import { transact } from '../../../../src/main/engine/store/sql.ts'
import { tempFolder } from '../../../support/tmp.ts'

/** A repository of two files, and captures of it, each by the writer of another recorder. */
function openRepository() {
  const temp = tempFolder()
  const gitDir = join(temp.path, '.git')
  mkdirSync(gitDir)
  const write = (name: string, text: string): void => writeFileSync(join(gitDir, name), text)
  write('HEAD', 'ref: refs/heads/main\n')
  write('config', '[core]\n')
  const store = openStore(join(temp.path, 'store.db'))
  const git = openGitStore(join(temp.path, 'git.db'))
  return {
    git,
    write,
    remove: (name: string): void => rmSync(join(gitDir, name)),
    /** `stampOf` and `text`: of each file as the writer finds it. */
    capture: (stampOf: (path: string) => string, text: string): Record<string, string> => {
      const writer = createStateWriter({
        ...{ link: () => null, expectedLink: () => null, isWorktree: () => true, store, clock: systemClock }
      })
      const found = listStateFiles(gitDir).files
      const files = found.map((file) => ({ ...file, stamp: stampOf(file.path), bytes: Buffer.from(text) }))
      transact(git, (tx) => writer.write(tx, { gitDir, files, gone: null, among: /^/ }))
      const kept = gitFilesAt(git, lastGitState(git)?.id ?? 0)
      return Object.fromEntries(
        kept.map(({ path, hash }) => [path, readGitContent(git, hash as Uint8Array).toString()])
      )
    },
    [Symbol.dispose]: (): void => {
      git.close()
      store.close()
      temp[Symbol.dispose]()
    }
  }
}

/** Old enough to prove that a file did not change since. */
const OLD = '1000:1000:1:20'

test('[GT-1] a recorder that starts reads only the files of git that changed since the last one', () => {
  using repository = openRepository()
  repository.capture(() => OLD, 'first')
  const changed = (path: string) => (path === 'HEAD' ? '2000:2000:1:20' : OLD)
  expect(repository.capture(changed, 'second')).toEqual({ HEAD: 'second', config: 'first' })
})

test('[GT-1] a file that was read within the time of a tick after its change is read again', () => {
  using repository = openRepository()
  const young = `${BigInt(Date.now() + 60_000) * 1_000_000n}:0:1:20`
  repository.capture(() => young, 'first')
  expect(repository.capture(() => young, 'second')).toEqual({ HEAD: 'second', config: 'second' })
})

test('[GT-1] a file that was deleted and made again is read, whatever its stats are', () => {
  using repository = openRepository()
  repository.capture(() => OLD, 'first')
  repository.remove('config')
  expect(repository.capture(() => OLD, 'second')).toEqual({ HEAD: 'first' })
  expect([...gitStamps(repository.git)]).toEqual([['HEAD', OLD]])
  repository.write('config', '[core]\n')
  expect(repository.capture(() => OLD, 'third')).toEqual({ HEAD: 'first', config: 'third' })
})
