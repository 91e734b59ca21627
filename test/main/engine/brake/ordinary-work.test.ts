/** [BR-2] Ordinary work never stops a run. The long form plays a thousand random runs. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createRandom } from '../../../crash/random.ts'
import { BOUND, deleteSources, makeProject, ORDINARY_WORK, resetProject } from '../../../support/ordinary-work.ts'
import { type RecordedFolder, recordedFolder } from '../../../support/recorded-folder.ts'
import { LONG, limitFor, SEED, scaled } from '../../../support/scale.ts'

let folder: RecordedFolder
beforeAll(async () => {
  folder = await recordedFolder({ make: makeProject })
  await folder.engine.call('settings.set', { key: 'brake.files', value: String(BOUND) })
})
afterAll(() => folder?.[Symbol.asyncDispose]())

async function stoppedBy(...works: readonly ((root: string) => void)[]): Promise<number> {
  resetProject(folder.root)
  await folder.check()
  await folder.run('work', () => {
    for (const work of works) work(folder.root)
  })
  const { stopped } = await folder.engine.call('brake.list', { workspace: folder.workspace })
  for (const { run } of stopped)
    await folder.engine.call('brake.decide', { workspace: folder.workspace, run, decision: 'release' })
  return stopped.length
}

const works = Object.entries(ORDINARY_WORK)
/** Each deletes as another of the table does. */
const ALIKE = [
  'every file gets another ending',
  'another branch is checked out, and this one again',
  'a commit is checked out',
  'the branch is reset'
]
const usual = works.filter(([name]) => LONG || !ALIKE.includes(name))

test.each(usual)('[BR-2] %s', { tags: ['git'] }, async (_, work) => {
  expect(await stoppedBy(work)).toBe(0)
})

test('[BR-2] and the same project stops a run that deletes its sources', { tags: ['git'] }, async () => {
  expect(await stoppedBy(deleteSources)).toBe(1)
})

const RUNS = LONG ? scaled(20) : 0

test.runIf(RUNS > 0)(
  `[BR-2] ${RUNS} random ordinary runs, of one piece of work or two`,
  { tags: ['git'], timeout: limitFor(RUNS) },
  async () => {
    const random = createRandom(SEED)
    for (let n = 0; n < RUNS; n++) {
      const chosen = random.some(works, 1)
      // Two that do not depend on what the other left.
      const also = random.chance(0.3) ? works.filter(([name]) => /install|build|logs|tests/.test(name)) : []
      const played = [...random.some(also, 1), ...chosen]
      expect([n, played.map(([name]) => name), await stoppedBy(...played.map(([, work]) => work))]).toEqual([
        n,
        played.map(([name]) => name),
        0
      ])
    }
  }
)
