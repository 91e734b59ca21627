import { afterAll, beforeAll, expect, test } from 'vitest'
import type { BisectSearch } from '../../../../src/contract/bisect.ts'
import { createSearches } from '../../../../src/main/engine/bisect/searches.ts'
import { CLI } from '../../../support/programs.ts'
import { type CliProject, createCliProject } from '../../cli/cli-project.ts'

let project: CliProject

beforeAll(async () => {
  project = createCliProject()
  project.write('a.txt', '1\n')
  await project.call(['add'])
  for (const n of [2, 3, 4]) await project.call(['run', '--', 'sh', '-c', `echo ${n} > a.txt`])
})
afterAll(() => project.remove())

/** Resolves once the search of the folder `w` is in a state. */
function searching() {
  const waits: (() => void)[] = []
  const searches = createSearches({
    cli: CLI,
    dataDir: project.data,
    now: () => 0,
    onChanged: () => {
      for (const wake of waits.splice(0)) wake()
    }
  })
  const until = async (isMet: (search: BisectSearch) => boolean): Promise<BisectSearch> => {
    for (;;) {
      const search = searches.state('w')
      if (search && isMet(search)) return search
      await new Promise<void>((wake) => waits.push(wake))
    }
  }
  return { searches, until, folder: { workspace: 'w', root: project.root } }
}

test('[BI-9] a search of the window reports each probe, and its answer', { tags: ['posix'] }, async () => {
  const { searches, until, folder } = searching()
  searches.start(folder, { command: '! grep -q 3 a.txt && ! grep -q 4 a.txt', hunks: false })
  expect(() => searches.start(folder, { command: 'true', hunks: false })).toThrow('is running')
  const { state, probes, result } = await until((search) => search.state !== 'running')
  expect([state, result?.state]).toEqual(['done', 'found'])
  expect(result?.culprit?.prompt).toContain('echo 3')
  expect(probes.map(({ seq }) => seq)).toEqual(result?.probes.map(({ seq }) => seq))
  searches.dismiss('w')
  expect(searches.state('w')).toBeNull()
})

test('[BI-9] a search is cancelled by a person, and ends with the recorder', { tags: ['posix'] }, async () => {
  const { searches, until, folder } = searching()
  searches.start(folder, { command: 'sleep 100', hunks: false })
  await until((search) => search.progress !== null)
  searches.cancel('w')
  expect(await until((search) => search.state !== 'running')).toMatchObject({ state: 'cancelled', result: null })
  searches.start(folder, { command: 'sleep 100', hunks: false })
  await until((search) => search.progress !== null)
  await searches.close()
  expect(searches.state('w')?.state).toBe('cancelled')
})
