/** The import rules of DESIGN.md section 3, as data: who may import what, which way the arrows point, how long a file may be. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, posix, relative, resolve } from 'node:path'
import { parseSync } from 'vite'
import { describe, expect, test } from 'vitest'

const ROOT = resolve(import.meta.dirname, '..')

interface SourceFile {
  /** From the repository's root, with slashes. */
  readonly path: string
  readonly lines: number
  /** Repository paths for relative imports, bare names for packages; types only included. */
  readonly imports: readonly string[]
  /** The same without `import type`. */
  readonly values: readonly string[]
}

// ---- rules ----

/** Packages only some places may import. Everything else is free to be imported anywhere it resolves. */
const PACKAGE_HOMES: Readonly<Record<string, { readonly only: readonly string[]; readonly why: string }>> = {
  electron: { only: ['src/main/electron/', 'src/preload/'], why: 'the engine has to run where there is no Electron' },
  'better-sqlite3': {
    only: ['src/main/engine/db/open.ts', 'src/main/engine/db/host-lock.ts'],
    why: 'every database is opened the one way, with our settings'
  },
  chokidar: { only: ['src/main/engine/watch/'], why: 'the watcher shortens and never decides' },
  'monaco-editor': {
    only: ['src/renderer/features/diff/'],
    why: 'the editor is loaded after the first paint, by the diff alone'
  },
  zod: { only: ['src/contract/params.ts', 'src/main/cli/mcp/'], why: 'pages and the preload trust the types and stay small' },
  ws: { only: ['src/main/server/'], why: 'only the headless host speaks WebSocket' },
  '@modelcontextprotocol/server': {
    only: ['src/main/cli/mcp/'],
    why: 'one command speaks the protocol, and only it loads it'
  },
  react: { only: ['src/renderer/'], why: 'only the pages draw' }
}

/** Folders and files and what they may import; `packages: 'none'` also forbids every node: module. */
const BORDERS: readonly {
  readonly of: string
  readonly mayImport: readonly string[]
  readonly node: 'allowed' | 'forbidden'
  readonly why: string
}[] = [
  { of: 'src/contract/', mayImport: ['src/contract/'], node: 'forbidden', why: 'both sides import the contract' },
  {
    of: 'src/renderer/',
    mayImport: ['src/contract/', 'src/renderer/'],
    node: 'forbidden',
    why: 'pages know the engine by the contract alone'
  },
  {
    of: 'src/preload/',
    mayImport: ['src/contract/', 'src/preload/'],
    node: 'forbidden',
    why: 'the preload is sandboxed'
  },
  {
    of: 'src/main/engine/',
    mayImport: ['src/contract/', 'src/main/engine/', 'src/main/version.ts'],
    node: 'allowed',
    why: 'the engine knows neither Electron nor HTTP nor the command line'
  },
  {
    of: 'src/main/host/',
    mayImport: [
      'src/contract/',
      'src/main/host/',
      'src/main/engine/db/host-lock.ts',
      'src/main/programs.ts',
      'src/main/version.ts'
    ],
    node: 'allowed',
    why: "a host's main thread only forwards; the engine lives in the worker"
  },
  {
    of: 'src/main/server/',
    mayImport: ['src/contract/', 'src/main/server/', 'src/main/host/', 'src/main/programs.ts', 'src/main/version.ts'],
    node: 'allowed',
    why: 'the headless host reaches the engine over the thread'
  },
  {
    of: 'src/main/cli/',
    mayImport: [
      'src/contract/',
      'src/main/cli/',
      'src/main/host/',
      'src/main/server/',
      'src/main/cli-engine.ts',
      'src/main/code-cache.ts',
      'src/main/engine/agents/shortened.ts',
      'src/main/engine/ports/',
      'src/main/programs.ts',
      'src/main/version.ts'
    ],
    node: 'allowed',
    why: 'the command line is a caller like any other: it opens an engine or a socket, and then speaks the contract'
  },
  {
    of: 'src/main/electron/',
    mayImport: [
      'src/contract/',
      'src/main/electron/',
      'src/main/host/',
      'src/main/programs.ts',
      'src/main/version.ts',
      'src/preload/channels.ts'
    ],
    node: 'allowed',
    why: 'the Electron host reaches the engine over the thread'
  }
]

/** Pure code: no node: module, so no I/O and no clock; tested by the thousand. */
const PURE = [
  'src/main/engine/log/',
  'src/main/engine/restore/plan.ts',
  'src/main/engine/diff/aggregate.ts',
  'src/main/engine/retention/retained.ts',
  'src/main/engine/tools/plan-edit.ts'
]

/** Layers of the engine, highest first; an import may only point to the same row or a lower one. */
const LAYERS: readonly (readonly string[])[] = [
  ['handlers'],
  ['restore', 'drift', 'diff', 'agents', 'tools'],
  ['capture'],
  ['log'],
  ['db', 'store'],
  ['files'],
  ['ports']
]

/** Imports of a type that may go back to who imports the file: a checkpoint keeps where a conversation stood, which is read from its row. */
const TYPES_BACK = ['src/main/engine/sessions/conversation.ts -> src/main/engine/checkpoints/checkpoints.ts']

const LONGEST = 400
const FORBIDDEN_NAMES = /(^|\/)(utils?|helpers?|index|common|misc)(\.tsx?$|\/)/
/** Entries have the names their tools want. */
const NAMED_INDEX = ['src/main/index.ts', 'src/preload/index.ts']

// ---- reading ----

/** Read with the build's own parser, so that an import inside a string or a template is none. */
function importsOf(path: string, text: string, wanted: 'all' | 'values' = 'all'): string[] {
  const { module } = parseSync(path, text)
  const isType = ({ start }: { start: number }): boolean =>
    /^(import|export)\s+type\b/.test(text.slice(start, start + 40))
  const fixed = module.staticImports.map((staticImport) => ({
    name: staticImport.moduleRequest.value,
    type: isType(staticImport)
  }))
  const passedOn = module.staticExports.flatMap((staticExport) =>
    staticExport.entries.flatMap(({ moduleRequest }) =>
      moduleRequest ? [{ name: moduleRequest.value, type: isType(staticExport) }] : []
    )
  )
  const dynamic = module.dynamicImports.flatMap(({ moduleRequest: { start, end } }) => {
    const quoted = /^['"](.*)['"]$/.exec(text.slice(start, end))
    return quoted ? [{ name: quoted[1] ?? '', type: false }] : []
  })
  const names = [...fixed, ...passedOn, ...dynamic]
    .filter(({ type }) => wanted === 'all' || !type)
    .map(({ name }) => name)
  return [...new Set(names)].map((name) => (name.startsWith('.') ? posix.join(posix.dirname(path), name) : name))
}

function readSources(): SourceFile[] {
  const folder = join(ROOT, 'src')
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => {
      const file = join(entry.parentPath, entry.name)
      const path = relative(ROOT, file).split('\\').join('/')
      const text = readFileSync(file, 'utf8')
      return {
        path,
        lines: text.split('\n').length - 1,
        imports: importsOf(path, text),
        values: importsOf(path, text, 'values')
      }
    })
}

const sources = readSources()
const within = (path: string, places: readonly string[]): boolean =>
  places.some((place) => (place.endsWith('/') ? path.startsWith(place) : path === place || path.startsWith(place)))
const isNode = (name: string): boolean => name.startsWith('node:')
const isOurs = (name: string): boolean => name.startsWith('src/')
const packageOf = (name: string): string =>
  name
    .split('/')
    .slice(0, name.startsWith('@') ? 2 : 1)
    .join('/')

/** One sentence per broken rule; an empty list is what every test expects. */
function broken(check: (file: SourceFile, name: string) => string | null): string[] {
  return sources.flatMap((file) =>
    file.imports.map((name) => check(file, name)).filter((sentence) => sentence !== null)
  )
}

// ---- tests ----

test('the reader of imports sees every form of import, and none in a comment or a string', () => {
  const text = `import { a } from './a.ts'
import type { B } from "../b.ts"
import { type X, x } from './x.ts'
export { c } from 'pkg/c'
export type { T } from './t.ts'
import './side.ts'
// import { no } from './comment.ts'
const sample = \`import { no } from './template.ts'\`
const d = await import('node:fs')
import {
  e,
  f
} from './many.ts'`
  const types = ['src/b.ts', 'src/x/t.ts']
  const values = ['src/x/a.ts', 'src/x/x.ts', 'pkg/c', 'src/x/side.ts', 'node:fs', 'src/x/many.ts']
  expect(importsOf('src/x/y.ts', text).sort()).toEqual([...types, ...values].sort())
  expect(importsOf('src/x/y.ts', text, 'values').sort()).toEqual(values.sort())
  expect(sources.length).toBeGreaterThan(10)
})

describe('packages stay where they belong', () => {
  test.each(Object.entries(PACKAGE_HOMES))('%s', (name, { only, why }) => {
    const sentences = broken((file, imported) =>
      packageOf(imported) === name && !within(file.path, only)
        ? `${file.path} imports ${imported}; only ${only.join(', ')} may, because ${why}`
        : null
    )
    expect(sentences).toEqual([])
  })
})

describe('folders import only what they may know', () => {
  test.each(BORDERS)('$of', ({ of, mayImport, node, why }) => {
    const sentences = broken((file, name) => {
      if (!file.path.startsWith(of)) return null
      if (of === 'src/contract/' && name === 'zod' && file.path !== 'src/contract/params.ts') {
        return `${file.path} imports zod; only params.ts may, so that importing types costs nothing`
      }
      if (isNode(name) && node === 'forbidden') return `${file.path} imports ${name}; ${of} has no Node, because ${why}`
      if (isOurs(name) && !within(name, mayImport))
        return `${file.path} imports ${name}; ${of} must not, because ${why}`
      return null
    })
    expect(sentences).toEqual([])
  })
})

test('pure code imports no node: module, nor anything that does; types do not count', () => {
  const byPath = new Map(sources.map((file) => [file.path, file]))
  /** The way from a file to the first thing that is not pure, or null. */
  const wayOut = (file: SourceFile, seen: Set<string>): string | null => {
    seen.add(file.path)
    for (const name of file.values) {
      if (isNode(name) || packageOf(name) in PACKAGE_HOMES) return `${file.path} imports ${name}`
      const next = byPath.get(name)
      const further = next && !seen.has(name) ? wayOut(next, seen) : null
      if (further) return `${file.path} imports ${name}; ${further}`
    }
    return null
  }
  const sentences = sources
    .filter(({ path }) => within(path, PURE))
    .map((file) => wayOut(file, new Set()))
    .filter((sentence) => sentence !== null)
  expect(sentences).toEqual([])
})

test('every rule is about something that is there', () => {
  const named = [
    ...Object.values(PACKAGE_HOMES).flatMap(({ only }) => only),
    ...BORDERS.flatMap(({ of, mayImport }) => [of, ...mayImport]),
    ...PURE,
    ...LAYERS.flat().map((folder) => `src/main/engine/${folder}/`)
  ]
  expect(named.filter((place) => !sources.some(({ path }) => within(path, [place])))).toEqual([])
})

test('the arrows of the engine point one way', () => {
  const layerOf = (path: string): number => {
    const folder = /^src\/main\/engine\/([^/]+)\//.exec(path)?.[1] ?? ''
    return LAYERS.findIndex((row) => row.includes(folder))
  }
  const sentences = broken((file, name) => {
    const [from, to] = [layerOf(file.path), layerOf(name)]
    return from !== -1 && to !== -1 && to < from
      ? `${file.path} imports ${name}; ${LAYERS[to]?.join('/')} lies above ${LAYERS[from]?.join('/')}`
      : null
  })
  expect(sentences).toEqual([])
})

test('no file needs itself: imports go round in no circle, not for a type either', () => {
  const byPath = new Map(sources.map((file) => [file.path, file]))
  const done = new Set<string>()
  const circles: string[] = []
  const walk = (path: string, way: readonly string[]): void => {
    if (way.includes(path)) circles.push([...way.slice(way.indexOf(path)), path].join(' -> '))
    if (done.has(path) || way.includes(path)) return
    const file = byPath.get(path)
    const allowed = (name: string): boolean => !file?.values.includes(name) && TYPES_BACK.includes(`${path} -> ${name}`)
    for (const name of file?.imports ?? []) if (isOurs(name) && !allowed(name)) walk(name, [...way, path])
    done.add(path)
  }
  for (const { path } of sources) walk(path, [])
  expect(circles).toEqual([])
})

test('relative imports carry their extension and resolve', () => {
  const sentences = broken((file, name) => {
    if (!isOurs(name) || name.includes('?')) return null
    return existsSync(join(ROOT, name)) ? null : `${file.path} imports ${name}, which does not exist as written`
  })
  expect(sentences).toEqual([])
})

test(`no source file is longer than ${LONGEST} lines`, () => {
  const long = sources.filter(({ lines }) => lines > LONGEST).map(({ path, lines }) => `${path} has ${lines} lines`)
  expect(long).toEqual([])
})

test('files are named for what they do, in kebab-case; there are no barrels', () => {
  const odd = sources.filter(({ path }) => {
    if (NAMED_INDEX.includes(path)) return false
    const name = path.slice(dirname(path).length + 1)
    return FORBIDDEN_NAMES.test(path) || !/^[a-z0-9]+(-[a-z0-9]+)*(\.d)?\.tsx?$/.test(name)
  })
  expect(odd.map(({ path }) => path)).toEqual([])
})
