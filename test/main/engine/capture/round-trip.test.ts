/** [CP-6] Everything a folder can hold comes back exactly: after a run changed or deleted it, and after that is undone again. */
import { chmodSync, chownSync, lstatSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Recorded, recordedFolder } from '../../../support/recorded.ts'
import { type Content, remove, writeFiles } from '../../../support/tree.ts'

/** Takes the run back, undoes that and does it again; every time the tree must be exactly the one it was. */
async function backAndForth(folder: Recorded, work: () => void): Promise<void> {
  const before = folder.tree()
  const run = await folder.run('work', work)
  const after = folder.tree()
  expect(after).not.toEqual(before)
  for (const act of [
    { kind: 'restore', target: run },
    { kind: 'undo' },
    { kind: 'redo' },
    { kind: 'undo' },
    { kind: 'undo-run', run },
    { kind: 'undo' }
  ] as const) {
    const result = await folder.apply(act)
    expect(
      result.items.filter((item) => item.result !== 'done'),
      act.kind
    ).toEqual([])
    expect(result.state, act.kind).toBe('done')
    expect(folder.tree(), act.kind).toEqual(act.kind === 'undo' ? after : before)
  }
  const { drift } = await folder.engine.call('drift.list', { workspace: folder.workspace, check: true })
  expect(drift, '[DR-3] our own writes are never drift').toEqual([])
  expect((await folder.engine.call('doctor.run', { deep: true })).problems).toEqual([])
}

const LONG = 'n'.repeat(255)
const DEEP = Array.from({ length: 150 }, (_, i) => `d${i}`).join('/')
const CONTENTS: Record<string, Content> = {
  text: 'one\ntwo\n',
  crlf: 'one\r\ntwo\r\n',
  mixed: 'one\r\ntwo\nthree\r',
  'no newline': 'last line without its end',
  empty: '',
  bom: Buffer.from([0xef, 0xbb, 0xbf, 0x61]),
  utf16: Buffer.from('\ufeffhé\n', 'utf16le'),
  latin1: Buffer.from([0x63, 0x61, 0x66, 0xe9, 0x0a]),
  'all bytes': Buffer.from(Array.from({ length: 256 }, (_, i) => i)),
  nul: Buffer.alloc(5000),
  'one piece': Buffer.alloc(1 << 20, 'ab'),
  'more than one piece': Buffer.alloc((1 << 20) + 1, 'cd'),
  'several pieces': Buffer.alloc(3_500_000, 'random-ish \x01\x02')
}
const NAMES = [
  'a space',
  ' leading',
  'trailing ',
  'new\nline',
  'tab\there',
  'quote"s',
  "it's",
  'back\\slash',
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
  ';',
  '|',
  '<>',
  '&',
  '...',
  '.hidden',
  '..x',
  'é',
  'e\u0301',
  '日本語',
  '🙂',
  '\u202egnp.exe',
  '\x1b[31mred',
  'CON',
  'aux.txt',
  'Foo',
  'foo',
  'git',
  '.gitfoo',
  '.driftline',
  'driftline-x',
  LONG
] // prettier-ignore
const MODES = [0o644, 0o755, 0o600, 0o400, 0o000, 0o777, 0o4755, 0o2755, 0o1644]

test.each(Object.keys(CONTENTS))(
  '[CP-6] the bytes of %j come back when it was changed and when it was deleted',
  async (name) => {
    await using folder = await recordedFolder({ files: { [name]: CONTENTS[name] as Content, other: 'x' } })
    await backAndForth(folder, () => writeFileSync(join(folder.root, name), 'changed'))
    await backAndForth(folder, () => remove(folder.root, name))
  }
)

test('[CP-6] every odd name comes back, as a file, a folder and a link, changed, deleted and made', async () => {
  const files: Record<string, Content> = {}
  for (const name of NAMES) {
    files[`files/${name}`] = `content of ${name}`
    files[`folders/${name}/inside`] = name
    files[`links/${name}`] = { link: name }
  }
  await using folder = await recordedFolder({ files })
  await backAndForth(folder, () => {
    for (const [i, name] of NAMES.entries()) {
      if (i % 2 === 0) remove(folder.root, `files/${name}`, `folders/${name}`, `links/${name}`)
      else writeFiles(folder.root, { [`files/${name}`]: 'changed', [`folders/${name}/${name}`]: 'made' })
    }
  })
  await backAndForth(folder, () => remove(folder.root, 'files', 'folders', 'links'))
})

test('[CP-6] permission bits come back: private, executable, none, set-user-id, sticky', async () => {
  const files = Object.fromEntries(MODES.map((mode) => [`f${mode.toString(8)}`, { bytes: 'x', mode }]))
  await using folder = await recordedFolder({ files: { ...files, d700: null, d1777: null, d2775: null } })
  for (const [name, mode] of [
    ['d700', 0o700],
    ['d1777', 0o1777],
    ['d2775', 0o2775]
  ] as const)
    chmodSync(join(folder.root, name), mode)
  await folder.check()
  await backAndForth(folder, () => {
    for (const name of Object.keys(folder.tree())) chmodSync(join(folder.root, name), 0o711)
  })
  await backAndForth(folder, () => {
    for (const name of Object.keys(files)) {
      chmodSync(join(folder.root, name), 0o600)
      writeFileSync(join(folder.root, name), 'written')
    }
  })
  await backAndForth(folder, () => remove(folder.root, ...Object.keys(folder.tree())))
})

test('[CP-6] what is made inside a set-group-id folder has its own recorded mode, not an inherited one', async () => {
  await using folder = await recordedFolder({ files: { 'shared/sub/x': 'x' } })
  chmodSync(join(folder.root, 'shared'), 0o2775)
  await folder.check()
  await backAndForth(folder, () => remove(folder.root, 'shared/sub'))
})

test('[CP-6] links come back as links: relative, absolute, dangling, to a folder, to themselves, to odd targets', async () => {
  const links = {
    relative: { link: 'target' },
    absolute: { link: '/etc/passwd' },
    dangling: { link: 'no/such/thing' },
    folder: { link: 'dir' },
    self: { link: 'self' },
    up: { link: '../..' },
    odd: { link: 'a b\n"c"' },
    long: { link: 'x'.repeat(4000) }
  }
  await using folder = await recordedFolder({ files: { target: 't', 'dir/x': 'x', ...links } })
  await backAndForth(folder, () => remove(folder.root, ...Object.keys(links)))
  await backAndForth(folder, () => {
    for (const name of Object.keys(links)) {
      remove(folder.root, name)
      writeFiles(folder.root, { [name]: { link: 'dir' } })
    }
  })
})

test('[CP-6] empty folders come and go, alone and nested', async () => {
  await using folder = await recordedFolder({ files: { empty: null, 'a/b/c': null } })
  await backAndForth(folder, () => remove(folder.root, 'empty', 'a/b'))
  await backAndForth(folder, () => writeFiles(folder.root, { 'new/x/y': null, 'a/b/c/d': null }))
})

const KINDS: Record<string, (path: string) => Record<string, Content>> = {
  file: (path) => ({ [path]: `file at ${path}` }),
  link: (path) => ({ [path]: { link: 'elsewhere' } }),
  folder: (path) => ({ [`${path}/child`]: 'child', [`${path}/sub/deeper`]: 'deeper', [`${path}/empty`]: null }),
  nothing: () => ({})
}
const SWAPS = Object.keys(KINDS).flatMap((from) => Object.keys(KINDS).map((to) => [from, to] as const))

test.each(SWAPS.filter(([from, to]) => from !== to))(
  '[CP-6] [RS-4] a %s that became a %s goes back and forth with all in it',
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

test('[CP-6] a deep path comes back', async () => {
  await using folder = await recordedFolder({ files: { [`${DEEP}/leaf`]: 'leaf' } })
  await backAndForth(folder, () => remove(folder.root, 'd0'))
})

test('[CP-6] a thousand files come back, changed and deleted', async () => {
  const files = Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`d${i % 37}/f${i}`, `content ${i}\n`]))
  await using folder = await recordedFolder({ files })
  const before = folder.tree()
  const run = await folder.run('all', () => {
    for (const [i, path] of Object.keys(files).entries()) {
      if (i % 3 === 0) remove(folder.root, path)
      else writeFileSync(join(folder.root, path), `changed ${i}\n`)
    }
  })
  const after = folder.tree()
  expect((await folder.apply({ kind: 'undo-run', run })).state).toBe('done')
  expect(folder.tree()).toEqual(before)
  expect((await folder.apply({ kind: 'undo' })).state).toBe('done')
  expect(folder.tree()).toEqual(after)
}, 60_000)

test('[CP-6] a case-only rename goes back', async () => {
  await using folder = await recordedFolder({ files: { Foo: 'x' } })
  await backAndForth(folder, () => {
    remove(folder.root, 'Foo')
    writeFiles(folder.root, { foo: 'x' })
  })
})

test.runIf(process.getuid?.() === 0)(
  '[RS-4] as root, what is restored keeps the owner of what it replaces, or of its folder',
  async () => {
    await using folder = await recordedFolder({
      files: { 'd/file': 'one', 'd/gone': 'g', 'd/sub/x': 'x', 'd/link': { link: 'file' } }
    })
    for (const name of ['d', 'd/file', 'd/gone', 'd/sub', 'd/sub/x']) chownSync(join(folder.root, name), 1234, 1235)
    const run = await folder.run('edit', () => {
      writeFileSync(join(folder.root, 'd/file'), 'two')
      remove(folder.root, 'd/gone', 'd/sub', 'd/link')
    })
    expect((await folder.apply({ kind: 'undo-run', run })).state).toBe('done')
    for (const name of ['d/file', 'd/gone', 'd/sub', 'd/sub/x', 'd/link']) {
      const { uid, gid } = lstatSync(join(folder.root, name))
      expect([name, uid, gid]).toEqual([name, 1234, 1235])
    }
  }
)

test('[CP-6] names of ours (.driftline-*) are not recorded and not touched', async () => {
  await using folder = await recordedFolder({ files: { '.driftline-x': 'theirs', a: 'one' } })
  const run = await folder.run('edit', () => writeFiles(folder.root, { '.driftline-x': 'changed', a: 'two' }))
  expect((await folder.apply({ kind: 'undo-run', run })).items.map((item) => item.path)).toEqual(['a'])
  expect(folder.tree()['.driftline-x']).toBe(`file 644 ${Buffer.from('changed').toString('base64')}`)
})

test('[CP-6] a folder that is unwritable for its owner is filled again and gets its mode back', async () => {
  await using folder = await recordedFolder({ files: { 'ro/a': 'a', 'ro/sub/b': 'b' } })
  chmodSync(join(folder.root, 'ro/sub'), 0o555)
  chmodSync(join(folder.root, 'ro'), 0o555)
  await folder.check()
  await backAndForth(folder, () => {
    chmodSync(join(folder.root, 'ro'), 0o755)
    remove(folder.root, 'ro')
    mkdirSync(join(folder.root, 'ro'), 0o700)
  })
})
