/** `driftline settings`: every setting with its meaning and bounds, for all folders or one. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { FINDING_KINDS } from '../../../src/contract/findings.ts'
import { SETTING_KEYS, SETTINGS } from '../../../src/contract/settings.ts'
import { listAll } from '../../../src/contract/words/text.ts'
import { type CliProject, createCliProject } from './cli-project.ts'

interface SettingsDoc {
  settings: { key: string; value: string; default: string; scope: string; meaning: string; bounds: string }[]
}

let project: CliProject
beforeEach(async () => {
  project = createCliProject()
  project.write('a.txt', 'a\n')
  await project.add()
})
afterEach(() => project.remove())

const settings = async (...args: string[]) => (await project.json<SettingsDoc>(['settings', ...args])).doc.settings
const error = async (...args: string[]) => {
  const { code, err } = await project.call(['settings', ...args])
  return { code, err: err.trim().split(' Usage:')[0] }
}

test('[ST-4] lists every setting that applies, with default, meaning and bounds', async () => {
  const all = await settings()
  expect(all.map(({ key }) => key)).toEqual(SETTING_KEYS.filter((key) => SETTINGS[key].scope !== 'folder'))
  expect(all.find(({ key }) => key === 'history.days')).toEqual({
    key: 'history.days',
    value: '30',
    default: '30',
    scope: 'all',
    meaning: 'Checkpoints stay restorable for at least this many days; 0 keeps them forever.',
    bounds: '0 to 36,500 days; for all folders or one'
  })
  const ofFolder = await settings('--folder', project.root)
  expect(ofFolder.map(({ key }) => key)).toEqual(SETTING_KEYS.filter((key) => SETTINGS[key].scope !== 'all'))
})

test('[ST-4] a value is set for all folders or for one, and reset', async () => {
  expect(await settings('history.budget', '3 GB')).toMatchObject([{ value: '3000000000', scope: 'all' }])
  expect(await settings('history.days', '7', '--folder', project.root)).toMatchObject([{ value: '7', scope: 'folder' }])
  expect(await settings('history.days')).toMatchObject([{ value: '30', scope: 'all' }])
  expect(await settings('history.days', '--reset', '--folder', project.root)).toMatchObject([
    { value: '30', scope: 'all' }
  ])
  // The least that its bounds name.
  expect(await settings('capture.limit', '1 MB')).toMatchObject([{ value: '1000000' }])
  expect(await settings('capture.limit', '--reset')).toMatchObject([{ value: '52428800' }])
  const { doc } = await project.json<{ store: { budget: number } }>(['status'])
  expect(doc.store.budget).toBe(3_000_000_000)
})

test('[ST-4] what is not accepted is refused by name, and nothing changes', async () => {
  expect(await error('ui.theme', 'pink')).toEqual({
    code: 2,
    err: 'driftline: "pink" is not a value of ui.theme: it takes system, light or dark. Nothing was changed.'
  })
  expect(await error('review.findings-off', 'ci\nlicences')).toEqual({
    code: 2,
    err: `driftline: "licences" is not a value of review.findings-off: it takes one per line of ${listAll(FINDING_KINDS)}. Nothing was changed.`
  })
  expect(await error('history.budget', '1 MB')).toMatchObject({ code: 2, err: expect.stringContaining('50 MB') })
  expect(await error('history.budgets')).toMatchObject({ code: 2, err: expect.stringContaining('no setting') })
  expect(await error('ui.theme', 'dark', '--folder', project.root)).toMatchObject({ code: 2 })
  expect(await error('capture.include', 'dist')).toMatchObject({ code: 2 })
  expect(await error('capture.include', '../dist', '--folder', project.root)).toMatchObject({
    code: 2,
    err: expect.stringContaining('not a folder inside')
  })
  expect(await error('--reset')).toMatchObject({ code: 2 })
  expect((await settings()).every(({ value, default: initial }) => value === initial)).toBe(true)
})
