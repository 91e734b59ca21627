/** Who wrote the lines of a large text, page by page. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { BlameLine, BlamePage } from '../../../../src/contract/log.ts'
import { recordedFolder } from '../../../support/recorded-folder.ts'

const COUNT = 120_000
const LINES = Array.from({ length: COUNT }, (_, n) => `${n} ${'some words '.repeat(8)}\n`)

test('[LG-7] a text larger than one answer is blamed in pages that together have each line once, with its writer', async () => {
  await using folder = await recordedFolder({ files: { 'big.txt': LINES.join('') } })
  const edited = LINES.toSpliced(70_000, 1, 'changed\n', 'added\n')
  writeFileSync(join(folder.root, 'big.txt'), edited.join(''))
  await folder.check()

  const lines: BlameLine[] = []
  let pages = 0
  for (let from: number | null = 1; from !== null; pages++) {
    const page: BlamePage = await folder.engine.call('file.blame', {
      workspace: folder.workspace,
      path: 'big.txt',
      from
    })
    expect(page.total).toBe(COUNT + 1)
    expect(page.lines[0]?.n).toBe(from)
    lines.push(...page.lines)
    from = page.next
  }
  expect(pages).toBeGreaterThan(1)
  expect(lines.map(({ n }) => n)).toEqual(edited.map((_, i) => i + 1))
  expect(lines.map(({ text }) => `${text}\n`).join('')).toBe(edited.join(''))
  expect(lines.filter(({ origin }) => origin !== 'baseline').map(({ n, text }) => [n, text])).toEqual([
    [70_001, 'changed'],
    [70_002, 'added']
  ])
})

test('the page after a change has lines of the newest version, and a page beyond the end has none', async () => {
  await using folder = await recordedFolder({ files: { 'big.txt': LINES.join('') } })
  const read = (from: number) =>
    folder.engine.call('file.blame', { workspace: folder.workspace, path: 'big.txt', from })
  const { next } = await read(1)
  const edited = LINES.toSpliced(COUNT - 1, 1, 'last\n')
  writeFileSync(join(folder.root, 'big.txt'), edited.join(''))
  await folder.check()
  expect((await read(COUNT)).lines.map(({ text, origin }) => ({ text, origin }))).toEqual([
    { text: 'last', origin: 'outside' }
  ])
  expect(next).toBeGreaterThan(1)
  expect(await read(COUNT + 1)).toMatchObject({ lines: [], total: COUNT, next: null })
})
