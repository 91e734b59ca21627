/** [CP-6] [RS-4] A path that was one kind of thing and became another goes back with everything that was in it. */
import { test } from 'vitest'
import { backAndForth } from '../support/back-and-forth.ts'
import { recordedFolder } from '../support/recorded.ts'
import { type Content, remove, writeFiles } from '../support/tree.ts'

const KINDS: Record<string, (path: string) => Record<string, Content>> = {
  file: (path) => ({ [path]: `file at ${path}` }),
  link: (path) => ({ [path]: { link: 'elsewhere' } }),
  'link to a folder outside': (path) => ({ [path]: { link: `${'../'.repeat(path.split('/').length)}outside/d` } }),
  folder: (path) => ({ [`${path}/child`]: 'child', [`${path}/sub/deeper`]: 'deeper', [`${path}/empty`]: null }),
  nothing: () => ({})
}
const SWAPS = Object.keys(KINDS).flatMap((from) => Object.keys(KINDS).map((to) => [from, to] as const))

test.each(SWAPS.filter(([from, to]) => from !== to))(
  '[B1] [B2] [CP-6] [RS-4] a %s that became a %s goes back and forth with all in it',
  async (from, to) => {
    const start = { ...(KINDS[from]?.('x') ?? {}), ...(KINDS[from]?.('deep/er/x') ?? {}), keep: 'k' }
    await using folder = await recordedFolder({ files: start })
    await backAndForth(folder, () => {
      remove(folder.root, 'x', 'deep/er/x')
      writeFiles(folder.root, { ...(KINDS[to]?.('x') ?? {}), ...(KINDS[to]?.('deep/er/x') ?? {}) })
    })
  }
)

test('[CP-6] a name that was a file below what became a file is a folder again', async () => {
  await using folder = await recordedFolder({ files: { 'a/b/c': 'deep' } })
  await backAndForth(folder, () => {
    remove(folder.root, 'a')
    writeFiles(folder.root, { a: 'a file now' })
  })
})

test.each([
  ['read', false],
  ['watched', true]
])('[CP-6] names of two trees that trade places, in a folder that is %s', async (_, watch) => {
  await using folder = await recordedFolder({ watch, files: { 'a/x': 'x', 'a/y/z': 'z', b: 'file', c: { link: 'b' } } })
  await backAndForth(folder, () => {
    remove(folder.root, 'a', 'b', 'c')
    writeFiles(folder.root, { 'b/x': 'x', 'b/y/z': 'z', c: 'file', a: { link: 'c' } })
  })
})

test('[CP-6] empty folders come and go, alone and nested', async () => {
  await using folder = await recordedFolder({ files: { empty: null, 'a/b/c': null } })
  await backAndForth(folder, () => remove(folder.root, 'empty', 'a/b'))
  await backAndForth(folder, () => writeFiles(folder.root, { 'new/x/y': null, 'a/b/c/d': null }))
})
