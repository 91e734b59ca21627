/** [UI-1] What is protected is counted as it changes: the same as counting every path again. */
import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { coverageOf } from '../../../../src/main/engine/store/coverage.ts'
import { recordedFolder } from '../../../support/recorded-folder.ts'

const MB = 1024 * 1024

test('[UI-1] the totals and the excluded paths follow edits, settings, evictions and restores', async () => {
  await using folder = await recordedFolder({
    files: { '.gitignore': 'build/\n', a: 'a', 'd/b': 'bb', 'd/c': 'ccc', '.env': 'KEY=1', 'build/out': 'o' }
  })
  const { engine, workspace, root } = folder
  const set = (key: string, value: string) => engine.call('settings.set', { key, value })
  const before = await folder.checkpoint('before')
  const steps: Readonly<Record<string, () => unknown>> = {
    start: () => {},
    'a file grows': () => writeFileSync(join(root, 'a'), 'a longer text'),
    'a file is created': () => writeFileSync(join(root, 'd/new'), 'new'),
    'a file becomes a folder': () => {
      rmSync(join(root, 'd/b'))
      mkdirSync(join(root, 'd/b'))
      writeFileSync(join(root, 'd/b/x'), 'xx')
    },
    'a file becomes too large': async () => {
      await set('capture.limit', String(2 * MB))
      writeFileSync(join(root, 'd/c'), 'c'.repeat(3 * MB))
    },
    'its mode changes': () => chmodSync(join(root, 'd/c'), 0o600),
    'the limit is raised': () => set('capture.limit', String(10 * MB)),
    'a file is never stored from now on': () => set('capture.never', '.env'),
    'its stored copies are deleted': () => engine.call('gc.run', { workspace, dryRun: false, never: true }),
    'it changes': () => writeFileSync(join(root, '.env'), 'KEY=2'),
    'it is stored again': () => set('capture.never', ''),
    'a folder is deleted': () => rmSync(join(root, 'd'), { recursive: true }),
    'everything is restored': () => folder.apply({ kind: 'restore', target: before, outside: 'replace' })
  }
  for (const [step, run] of Object.entries(steps)) {
    await run()
    await folder.check()
    const counted = await engine.call('coverage.list', { workspace })
    expect(counted, step).toEqual(folder.store((store) => coverageOf({ store, boundaries: new Set() }, () => false)))
    expect(counted.covered.files, step).toBeGreaterThan(0)
  }
})
