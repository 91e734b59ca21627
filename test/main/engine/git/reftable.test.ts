/**
 * Tables of refs that git 2.55 made (test/fixtures/reftable: small blocks, so with indexes; one more table for each later
 * command), tables of our own, and damaged ones.
 */
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { crc32 } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { encodeTable, type TableContent } from '../../../../src/main/engine/git/reftable/encode-table.ts'
import { readTableList, withLiveStack } from '../../../../src/main/engine/git/reftable/live-stack.ts'
import { bufferSource, UnreadableTable } from '../../../../src/main/engine/git/reftable/source.ts'
import { createStack } from '../../../../src/main/engine/git/reftable/stack.ts'
import { openTable } from '../../../../src/main/engine/git/reftable/table.ts'
import { LONG, SEED, scaled } from '../../../support/scale.ts'
import { tempFolder } from '../../../support/tmp.ts'

const FIXTURES = resolve('test/fixtures/reftable')
const linesOf = (file: string): string[] => readFileSync(file, 'utf8').split('\n').filter(Boolean)
const tableOf = (bytes: Buffer) => openTable(bufferSource(bytes))
const oldestOf = (folder: string): Buffer =>
  readFileSync(join(folder, 'reftable', readTableList(folder).toString().split('\n')[0] as string))

describe.each(['sha1', 'sha256'])('tables of a repository with %s', (format) => {
  const folder = join(FIXTURES, format)

  test('[GT-11] all refs are read: in several blocks, deleted, moved, symbolic, annotated, with other letters', () => {
    const refs = withLiveStack(folder, (stack) => stack.refs())
    expect(refs.get('refs/remotes/origin/HEAD')).toBe('ref: refs/remotes/origin/main')
    const listed = linesOf(join(folder, 'refs.txt'))
    const read = [...refs].map(([name, value]) => `${name} ${value}`)
    expect(read.filter((line) => !/^(?:ORIG_HEAD|refs\/remotes\/origin\/HEAD) /.test(line)).sort()).toEqual(
      listed.sort()
    )
  })

  test('[GT-11] one ref is found by the index as in the whole', () => {
    withLiveStack(folder, (stack) => {
      for (const [name, value] of stack.refs()) {
        // Not from the list that the stack has read by now.
        expect(withLiveStack(folder, (fresh) => [name, fresh.ref(name)])).toEqual([name, value])
      }
      expect(['A', 'refs/heads/topic-007', 'refs/heads/topic-0', 'zzz'].map(stack.ref)).toEqual(['', '', '', ''])
    })
  })

  test('[GT-11] reflogs are read in their order, without what was dropped', () => {
    const messages = (name: string): string[] =>
      withLiveStack(folder, (stack) =>
        stack
          .log(name)
          .reverse()
          .map(({ line }) => `${line.split(' ')[1]} ${line.slice(line.indexOf('\t') + 1)}`)
      )
    expect(messages('refs/stash')).toEqual(linesOf(join(folder, 'stash.txt')))
    expect(messages('HEAD')).toEqual(linesOf(join(folder, 'head.txt')))
    expect(withLiveStack(folder, (stack) => stack.log('refs/stash')[0]?.line)).toMatch(/ <a@b> 1700000000 -0330\t/)
    expect(messages('refs/heads/none')).toEqual([])
  })

  test('[GT-11] a table that is cut off anywhere, or whose end is damaged, is not read', () => {
    const bytes = oldestOf(folder)
    for (let length = 0; length < bytes.length; length += LONG ? 1 : 29)
      expect(() => tableOf(bytes.subarray(0, length)).refs()).toThrow(UnreadableTable)
    for (let at = bytes.length - 44; at < bytes.length; at++) {
      const flipped = Buffer.from(bytes)
      flipped[at] = (flipped[at] as number) ^ 4
      expect(() => tableOf(flipped)).toThrow(UnreadableTable)
    }
  })

  test('[GT-11] whatever bit flips, a table is read or refused, and no other error comes', () => {
    const bytes = oldestOf(folder)
    for (let at = 0; at < bytes.length; at += LONG ? 1 : 79) {
      const flipped = Buffer.from(bytes)
      flipped[at] = (flipped[at] as number) ^ (1 << (at % 8))
      try {
        const table = tableOf(flipped)
        table.refs()
        for (const name of ['HEAD', 'refs/stash']) expect([...table.log(name)].length).toBeLessThan(100)
      } catch (error) {
        expect(error).toBeInstanceOf(UnreadableTable)
      }
    }
  })
})

test('[GT-11] a version that is not known, a list that leads elsewhere, and a missing table are refused', () => {
  using temp = tempFolder()
  cpSync(join(FIXTURES, 'sha1'), temp.path, { recursive: true })
  const head = (): string => withLiveStack(temp.path, (stack) => stack.ref('HEAD'))
  const list = readTableList(temp.path)
  expect(head()).toBe('ref: refs/heads/topic-009')
  const oldest = join(temp.path, 'reftable', list.toString().split('\n')[0] as string)
  const bytes = readFileSync(oldest)
  const [newer, footer] = [Buffer.from(bytes), bytes.length - 68]
  newer[4] = 3
  newer[footer + 4] = 3
  newer.writeUInt32BE(crc32(newer.subarray(footer, -4)), bytes.length - 4)
  writeFileSync(oldest, newer)
  expect(() => withLiveStack(temp.path, (stack) => stack.refs())).toThrow(/unknown version 3/)
  rmSync(oldest)
  expect(head).toThrow(/missing/)
  writeFileSync(join(temp.path, 'reftable/tables.list'), '../refs.txt\n')
  expect(head).toThrow(UnreadableTable)
  rmSync(join(temp.path, 'reftable/tables.list'))
  expect(head()).toBe('')
})

const hex = (bytes: number) =>
  fc.uint8Array({ minLength: bytes, maxLength: bytes }).map((id) => Buffer.from(id).toString('hex'))
const name = fc.stringMatching(/^refs\/heads\/[a-zä/0-9]{1,12}$/)
const content = fc.constantFrom(20 as const, 32 as const).chain((idBytes) => {
  const id = hex(idBytes).filter((text) => !/^0+$/.test(text))
  const value = fc.oneof(
    id,
    fc.constant(''),
    name.map((target) => `ref: ${target}`)
  )
  const line = fc
    .tuple(
      id,
      id,
      fc.nat(2 ** 40),
      fc.constantFrom('+0000', '-0530', '+1200'),
      fc.stringMatching(/^[a-z <>:]{0,300}[a-z]$/)
    )
    .map(([from, to, time, zone, text]) => `${from} ${to} A B <a@b> ${time} ${zone}\t${text}`)
  return fc.record({
    idBytes: fc.constant(idBytes),
    index: fc.integer({ min: 1, max: 2 ** 40 }),
    refs: fc.array(fc.tuple(name, value), { maxLength: 40 }).map((refs) => new Map(refs)),
    lines: fc.array(fc.option(line), { maxLength: 20 })
  })
})

test(`[GT-11] ${scaled(15)} tables with random refs and log lines are read as they were written`, () => {
  fc.assert(
    fc.property(content, ({ idBytes, index, refs, lines }) => {
      const logs = lines.map((line, n) => ({ name: 'refs/stash', index: index + n, line }))
      const table = tableOf(encodeTable({ idBytes, index, refs, logs }))
      expect([table.idBytes, table.maxIndex]).toEqual([idBytes, Math.max(index, ...logs.map((log) => log.index))])
      for (const [ref, value] of refs) expect(table.ref(ref)).toBe(value)
      expect(table.refs()).toEqual(new Map([...refs].sort()))
      expect([...table.log('refs/stash')].reverse()).toEqual(logs.map(({ name: _, ...record }) => record))
    }),
    { numRuns: scaled(15), seed: SEED }
  )
})

test('[GT-11] the newest table decides, also that a ref or a line of a log is gone', () => {
  const id = 'a'.repeat(40)
  const line = `${'0'.repeat(40)} ${id} A <a@b> 1 +0000\tfirst`
  const part = (index: number, value: string, logs: TableContent['logs']) =>
    tableOf(encodeTable({ idBytes: 20, index, refs: new Map([['refs/heads/a', value]]), logs }))
  const tables = [
    part(1, id, [{ name: 'refs/stash', index: 1, line }]),
    part(2, '', [{ name: 'refs/stash', index: 1, line: null }]),
    part(3, 'b'.repeat(40), [{ name: 'refs/stash', index: 3, line }])
  ]
  const upTo = (n: number) => createStack(tables.slice(0, n))
  expect([1, 2, 3].map((n) => upTo(n).ref('refs/heads/a'))).toEqual([id, '', 'b'.repeat(40)])
  expect([1, 2, 3].map((n) => [...upTo(n).refs().keys()])).toEqual([['refs/heads/a'], [], ['refs/heads/a']])
  expect(
    [1, 2, 3].map((n) =>
      upTo(n)
        .log('refs/stash')
        .map(({ index }) => index)
    )
  ).toEqual([[1], [], [3]])
  expect(upTo(3).nextIndex).toBe(4)
})
