/** The words of docs/glossary.md: none of the banned ones is in names, comments, documents or test titles. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { BANNED_NAMES, BANNED_PHRASES, identifiersOf, PUBLIC_KEYS, titlesOf } from '../scripts/language.ts'
import { ROOT } from '../scripts/structure.ts'

interface TextFile {
  readonly path: string
  readonly text: string
}

const read = (path: string): TextFile => ({ path, text: readFileSync(join(ROOT, path), 'utf8') })

function filesIn(folder: string, pattern: RegExp): TextFile[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .map((path) => `${folder}/${path.replaceAll('\\', '/')}`)
    .filter((path) => pattern.test(path))
    .sort()
    .map(read)
}

/** A few files have one at all: only those are read line by line, or parsed. */
const hasPhrase = (text: string): boolean => text.search(BANNED_PHRASES) >= 0

/** The same of names, outside comments: in a text, another word than those of a declaration follows. */
const COMMENTS = /^\s*(\/\*[\s\S]*?\*\/|\/\/.*$)/gm
const BANNED_NAME = new RegExp(`\\b(${[...BANNED_NAMES].join('|')})\\b(?! (?!(of|in|extends|implements)\\b)[a-z])`)

/** Every banned phrase with its line, so that a failure says where. */
function bannedIn({ path, text }: TextFile): string[] {
  if (!hasPhrase(text)) return []
  return text
    .split('\n')
    .flatMap((line, i) => [...line.matchAll(BANNED_PHRASES)].map(([phrase]) => `${path}:${i + 1}: ${phrase}`))
}

/** The glossary names the banned words itself, in the last column of its tables. */
function withoutBannedColumn(text: string): string {
  return text.replace(/^(\|.*\|)[^|\n]*\|$/gm, '$1')
}

const SOURCES = filesIn('src', /\.tsx?$/)
const DOCS = [
  ...filesIn('docs', /\.md$/),
  ...readdirSync(ROOT)
    .filter((name) => name.endsWith('.md'))
    .map(read)
]
const TESTS = filesIn('test', /\.test\.tsx?$/)

describe('no banned word', () => {
  test('is the name of anything in src', () => {
    const suspects = SOURCES.filter(({ text }) => BANNED_NAME.test(text.replace(COMMENTS, '')))
    const found = suspects.flatMap(({ path, text }) =>
      identifiersOf(path, text)
        .filter((name) => BANNED_NAMES.has(name) && !PUBLIC_KEYS.has(name))
        .map((name) => `${path}: ${name}`)
    )
    expect(found).toEqual([])
  })

  test('is in a comment or text of src', () => {
    expect(SOURCES.flatMap(bannedIn)).toEqual([])
  })

  test('is in a document', () => {
    const found = DOCS.flatMap(({ path, text }) =>
      bannedIn({ path, text: path === 'docs/glossary.md' ? withoutBannedColumn(text) : text })
    )
    expect(found).toEqual([])
  })

  test('is in the title of a test', () => {
    // A title is part of the text, but for the backslashes before its quotes.
    const suspects = TESTS.filter(({ text }) => hasPhrase(text.replaceAll('\\', '')))
    const found = suspects.flatMap(({ path, text }) =>
      titlesOf(path, text).flatMap((title) =>
        [...title.matchAll(BANNED_PHRASES)].map(([phrase]) => `${path}: ${phrase} in "${title}"`)
      )
    )
    expect(found).toEqual([])
  })
})
