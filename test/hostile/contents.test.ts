/** [CP-6] Content of every kind is restored byte for byte: line endings, encodings, binary, empty, large. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { recordedFolder } from '../support/recorded-folder.ts'
import { expectRoundTrip } from '../support/round-trip.ts'
import { type Content, remove, writeFiles } from '../support/tree.ts'

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
  'several pieces': Buffer.alloc(2_100_000, 'random-ish \x01\x02'),
  'a patch': '--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n\\ No newline at end of file\n',
  'conflict marks': '<<<<<<< ours\na\n=======\nb\n>>>>>>> theirs\n',
  'one long line': 'x'.repeat(300_000)
}

test('[CP-6] the bytes of each kind of content are restored after a change and after a deletion', async () => {
  const names = Object.keys(CONTENTS)
  await using folder = await recordedFolder({ files: { ...CONTENTS, other: 'x' } })
  await expectRoundTrip(folder, () => {
    for (const name of names) writeFileSync(join(folder.root, name), 'changed')
  })
  await expectRoundTrip(folder, () => remove(folder.root, ...names))
})

test('[CP-6] one file has every kind of content in turn, and each version is restored', async () => {
  await using folder = await recordedFolder({ files: { a: 'start' } })
  const states: { readonly run: string; readonly before: Record<string, string> }[] = []
  for (const [name, content] of Object.entries(CONTENTS)) {
    const before = folder.tree()
    const run = await folder.run(name, () => writeFiles(folder.root, { a: content }))
    states.push({ run, before })
  }
  for (const { run, before } of [...states].reverse()) {
    expect((await folder.apply({ kind: 'restore', target: run })).state).toBe('done')
    expect(folder.tree()).toEqual(before)
  }
})
