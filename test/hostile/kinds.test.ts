/** [CP-6] [RS-4] A path that changed its kind is restored with everything that was in it. */
import { test } from 'vitest'
import { recordedFolder } from '../support/recorded-folder.ts'
import { expectRoundTrip } from '../support/round-trip.ts'
import { type Content, remove, writeFiles } from '../support/tree.ts'

const KINDS: Record<string, (path: string) => Record<string, Content>> = {
  file: (path) => ({ [path]: `file at ${path}` }),
  link: (path) => ({ [path]: { link: 'elsewhere' } }),
  'link to a folder outside': (path) => ({ [path]: { link: `${'../'.repeat(path.split('/').length)}outside/d` } }),
  folder: (path) => ({ [`${path}/child`]: 'child', [`${path}/sub/deeper`]: 'deeper', [`${path}/empty`]: null }),
  nothing: () => ({})
}

test.each(Object.keys(KINDS))(
  '[B1] [B2] [CP-6] [RS-4] a %s that became any other kind is restored and undone with everything in it',
  async (from) => {
    const others = Object.keys(KINDS).filter((kind) => kind !== from)
    /** In the folder itself and deep in it. */
    const pathsTo = (kind: string): string[] => [`to ${kind}`, `deep/er/to ${kind}`]
    const filesAt = (kind: string, paths: readonly string[]) =>
      Object.assign({}, ...paths.map((path) => KINDS[kind]?.(path))) as Record<string, Content>
    await using folder = await recordedFolder({ files: { ...filesAt(from, others.flatMap(pathsTo)), keep: 'k' } })
    await expectRoundTrip(folder, () => {
      remove(folder.root, ...others.flatMap(pathsTo))
      for (const to of others) writeFiles(folder.root, filesAt(to, pathsTo(to)))
    })
  }
)

test('[CP-6] a file below a folder that became a file is restored with its folder', async () => {
  await using folder = await recordedFolder({ files: { 'a/b/c': 'deep' } })
  await expectRoundTrip(folder, () => {
    remove(folder.root, 'a')
    writeFiles(folder.root, { a: 'a file now' })
  })
})

test.each([
  ['read', false],
  ['watched', true]
])('[CP-6] two trees that swap names, in a folder that is %s', async (_, watch) => {
  await using folder = await recordedFolder({ watch, files: { 'a/x': 'x', 'a/y/z': 'z', b: 'file', c: { link: 'b' } } })
  await expectRoundTrip(folder, () => {
    remove(folder.root, 'a', 'b', 'c')
    writeFiles(folder.root, { 'b/x': 'x', 'b/y/z': 'z', c: 'file', a: { link: 'c' } })
  })
})

test('[CP-6] empty folders are created and removed, alone and nested', async () => {
  await using folder = await recordedFolder({ files: { empty: null, 'a/b/c': null } })
  await expectRoundTrip(folder, () => remove(folder.root, 'empty', 'a/b'))
  await expectRoundTrip(folder, () => writeFiles(folder.root, { 'new/x/y': null, 'a/b/c/d': null }))
})
