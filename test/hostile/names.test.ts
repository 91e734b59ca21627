/** [CP-6] Unusual names: control and bidirectional characters, quotes, dashes, NFC beside NFD, 255 bytes. */
import { expect, test } from 'vitest'
import { isRefusedByGit } from '../../src/main/engine/diff/git-format.ts'
import { recordedFolder } from '../support/recorded-folder.ts'
import { expectIntact, expectRoundTrip } from '../support/round-trip.ts'
import { LONG } from '../support/scale.ts'
import { type Content, fileOf, remove, writeFiles } from '../support/tree.ts'

const LONGEST = 'n'.repeat(255)
const NAMES = [
  'a space',
  ' leading',
  'trailing ',
  'new\nline',
  '\n',
  'car\rriage',
  'tab\there',
  'quote"s',
  "it's",
  'back\\slash',
  'ends\\',
  '-rf',
  '--',
  '~',
  '$HOME',
  '`id`',
  '*',
  '?',
  '[x]',
  '{a,b}',
  '#!',
  '%00',
  ':',
  ':(glob)x',
  ';',
  '|',
  '<>',
  '&',
  '...',
  '.hidden',
  '..x',
  'é',
  'e\u0301',
  'Å',
  'A\u030a',
  '\u212b',
  '日本語',
  '🙂',
  '\u202egnp.exe',
  '\u2066isolate',
  'zero\u200bwidth',
  '\ufeffbom',
  '\x1b[31mred',
  '\x7f',
  '\x01',
  'CON',
  'aux.txt',
  'dot.',
  'Foo',
  'foo',
  'FOO',
  'ß',
  'ẞ',
  'git',
  '.gitfoo',
  'git~1',
  '.gitmodules',
  'gitmod~1',
  '.driftline',
  'driftline-x',
  '__proto__',
  'constructor',
  'a/b'.replace('/', '\u2215'),
  LONGEST,
  'é'.repeat(127)
]

const notInPatch = (path: string): boolean => isRefusedByGit(path, path.startsWith('links/') ? 'symlink' : 'file')

/** Each name as a file, a folder and a link; in the usual form as one of them. */
function oddFiles(): Record<string, Content> {
  const files: Record<string, Content> = {}
  for (const [i, name] of NAMES.entries()) {
    const is = (kind: number): boolean => LONG || i % 3 === kind
    if (is(0)) files[`files/${name}`] = `content of ${name}`
    if (is(1)) files[`folders/${name}/inside`] = name
    if (is(2)) files[`links/${name}`] = { link: name }
  }
  return files
}

function changeHalf(root: string): void {
  for (const [i, name] of NAMES.entries()) {
    if (i % 2 === 0) remove(root, `files/${name}`, `folders/${name}`, `links/${name}`)
    else writeFiles(root, { [`files/${name}`]: 'changed', [`folders/${name}/${name}`]: 'made' })
  }
}

test('[CP-6] every odd name is restored in every way, as a file, a folder and a link', async () => {
  await using folder = await recordedFolder({ files: oddFiles() })
  await expectRoundTrip(folder, () => remove(folder.root, 'files', 'folders', 'links'), { notInPatch })
  // In the usual form only where it is watched.
  if (LONG) await expectRoundTrip(folder, () => changeHalf(folder.root), { notInPatch })
})

test('[CP-6] every odd name is restored in a folder that is watched', async () => {
  await using folder = await recordedFolder({ files: oddFiles(), watch: true })
  const before = folder.tree()
  const run = await folder.run('work', () => changeHalf(folder.root))
  expect((await folder.apply({ kind: 'undo-run', run })).state).toBe('done')
  expect(folder.tree()).toEqual(before)
  await expectIntact(folder)
})

test('[CP-6] names that differ only by case or Unicode composition are different names', async () => {
  const alike = [
    ['Foo', 'foo', 'FOO'],
    ['é', 'e\u0301'],
    ['Å', 'A\u030a', '\u212b'],
    ['ﬁ', 'fi']
  ]
  const files = Object.fromEntries(
    alike.flat().flatMap((name) => [
      [name, name],
      [`d-${name}/x`, name]
    ])
  )
  await using folder = await recordedFolder({ files })
  // A file system that folds case or composition has fewer of them; those must be restored, too.
  const existing = Object.keys(folder.tree())
  for (const nth of [0, 1, 2]) {
    // One of each kind goes while those like it stay.
    const names = alike.flatMap((kind) => kind.slice(nth, nth + 1)).flatMap((name) => [name, `d-${name}`])
    await expectRoundTrip(folder, () => {
      remove(folder.root, ...names.filter((name) => existing.includes(name)))
      writeFiles(folder.root, { 'something else': names.join() })
    })
    await folder.apply({ kind: 'restore', target: 'seq:0', outside: 'replace' })
  }
  expect(Object.keys(folder.tree())).toEqual(existing)
})

test('[B22] [CP-6] a case-only rename is undone', async () => {
  await using folder = await recordedFolder({ files: { Foo: 'x', 'Dir/a': 'a', 'Dir/B': 'b' } })
  await expectRoundTrip(folder, () => {
    remove(folder.root, 'Foo', 'Dir')
    writeFiles(folder.root, { foo: 'x', 'dir/A': 'a', 'dir/b': 'b' })
  })
})

test('[CP-6] [UI-1] a name that only begins like our temporary files is recorded and restored; such a file itself is not touched', async () => {
  const ours = '.driftline-rst_0123456789ab-1.new'
  await using folder = await recordedFolder({ files: { '.driftline-notes': 'theirs', [ours]: 'ours', a: 'one' } })
  const run = await folder.run('edit', () => writeFiles(folder.root, { '.driftline-notes': 'changed', [ours]: 'left' }))
  expect((await folder.apply({ kind: 'undo-run', run })).items.map((item) => item.path)).toEqual(['.driftline-notes'])
  const { '.driftline-notes': notes, [ours]: left } = folder.tree()
  expect([notes, left]).toEqual([fileOf('theirs'), fileOf('left')])
})
