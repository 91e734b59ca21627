/**
 * The first capture of a repository with many refs.
 * @module-tag git
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { createRepositories } from '../../../../src/main/engine/git-state/repositories.ts'
import { systemClock } from '../../../../src/main/engine/ports/clock.ts'
import { gitFilesAt, lastGitState } from '../../../../src/main/engine/store/git-store.ts'
import { openStore } from '../../../../src/main/engine/store/open-store.ts'
import { tempFolder } from '../../../support/tmp.ts'

const REFS = 1000

/** The keeper of a repository with a thousand branches in files, and a reflog for each. */
function manyRefs() {
  const dir = tempFolder()
  const [root, historyDir] = [join(dir.path, 'folder'), join(dir.path, 'history')]
  const write = (path: string, text: string): void => {
    const file = join(root, '.git', path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
  write('HEAD', 'ref: refs/heads/b0\n')
  mkdirSync(join(root, '.git/objects'))
  for (let n = 0; n < REFS; n++) {
    write(`refs/heads/b${n}`, `${'a'.repeat(40)}\n`)
    write(`logs/refs/heads/b${n}`, `${n}\n`)
  }
  const store = openStore(join(historyDir, 'store.db'))
  const repositories = createRepositories({
    ...{ root, historyDir, mainHistoryDir: () => historyDir, store, boundaries: new Set() },
    ...{ isOn: () => true, isRecordedElsewhere: () => false, clock: systemClock }
  })
  const keeper = repositories.own
  return {
    keeper,
    write,
    kept: (): string[] => {
      const states = keeper.store()
      return states ? gitFilesAt(states, lastGitState(states)?.id ?? 0).map(({ path }) => path) : []
    },
    [Symbol.dispose]: (): void => {
      repositories.close()
      store.close()
      dir[Symbol.dispose]()
    }
  }
}

test('[GT-1] the first capture of many refs is made in steps of some hundred files, and is complete after the last', () => {
  using repo = manyRefs()
  const sizes: number[] = []
  for (const _ of repo.keeper.captureInSteps()) sizes.push(repo.kept().length)
  expect(repo.kept().length).toBe(2 * REFS + 1)
  expect(Math.max(...sizes.map((size, n) => size - (sizes[n - 1] ?? 0)))).toBeLessThan(300)
  // Until then it counts as no repository: a restore never takes a part for all.
  expect(sizes.length).toBeGreaterThan(8)
})

test('[GT-1] a position during the first capture has everything, and a ref that changes meanwhile is kept as it is then', () => {
  using repo = manyRefs()
  const steps = repo.keeper.captureInSteps()
  for (let n = 0; n < 4; n++) steps.next()
  expect(repo.kept()).not.toContain('HEAD')
  repo.write('refs/heads/new', `${'b'.repeat(40)}\n`)
  repo.keeper.captureNow()
  expect(repo.kept()).toEqual(expect.arrayContaining(['HEAD', 'refs/heads/new', `logs/refs/heads/b${REFS - 1}`]))
  while (!steps.next().done);
  expect(repo.kept().length).toBe(2 * REFS + 2)
})
