/** The import rules, as data: who may import what, which direction imports point, how long a file may be. */
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  ENGINE,
  folderArrows,
  folderOf,
  holdsSql,
  importsOf,
  isStorage,
  layerOf,
  layersPicture,
  RENDERER,
  ROOT,
  readSources,
  type SourceFile
} from '../scripts/structure.ts'

// ---- rules ----

/** The files of the contract that hold schemas. */
const SCHEMAS: ReadonlySet<string> = new Set(
  [
    'params',
    'bisect-params',
    'bundle-params',
    'replay-params',
    'tool-params',
    'host-params',
    'brake-params',
    'review-params',
    'run-params',
    'parse-params',
    'param-types',
    'events'
  ].map((name) => `src/contract/${name}.ts`)
)

/** Entries of the repository's root. */
const TOP_LEVEL: ReadonlySet<string> = new Set([
  ...['src', 'test', 'bench', 'bin', 'docs', 'packaging', 'scripts', '.ci', '.github'],
  ...[
    'package.json',
    'package-lock.json',
    'tsconfig.json',
    'electron.vite.config.ts',
    'vitest.config.ts',
    'biome.json'
  ],
  ...['.editorconfig', '.gitignore', '.npmrc', '.nvmrc'],
  ...['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md', 'LICENSE']
])

/** Packages only some places may import. Everything else is free to be imported anywhere it resolves. */
const PACKAGE_HOMES: Readonly<Record<string, { readonly only: readonly string[]; readonly why: string }>> = {
  electron: { only: ['src/main/electron/', 'src/preload/'], why: 'the engine has to run where there is no Electron' },
  'better-sqlite3': {
    only: ['src/main/engine/store/database.ts', 'src/main/engine/store/host-lock.ts'],
    why: 'every database is opened the one way, with our settings'
  },
  chokidar: { only: ['src/main/engine/watch/'], why: 'the watcher shortens and never decides' },
  'monaco-editor': {
    only: ['src/renderer/features/diff/'],
    why: 'the editor is loaded after the first paint, by the diff alone'
  },
  zod: {
    only: [...SCHEMAS, 'src/main/cli/mcp/', 'src/main/engine/bundles/line-schema.ts'],
    why: 'pages and the preload trust the types and stay small'
  },
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
      'src/main/engine/files/in-use.ts',
      'src/main/engine/files/stat-batch.ts',
      'src/main/engine/store/host-lock.ts',
      'src/main/engine/ports/log.ts',
      'src/main/engine/ports/processes.ts',
      'src/main/engine/ports/windows-access.ts',
      'src/main/code-cache.ts',
      'src/main/programs.ts',
      'src/main/version.ts'
    ],
    node: 'allowed',
    why: "a host's main thread reads the program of the engine, forwards, and takes the stats that it is given; the engine lives in the worker"
  },
  {
    of: 'src/main/remote/',
    mayImport: [
      'src/contract/',
      'src/main/remote/',
      'src/main/engine/ports/log.ts',
      'src/main/host/data-dir.ts',
      'src/main/host/socket-client.ts',
      'src/main/node-version.ts',
      'src/main/version.ts'
    ],
    node: 'allowed',
    why: 'another machine is reached by its own command and then by the contract'
  },
  {
    of: 'src/main/server/',
    mayImport: [
      'src/contract/',
      'src/main/engine/ports/log.ts',
      'src/main/server/',
      'src/main/host/',
      'src/main/remote/relay.ts',
      'src/main/programs.ts',
      'src/main/version.ts'
    ],
    node: 'allowed',
    why: 'the headless host reaches the engine over the thread'
  },
  {
    of: 'src/main/cli/',
    mayImport: [
      'src/contract/',
      'src/main/cli/',
      'src/main/host/',
      'src/main/remote/',
      'src/main/server/',
      'src/main/cli-engine.ts',
      'src/main/code-cache.ts',
      'src/main/engine/agents/hook-event.ts',
      'src/main/engine/agents/truncate-texts.ts',
      'src/main/engine/files/fs-errors.ts',
      'src/main/engine/files/in-use.ts',
      'src/main/engine/files/workspace-fs.ts',
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
      'src/main/engine/ports/log.ts',
      'src/main/host/',
      'src/main/remote/relay.ts',
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
  'src/main/engine/restore/plan-items.ts',
  'src/main/engine/restore/plan-moves.ts',
  'src/main/engine/restore/plan-tree.ts',
  'src/main/engine/diff/aggregate.ts',
  'src/main/engine/retention/retained.ts',
  'src/main/engine/tools/plan-edit.ts',
  'src/renderer/model/'
]

const LONGEST = 400
const FORBIDDEN_NAMES = /(^|\/)(utils?|helpers?|index|common|misc)(\.tsx?$|\/)/
/** Entries have the names their tools want. */
const NAMED_INDEX = ['src/main/index.ts', 'src/preload/index.ts']

const sources = readSources()
const within = (path: string, folders: readonly string[]): boolean =>
  folders.some((place) => (place.endsWith('/') ? path.startsWith(place) : path === place || path.startsWith(place)))
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
      if (of === 'src/contract/' && name === 'zod' && !SCHEMAS.has(file.path)) {
        return `${file.path} imports zod; only ${[...SCHEMAS].join(' and ')} may, so that importing types costs nothing`
      }
      if (isNode(name) && node === 'forbidden') return `${file.path} imports ${name}; ${of} has no Node, because ${why}`
      if (isOurs(name) && !within(name, mayImport))
        return `${file.path} imports ${name}; ${of} must not, because ${why}`
      return null
    })
    expect(sentences).toEqual([])
  })
})

test('pure code imports no node: module but node:buffer, nor anything that does; types do not count', () => {
  const byPath = new Map(sources.map((file) => [file.path, file]))
  /** The imports from a file to the first impure one, or null. */
  const impurity = (file: SourceFile, visited: Set<string>): string | null => {
    visited.add(file.path)
    for (const name of file.values) {
      // Functions of bytes, as those of Buffer, which is a global.
      if (name === 'node:buffer') continue
      if (isNode(name) || packageOf(name) in PACKAGE_HOMES) return `${file.path} imports ${name}`
      const next = byPath.get(name)
      const further = next && !visited.has(name) ? impurity(next, visited) : null
      if (further) return `${file.path} imports ${name}; ${further}`
    }
    return null
  }
  const sentences = sources
    .filter(({ path }) => within(path, PURE))
    .map((file) => impurity(file, new Set()))
    .filter((sentence) => sentence !== null)
  expect(sentences).toEqual([])
})

test('every rule names a file or folder that exists', () => {
  const named = [
    ...Object.values(PACKAGE_HOMES).flatMap(({ only }) => only),
    ...BORDERS.flatMap(({ of, mayImport }) => [of, ...mayImport]),
    ...PURE
  ]
  expect(named.filter((place) => !sources.some(({ path }) => within(path, [place])))).toEqual([])
})

describe.each([
  { name: 'the engine', part: ENGINE },
  { name: 'the window', part: RENDERER }
])('$name is built in layers', ({ part }) => {
  const { layers, neighbours } = part
  const arrows = folderArrows(part, sources)

  test('every folder is in exactly one layer, and every listed folder exists', () => {
    const folders = [...new Set(sources.map(({ path }) => folderOf(part, path)).filter((folder) => folder !== null))]
    expect(layers.flatMap((layer) => layer.folders).sort()).toEqual(folders.sort())
  })

  test('no import points to a higher layer, and inside a layer only along a listed arrow', () => {
    const sentences = arrows.flatMap(({ from, to, file, imported }) => {
      const [above, below] = [layerOf(part, from), layerOf(part, to)]
      if (below > above || (below === above && `${from} -> ${to}` in neighbours)) return []
      const place = below < above ? `${to} is in a higher layer` : `"${from} -> ${to}" is not listed`
      return [`${file} imports ${imported}; ${place}`]
    })
    expect(sentences).toEqual([])
  })

  test('every listed arrow inside a layer is used and has no arrow back', () => {
    const used = new Set(arrows.map(({ from, to }) => `${from} -> ${to}`))
    const idle = Object.keys(neighbours).filter((arrow) => !used.has(arrow))
    const back = Object.keys(neighbours).filter((arrow) => neighbours[arrow.split(' -> ').reverse().join(' -> ')])
    expect({ idle, back }).toEqual({ idle: [], back: [] })
  })

  test('the picture in ARCHITECTURE.md shows these layers', () => {
    expect(readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8')).toContain(layersPicture(part))
  })
})

test('SQL is in the repositories alone', () => {
  const elsewhere = sources.filter(({ path, text }) => !isStorage(path) && (holdsSql(text) || /\.prepare\(/.test(text)))
  expect(elsewhere.map(({ path }) => path)).toEqual([])
})

test('imports form no circle, types included', () => {
  const byPath = new Map(sources.map((file) => [file.path, file]))
  const done = new Set<string>()
  const circles: string[] = []
  const walk = (path: string, trail: readonly string[]): void => {
    if (trail.includes(path)) circles.push([...trail.slice(trail.indexOf(path)), path].join(' -> '))
    if (done.has(path) || trail.includes(path)) return
    for (const name of byPath.get(path)?.imports ?? []) if (isOurs(name)) walk(name, [...trail, path])
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

test('every export is named by another file, tests and tools included', () => {
  const folders = ['src', 'test', 'bench', 'scripts', 'packaging']
  const texts = folders.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(tsx?|mjs)$/.test(name))
      .map((name) => readFileSync(join(ROOT, folder, name), 'utf8'))
  )
  const files = new Map<string, number>()
  for (const text of texts)
    for (const word of new Set(text.match(/[\w$]+/g))) files.set(word, (files.get(word) ?? 0) + 1)
  const exported = /^export (?:async )?(?:function\*?|const|let|class|interface|type) ([\w$]+)/gm
  const unused = sources.flatMap(({ path, text }) =>
    [...text.matchAll(exported)].flatMap(([, name = '']) => (files.get(name) === 1 ? [`${name} of ${path}`] : []))
  )
  expect(unused).toEqual([])
})

test(`no source file is longer than ${LONGEST} lines`, () => {
  const long = sources.filter(({ lines }) => lines > LONGEST).map(({ path, lines }) => `${path} has ${lines} lines`)
  expect(long).toEqual([])
})

test('the top level of the repository holds what it is meant to hold', { tags: ['git'] }, () => {
  // Nothing where the sources are no checkout.
  const { stdout } = spawnSync('git', ['ls-files', '-z'], { cwd: ROOT, encoding: 'utf8' })
  const names = new Set(stdout.split('\0').map((path) => path.split('/')[0] as string))
  expect([...names].filter((name) => name !== '' && !TOP_LEVEL.has(name))).toEqual([])
})

test('files are named for what they do, in kebab-case; there are no barrels', () => {
  const odd = sources.filter(({ path }) => {
    if (NAMED_INDEX.includes(path)) return false
    const name = path.slice(dirname(path).length + 1)
    return FORBIDDEN_NAMES.test(path) || !/^[a-z0-9]+(-[a-z0-9]+)*(\.d)?\.tsx?$/.test(name)
  })
  expect(odd.map(({ path }) => path)).toEqual([])
})
