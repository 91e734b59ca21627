/** The editor's theme takes its colours from the design tokens by name, which no type checks. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const renderer = join(import.meta.dirname, '../../../src/renderer')

test('every colour of the editor theme is a design token', () => {
  const theme = readFileSync(join(renderer, 'features/diff/monaco-theme.ts'), 'utf8')
  const tokens = readFileSync(join(renderer, 'styles/tokens.css'), 'utf8')
  const used = [...theme.matchAll(/token\('([\w-]+)'\)|'(syn-[\w-]+)'/g)].map(([, name, syntax]) => name ?? syntax)
  expect(used.length).toBeGreaterThan(20)
  expect(used.filter((name) => !tokens.includes(`--${name}:`))).toEqual([])
})
