/** The rules of the stylesheets (CONTRIBUTING.md): one home for each class, cascade layers, five sizes of type. */
import { dirname } from 'node:path'
import { expect, test } from 'vitest'
import { readSources } from '../scripts/structure.ts'
import { homesOfClasses, readStylesheets } from '../scripts/styles.ts'

const FEATURES = 'src/renderer/features/'
/** Styles the elements that Monaco makes. */
const MONACO = 'src/renderer/features/diff/monaco.css'

const sheets = readStylesheets()
const pages = readSources().filter(({ path }) => path.startsWith('src/renderer/'))

/** The words in the strings of a file: every class it gives to an element, and more. */
const stringsOf = (text: string): string[] =>
  (text.match(/'[^'\n]*'|"[^"\n]*"|`[^`]*`/g) ?? []).flatMap((quoted) => quoted.match(/[a-zA-Z][\w-]*/g) ?? [])

/** The values of `className` in a file, as words. */
function classNamesOf(text: string): Set<string> {
  const values = text.matchAll(/className=(?:"([^"]*)"|\{((?:[^{}]|\{[^{}]*\})*)\})/g)
  return new Set([...values].flatMap(([, plain = '', code = '']) => `${plain} ${code}`.match(/[a-zA-Z][\w-]*/g) ?? []))
}

test('a class is styled in one file', () => {
  const shared = [...homesOfClasses(sheets.filter(({ path }) => path !== MONACO))].filter(
    ([, files]) => files.length > 1
  )
  expect(shared.map(([name, files]) => `.${name}: ${files.join(', ')}`)).toEqual([])
})

test('a class styled by a feature is used by that feature alone', () => {
  const strays = sheets
    .filter(({ path }) => path.startsWith(FEATURES))
    .flatMap(({ path, classes }) =>
      pages
        .filter((page) => !page.path.startsWith(`${dirname(path)}/`))
        .flatMap((page) => {
          const used = classNamesOf(page.text)
          return [...classes].filter((name) => used.has(name)).map((name) => `.${name} of ${path} in ${page.path}`)
        })
    )
  expect(strays).toEqual([])
})

test('every styled class is used', () => {
  const used = new Set(pages.flatMap(({ text }) => stringsOf(text)))
  const idle = sheets
    .filter(({ path }) => path !== MONACO)
    .flatMap(({ path, classes }) => [...classes].filter((name) => !used.has(name)).map((name) => `.${name} of ${path}`))
  expect(idle).toEqual([])
})

test('every rule is in a layer: features in "features", shared styles below it', () => {
  const outside = sheets.filter(({ path, layers }) => {
    if (path === MONACO) return layers.length > 0
    const own = layers.filter((layer) => layer !== 'states')
    if (path.endsWith('/index.css')) return own.length > 0
    return own.length !== 1 || (own[0] === 'features') !== path.startsWith(FEATURES)
  })
  expect(outside.map(({ path }) => path)).toEqual([])
})

test('sizes of type are the five of tokens.css; only letters in marks are smaller', () => {
  const sizes = sheets
    .filter(({ path }) => !path.endsWith('/badges.css'))
    .flatMap(({ path, text }) =>
      [...text.matchAll(/(?:font|font-size): ([^;]*);/g)]
        .filter(([, value = '']) => /\d(?:px|em|rem|%)/.test(value.replace(/ \/ \d+px/, '')))
        .map(([rule]) => `${path}: ${rule}`)
    )
  expect(sizes).toEqual([])
})
