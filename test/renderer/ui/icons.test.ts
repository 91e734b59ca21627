/** The icons' files. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const ui = join(import.meta.dirname, '../../../src/renderer/ui')
const files = readdirSync(join(ui, 'icons'))

test('every icon file has a name, and every name a file', () => {
  const names = [...readFileSync(join(ui, 'icon-names.ts'), 'utf8').matchAll(/\| '(\w+)'/g)].map(([, name]) => name)
  expect(files.map((file) => file.replace(/\.svg$/, '')).sort()).toEqual(names.sort())
})

test('an icon consists of the shapes that the sprite draws', () => {
  for (const file of files) {
    const source = readFileSync(join(ui, 'icons', file), 'utf8')
    const inner = source.replace(/^<svg [^>]*>|<\/svg>\s*$/g, '')
    expect(inner.replace(/<(path|circle|ellipse|rect) [^>]*\/>/g, '').trim(), file).toBe('')
  }
})
