/** docs/holes.md is true: each promise has a test with its number in the named file, and each number in a test is listed. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = resolve(import.meta.dirname, '../..')
const NUMBER = /[ABC]\d+/

interface Line {
  readonly id: string
  readonly promise: string
  readonly where: string
}

const lines: Line[] = readFileSync(join(ROOT, 'docs/holes.md'), 'utf8')
  .split('\n')
  .filter((line) => new RegExp(`^\\| ${NUMBER.source} \\|`).test(line))
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .map(([, id = '', promise = '', where = '']) => ({ id, promise, where }))

/** Numbers in test titles: in brackets inside a string. */
function numbersIn(file: string): string[] {
  const titles = readFileSync(join(ROOT, file), 'utf8').match(/['`](?:\[[^\]]+\] ?)+/g) ?? []
  return titles.flatMap((title) => [...title.matchAll(/\[([^\]]+)\]/g)].map((found) => found[1] as string))
}

test('every line has its own promise, and a test or a reason', () => {
  expect(lines.length).toBeGreaterThan(55)
  expect(lines.filter(({ promise, where }) => promise === '' || where === '')).toEqual([])
  expect(new Set(lines.map((line) => line.id)).size).toBe(lines.length)
})

test.each(lines.filter((line) => !line.where.startsWith('—')))('$id is tested in $where', ({ id, where }) => {
  expect(existsSync(join(ROOT, where))).toBe(true)
  expect(numbersIn(where)).toContain(id)
})

test('every number in a test title is in the table', () => {
  const known = new Set(lines.map((line) => line.id))
  const files = (readdirSync(join(ROOT, 'test'), { recursive: true }) as string[])
    .map((file) => `test/${file}`)
    .filter((file) => file.endsWith('.test.ts'))
  const unknown = files.flatMap((file) =>
    numbersIn(file)
      .filter((id) => new RegExp(`^${NUMBER.source}$`).test(id) && !known.has(id))
      .map((id) => `${file}: ${id}`)
  )
  expect(unknown).toEqual([])
})
