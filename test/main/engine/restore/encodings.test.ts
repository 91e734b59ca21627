/** Text that is not UTF-8 is counted, shown and taken back line by line, and every byte of it stays what it was. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type RecordedFolder, recordedFolder } from '../../../support/recorded-folder.ts'

const wide = (text: string): Buffer => Buffer.from(`\ufeff${text}`, 'utf16le')
const latin = (text: string): Buffer => Buffer.from(text, 'latin1')

/** `word` holds a letter beyond ASCII in each; of UTF-16 also one whose halves look like line feeds. */
const ENCODINGS = [
  ['windows-1252', 'gr\xfcn', latin],
  ['utf-16le', 'grün \u0a0a\u010a', wide],
  ['utf-16be', 'grün \u0a0a\u010a', (text: string) => wide(text).swap16()],
  ['shift_jis', '\x82\xb1\x82\xf1', latin]
] as const

const text = (word: string, changes: Readonly<Record<number, string>> = {}): string =>
  Array.from({ length: 40 }, (_, i) => changes[i] ?? `${word} ${i}\r\n`).join('')

const put = (folder: RecordedFolder, bytes: Buffer): void => writeFileSync(join(folder.root, 'a.txt'), bytes)
const read = (folder: RecordedFolder): Buffer => readFileSync(join(folder.root, 'a.txt'))

const shown = (folder: RecordedFolder, run: string) =>
  folder.engine.call('diff.file', { workspace: folder.workspace, path: 'a.txt', target: run, edits: 'own' })
const listed = async (folder: RecordedFolder, target: string) =>
  (await folder.engine.call('diff.files', { workspace: folder.workspace, target })).files[0]

describe.each(ENCODINGS)('%s', (encoding, word, bytesOf) => {
  const start = bytesOf(text(word))
  const both = bytesOf(text(word, { 3: `${word} first\r\n`, 30: `${word} second\r\nmore\r\n` }))

  test('a run’s lines and changes are counted and shown, with the encoding', async () => {
    await using folder = await recordedFolder({ files: { 'a.txt': start } })
    const run = await folder.run('work', () => put(folder, both))
    expect(await listed(folder, run)).toMatchObject({ kind: 'text', added: 3, deleted: 2, hunks: 2 })
    const diff = await shown(folder, run)
    expect(diff).toMatchObject({ view: 'text', encodings: { before: encoding, after: encoding } })
    const hunks = diff.view === 'text' ? diff.hunks?.map(({ n, newFrom, newTo }) => [n, newFrom, newTo]) : null
    expect(hunks).toEqual([
      [1, 3, 4],
      [2, 30, 32]
    ])
    const { entries } = await folder.engine.call('timeline.list', {
      workspace: folder.workspace,
      limit: 5,
      kinds: ['run']
    })
    expect(entries).toMatchObject([{ added: 3, deleted: 2 }])
  })

  test.each([
    [1, { 30: `${word} second\r\nmore\r\n` }],
    [2, { 3: `${word} first\r\n` }]
  ] as const)('[RS-11] [CP-6] change %d alone is undone to the byte, and undo of that restores it', async (n, rest) => {
    await using folder = await recordedFolder({ files: { 'a.txt': start } })
    const run = await folder.run('work', () => put(folder, both))
    expect((await folder.apply({ kind: 'undo-run', run, hunks: { 'a.txt': [n] } })).state).toBe('done')
    expect(read(folder).equals(bytesOf(text(word, rest)))).toBe(true)
    expect((await folder.apply({ kind: 'undo' })).state).toBe('done')
    expect(read(folder).equals(both)).toBe(true)
  })

  test('[RS-11] [CP-6] a person’s lines stay when the run is undone with a merge, and blame reads them', async () => {
    await using folder = await recordedFolder({ files: { 'a.txt': start } })
    const run = await folder.run('work', () => put(folder, both))
    put(
      folder,
      bytesOf(text(word, { 3: `${word} first\r\n`, 15: `${word} mine\r\n`, 30: `${word} second\r\nmore\r\n` }))
    )
    await folder.check()
    expect((await folder.apply({ kind: 'undo-run', run, onConflict: 'merge' })).state).toBe('done')
    expect(read(folder).equals(bytesOf(text(word, { 15: `${word} mine\r\n` })))).toBe(true)
    const { lines } = await folder.engine.call('file.blame', { workspace: folder.workspace, path: 'a.txt' })
    const letters = encoding === 'shift_jis' ? 'こん' : word
    expect([lines.length, lines[15]?.text, lines[15]?.origin]).toEqual([40, `${letters} mine`, 'outside'])
    const { hits } = await folder.engine.call('search.run', {
      workspace: folder.workspace,
      text: `${letters} mine`,
      limit: 5
    })
    expect(hits.map((hit) => hit.text)).toContain(`+ ${letters} mine`)
  })

  test('[B25] the patch is one that git takes; to be read it has the letters and names the encoding', async () => {
    await using folder = await recordedFolder({ files: { 'a.txt': start } })
    const run = await folder.run('work', () => put(folder, both))
    const patch = (use?: 'reading') =>
      folder.engine.call('diff.patch', { workspace: folder.workspace, target: run, ...(use ? { use } : {}) })
    expect((await patch()).patch).toContain('GIT binary patch')
    const letters = encoding === 'shift_jis' ? 'こん' : word
    const name = { 'windows-1252': 'Windows-1252 (guess)', shift_jis: 'Shift-JIS (guess)' }[encoding as string]
    const { patch: readable } = await patch('reading')
    for (const line of [
      `encoding ${name ?? encoding.replace('utf-16', 'UTF-16 ').toUpperCase()}`,
      `-${letters} 3\r`,
      `+${letters} first\r`
    ])
      expect(readable.split('\n')).toContain(line)
    expect(readable.match(/^@@/gm)).toHaveLength(2)
  })
})

test('[RS-11] text that changed to or from UTF-16 can be undone as a whole only, with a clear error', async () => {
  const plain = Buffer.from(text('plain'))
  await using folder = await recordedFolder({ files: { 'a.txt': plain } })
  const run = await folder.run('rewritten by a shell', () => put(folder, wide(text('plain', { 3: 'changed\r\n' }))))
  expect(await shown(folder, run)).toMatchObject({
    view: 'text',
    encodings: { before: 'utf8', after: 'utf-16le' },
    beforeText: text('plain'),
    afterText: text('plain', { 3: 'changed\r\n' }),
    hunks: []
  })
  await expect(folder.plan({ kind: 'undo-run', run, hunks: { 'a.txt': [1] } })).rejects.toMatchObject({
    code: 'UnknownTarget',
    message: expect.stringContaining('no change 1 that can be undone separately')
  })
  put(folder, wide(text('plain', { 3: 'changed\r\n', 30: 'mine\r\n' })))
  await folder.check()
  expect((await folder.plan({ kind: 'undo-run', run })).conflicts).toMatchObject([
    { choices: ['keep', 'replace'], mergeable: false }
  ])
  await folder.apply({ kind: 'undo-run', run, onConflict: 'replace' })
  expect(read(folder).equals(plain)).toBe(true)
})

test('[RS-11] characters that an agent broke return hunk by hunk, and its other edits stay', async () => {
  const word = 'gr\xfcn'
  const before = latin(text('plain', { 3: `${word}\r\n`, 20: 'if () {}\r\n', 35: `${word}\r\n` }))
  const after = Buffer.from(text('plain', { 3: 'gr\ufffdn\r\n', 20: 'if (ok) {}\r\n', 35: 'gr\ufffdn\r\n' }))
  await using folder = await recordedFolder({ files: { 'a.txt': before } })
  const run = await folder.run('read as UTF-8, written as UTF-8', () => put(folder, after))
  expect(await shown(folder, run)).toMatchObject({ encodings: { before: 'windows-1252', after: 'utf8' } })
  for (const n of [1, 3]) await folder.apply({ kind: 'undo-run', run, hunks: { 'a.txt': [n] } })
  expect(read(folder).equals(latin(text('plain', { 3: `${word}\r\n`, 20: 'if (ok) {}\r\n', 35: `${word}\r\n` })))).toBe(
    true
  )
})

test('[RS-11] no merge is offered that would leave a file in two encodings', async () => {
  const before = latin(text('plain', { 3: 'gr\xfcn\r\n' }))
  await using folder = await recordedFolder({ files: { 'a.txt': before } })
  const run = await folder.run('to UTF-8', () => put(folder, Buffer.from(text('plain', { 3: 'grün\r\n' }))))
  put(folder, Buffer.from(text('plain', { 3: 'grün\r\n', 20: 'blüht\r\n' })))
  await folder.check()
  expect((await folder.plan({ kind: 'undo-run', run })).conflicts).toMatchObject([{ choices: ['keep', 'replace'] }])
})
