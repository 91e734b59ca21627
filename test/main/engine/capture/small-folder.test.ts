/** Which folders need no process of their own for the initial snapshot. */
import { mkdirSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createIgnoreRules } from '../../../../src/main/engine/capture/ignore-rules.ts'
import { isSmallFolder } from '../../../../src/main/engine/capture/small-folder.ts'
import { scalar } from '../../../../src/main/engine/store/sql.ts'
import { recordedFolder } from '../../../support/recorded-folder.ts'
import { tempFolder } from '../../../support/tmp.ts'
import { writeFiles } from '../../../support/tree.ts'

const SETTINGS = { sizeLimit: 50 * 1024 * 1024, neverStore: [], include: [] }

const manyFiles = (count: number, folder = 'd'): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`${folder}/${i}`, '']))

function isSmall(files: Readonly<Record<string, string>>, boundaries: readonly string[] = [], large?: string): boolean {
  using temp = tempFolder()
  mkdirSync(join(temp.path, '.git'))
  writeFiles(temp.path, files)
  if (large) truncateSync(join(temp.path, large), 5 * 1024 * 1024)
  return isSmallFolder({
    root: temp.path,
    rules: createIgnoreRules(temp.path, SETTINGS),
    boundaries: new Set(boundaries)
  })
}

test.each([
  ['an empty folder is small', () => isSmall({}), true],
  ['a folder with a few files is small', () => isSmall({ a: 'one', 'b/c/d': 'two' }), true],
  ['a folder with a thousand names is small', () => isSmall(manyFiles(998)), true],
  ['a folder with more names is not small', () => isSmall(manyFiles(1000)), false],
  ['a folder with a file of 5 MB is not small', () => isSmall({ a: '', b: '' }, [], 'b'), false],
  [
    'a folder is small whatever an ignored folder in it holds',
    () => isSmall({ '.gitignore': 'deps/\n', ...manyFiles(1200, 'deps') }),
    true
  ],
  [
    'a folder is small whatever a folder in it that is recorded by itself holds',
    () => isSmall(manyFiles(1200, 'app'), ['app']),
    true
  ]
])('%s', (_, small, expected) => {
  expect(small()).toBe(expected)
})

test('the names of an initial snapshot fill the pages of their index', async () => {
  const files = Array.from({ length: 60 }, (_, n) => manyFiles(12, `packages/part-${n}/src/module`))
  await using folder = await recordedFolder({ files: Object.assign({}, ...files) })
  const sql = "SELECT 1.0 * sum(unused) / sum(pgsize) FROM dbstat WHERE name = 'sqlite_autoindex_path_1'"
  expect(folder.store((store) => scalar<number>(store, sql))).toBeLessThan(0.25)
})
