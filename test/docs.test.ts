/** Promises of the docs: what they point at exists. A link, a path, a script or a command that moved is found here. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { NAMED_EVENTS } from '../src/contract/events.ts'
import { SETTING_KEYS } from '../src/contract/settings.ts'
import { COMMANDS } from '../src/main/cli/commands.ts'

const ROOT = resolve(import.meta.dirname, '..')
const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  readonly scripts: Readonly<Record<string, string>>
}

const pages = [
  ...readdirSync(ROOT).filter((name) => name.endsWith('.md')),
  ...readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name))
].map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }))

/** Anchor of a heading, as GitHub makes it. */
const anchorOf = (heading: string): string =>
  heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-')

/** Names of settings, and of the events that look like them. */
const DOTTED_NAMES: ReadonlySet<string> = new Set([...SETTING_KEYS, ...Object.keys(NAMED_EVENTS)])
const GROUPS = new Set(SETTING_KEYS.flatMap((key) => /^[^.]+(?=\.)/.exec(key) ?? []))
/** A setting as docs name it: `capture.limit`; `git.db` is a file. */
const SETTING_NAME = new RegExp(`\`((?:${[...GROUPS].join('|')})\\.(?!db\`)[a-z][a-zA-Z.-]*)\``, 'g')

describe.each(pages)('$path', ({ path, text }) => {
  const prose = text.replace(/```[\s\S]*?```/g, '')

  test('every setting exists', () => {
    const named = [...text.matchAll(SETTING_NAME)].map(([, key = '']) => key)
    expect(named.filter((key) => !DOTTED_NAMES.has(key))).toEqual([])
  })

  test('every link leads to a file, and every anchor to a heading', () => {
    const broken = [...prose.matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, link = '']) => {
      if (/^[a-z]+:/.test(link)) return []
      const [file = '', anchor = ''] = link.split('#')
      const target = file === '' ? join(ROOT, path) : resolve(ROOT, dirname(path), file)
      if (!existsSync(target)) return [`${link}: no such file`]
      if (anchor === '') return []
      const anchors = [...readFileSync(target, 'utf8').matchAll(/^#+\s+(.*)$/gm)].map(([, heading = '']) =>
        anchorOf(heading)
      )
      return anchors.includes(anchor) ? [] : [`${link}: no such heading`]
    })
    expect(broken).toEqual([])
  })

  test('every script it names is in package.json', () => {
    const named = [...text.matchAll(/npm (?:run )?([a-z][\w:-]*)/g)].flatMap(([whole, name = '']) =>
      whole.startsWith('npm run ') || ['test', 'start'].includes(name) ? [name] : []
    )
    expect(named.filter((name) => !(name in manifest.scripts))).toEqual([])
  })

  test('every path of the project it names exists', () => {
    const named = [...prose.matchAll(/`((?:src|test|scripts|bench|packaging|docs|bin)\/[\w./-]+)`/g)].map(
      ([, name = '']) => name
    )
    expect(named.filter((name) => !existsSync(join(ROOT, name)))).toEqual([])
  })

  test('every driftline command it shows exists', () => {
    const known = new Set(COMMANDS.map(({ name }) => name))
    const named = [...text.matchAll(/(?:^|`)(?:\.\/bin\/)?driftline ([a-z][a-z-]*)/gm)].map(([, name = '']) => name)
    expect(named.filter((name) => !known.has(name))).toEqual([])
  })
})

/** `engine/` is `src/main/engine/`; what begins with another folder of `src` is there, and the rest is named from the top. */
const fromTop = (name: string): string =>
  name.replace(/^engine\//, 'main/engine/').replace(/^(?=(?:main|renderer|contract)\/)/, 'src/')

test('every file in the code map exists: by its folder, or beside the file before it', () => {
  const rows = [...readFileSync(join(ROOT, 'docs/code-map.md'), 'utf8').matchAll(/^\| [^|]+ \| (`.*) \|$/gm)]
  expect(rows.length).toBeGreaterThan(40)
  const missing = rows.flatMap(([, row = '']) => {
    let folder = ''
    return [...row.matchAll(/`([\w./-]+\.[a-z]+|[\w/-]+\/)`/g)].flatMap(([, name = '']) => {
      const path = name.includes('/') ? fromTop(name) : join(folder, name)
      folder = dirname(path)
      return existsSync(join(ROOT, path)) ? [] : [path]
    })
  })
  expect(missing).toEqual([])
})

/** Rules in the titles of tests that `npm test` runs: the tags of the others are between their titles and their bodies. */
function rulesOfDailyTests(): Set<string> {
  const files = readdirSync(join(ROOT, 'test'), { recursive: true, encoding: 'utf8' })
  const texts = files
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => readFileSync(join(ROOT, 'test', name), 'utf8'))
  const titles = texts.flatMap((text) => [...text.matchAll(/\[([A-Z]{2,3}-\d+)\][\s\S]*?=>/g)])
  return new Set(titles.filter(([head]) => !/tags: \[[^\]]*'long'/.test(head)).flatMap(([head]) => rulesIn(head)))
}

const rulesIn = (text: string): string[] => text.match(/[A-Z]{2,3}-\d+/g) ?? []

test('every rule has a test that is run on each change, not only in the long form', () => {
  const rules = [...readFileSync(join(ROOT, 'docs/rules.md'), 'utf8').matchAll(/^\| ([A-Z]{2,3}-\d+) \|/gm)]
  expect(rules.length).toBeGreaterThan(150)
  const tested = rulesOfDailyTests()
  expect(rules.map(([, rule = '']) => rule).filter((rule) => !tested.has(rule))).toEqual([])
})

test('the pages are all read', () => {
  expect(pages.map(({ path }) => relative('.', path))).toContain('README.md')
  expect(pages.length).toBeGreaterThan(10)
})
