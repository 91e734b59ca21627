/**
 * The structure of `src`, read from the code: which file imports which, and which layer each folder of the engine and
 * of the renderer is in.
 * The architecture test, the picture in ARCHITECTURE.md and `npm run check -- --figures` all use this one reading.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join, posix, relative, resolve } from 'node:path'
import { parseSync } from 'vite'

export const ROOT = resolve(import.meta.dirname, '..')

export interface SourceFile {
  /** From the repository's root, with slashes. */
  readonly path: string
  readonly text: string
  readonly lines: number
  /** Repository paths for relative imports, bare names for packages; imports of types included. */
  readonly imports: readonly string[]
  /** The same without `import type`. */
  readonly values: readonly string[]
}

/** A part of `src` that is built in layers. */
export interface LayeredPart {
  readonly root: string
  /** Folders whose subfolders count by themselves, as `features/diff` does. */
  readonly nested: readonly string[]
  /** Highest first. Folders of a row may import lower rows, and a neighbour only where `neighbours` says so. */
  readonly layers: readonly { readonly name: string; readonly folders: readonly string[] }[]
  /** Imports inside a row: `from -> to`, and why. */
  readonly neighbours: Readonly<Record<string, string>>
}

export const ENGINE: LayeredPart = {
  root: 'src/main/engine/',
  nested: [],
  layers: [
    { name: 'doors', folders: ['handlers'] },
    { name: 'composition', folders: ['workspaces'] },
    {
      name: 'features',
      folders: [
        ...['agents', 'brake', 'tools', 'restore', 'git-state', 'retention'],
        ...['search', 'doctor', 'events', 'bisect', 'bundles']
      ]
    },
    { name: 'model', folders: ['runs', 'drift', 'review', 'diff', 'checkpoints'] },
    { name: 'recording', folders: ['capture', 'watch'] },
    { name: 'log', folders: ['log'] },
    { name: 'storage', folders: ['store'] },
    { name: 'platform', folders: ['git', 'files', 'ports'] }
  ],
  neighbours: {
    'runs -> checkpoints': 'a run begins and ends at a checkpoint',
    'runs -> drift': 'open drift becomes part of the baseline of a run',
    'runs -> diff': 'the files of a run and of its tool calls are counted',
    'review -> diff': 'lines of a comment are followed in the weave, and decisions are shown as hunks',
    'drift -> diff': 'a rename is found by comparing the two contents',
    'git -> files': 'git metadata is read with the same limits and error classes as other files'
  }
}

const feature = (name: string): string => `features/${name}`

export const RENDERER: LayeredPart = {
  root: 'src/renderer/',
  nested: ['features'],
  layers: [
    { name: 'app', folders: ['app'] },
    { name: 'screens', folders: ['welcome', 'workspace', 'today', 'settings', 'palette', 'help'].map(feature) },
    {
      name: 'panes',
      folders: [
        'timeline',
        'files',
        'conversation',
        'diff',
        'review',
        'history',
        'replay',
        'restore',
        'agents',
        'banners',
        'bisect',
        'status',
        'hosts'
      ].map(feature)
    },
    { name: 'state', folders: ['state'] },
    { name: 'model', folders: ['model'] },
    { name: 'commands', folders: ['commands', 'features/toast'] },
    { name: 'platform', folders: ['ui', 'client'] }
  ],
  neighbours: {
    'features/welcome -> features/workspace': 'a recorded folder is located and removed by the same dialogs',
    'features/settings -> features/workspace': 'a recorded folder is removed by the same dialog',
    'features/timeline -> features/conversation': 'a tool call has the same icon and status',
    'features/replay -> features/files': 'files are listed with the same letters, under the same tabs',
    'features/replay -> features/diff': 'a moment is shown as a diff',
    'features/replay -> features/conversation': 'the conversation is scrolled to the moment',
    'features/conversation -> features/files': 'both are shown in one pane, under the same tabs',
    'features/conversation -> features/review': 'comments are shown at their messages',
    'features/diff -> features/files': 'a file has the same mark',
    'features/diff -> features/review': 'comments are shown at their lines',
    'features/restore -> features/files': 'a file has the same mark',
    'features/restore -> features/diff': 'the preview of a restore is a diff',
    'features/history -> features/diff': 'a version of a file is shown as a diff',
    'features/history -> features/timeline': 'the versions of a file take the place of the timeline, with its rail'
  }
}

/** Imports of a file, read with the build's own parser, so that one inside a string, a comment or a template does not count. */
export function importsOf(path: string, text: string, wanted: 'all' | 'values' = 'all'): string[] {
  const { module } = parseSync(path, text)
  const isType = ({ start }: { start: number }): boolean =>
    /^(import|export)\s+type\b/.test(text.slice(start, start + 40))
  const imports = module.staticImports.map((found) => ({ name: found.moduleRequest.value, type: isType(found) }))
  const reexports = module.staticExports.flatMap((found) =>
    found.entries.flatMap(({ moduleRequest }) =>
      moduleRequest ? [{ name: moduleRequest.value, type: isType(found) }] : []
    )
  )
  const dynamic = module.dynamicImports.flatMap(({ moduleRequest: { start, end } }) => {
    const quoted = /^['"](.*)['"]$/.exec(text.slice(start, end))
    return quoted ? [{ name: quoted[1] ?? '', type: false }] : []
  })
  const names = [...imports, ...reexports, ...dynamic]
    .filter(({ type }) => wanted === 'all' || !type)
    .map(({ name }) => name)
  return [...new Set(names)].map((name) => (name.startsWith('.') ? posix.join(posix.dirname(path), name) : name))
}

/** Every source file below `folder`. */
export function readSources(folder = 'src'): SourceFile[] {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => {
      const file = join(entry.parentPath, entry.name)
      const path = relative(ROOT, file).split('\\').join('/')
      const text = readFileSync(file, 'utf8')
      return {
        path,
        text,
        lines: text.split('\n').length - 1,
        imports: importsOf(path, text),
        values: importsOf(path, text, 'values')
      }
    })
}

/** The folder a file of the part is in; null for files beside the folders and outside the part. */
export function folderOf({ root, nested }: LayeredPart, path: string): string | null {
  if (!path.startsWith(root)) return null
  const folders = path.slice(root.length).split('/').slice(0, -1)
  return folders.slice(0, nested.includes(folders[0] ?? '') ? 2 : 1).join('/') || null
}

/** Row of a folder in the part's layers, 0 the highest; -1 when it is not listed. */
export function layerOf({ layers }: LayeredPart, folder: string): number {
  return layers.findIndex(({ folders }) => folders.includes(folder))
}

/** An import from one folder of a part to another. */
export interface FolderArrow {
  readonly from: string
  readonly to: string
  readonly file: string
  readonly imported: string
}

/** Of code; a stylesheet has layers of its own (styles.ts). */
export function folderArrows(part: LayeredPart, sources: readonly SourceFile[]): FolderArrow[] {
  return sources.flatMap(({ path, imports }) => {
    const from = folderOf(part, path)
    if (from === null) return []
    return imports.flatMap((imported) => {
      const to = /\.tsx?$/.test(imported) ? folderOf(part, imported) : null
      return to === null || to === from ? [] : [{ from, to, file: path, imported }]
    })
  })
}

/** The longest chain of folders that import one another; with circles the folders of a circle count once. */
export function floorsOf(arrows: readonly FolderArrow[]): number {
  const below = new Map<string, Set<string>>()
  for (const { from, to } of arrows) below.set(from, (below.get(from) ?? new Set()).add(to))
  const depth = new Map<string, number>()
  const walk = (folder: string, path: ReadonlySet<string>): number => {
    const known = depth.get(folder)
    if (known !== undefined) return known
    const next = [...(below.get(folder) ?? [])].filter((to) => !path.has(to))
    const floors = 1 + Math.max(0, ...next.map((to) => walk(to, new Set([...path, folder]))))
    depth.set(folder, floors)
    return floors
  }
  return Math.max(0, ...[...below.keys()].map((folder) => walk(folder, new Set())))
}

/** The layers as ARCHITECTURE.md shows them, nested folders by their own name; a test compares. */
export function layersPicture({ layers, neighbours, nested }: LayeredPart): string {
  const short = (text: string): string => nested.reduce((left, outer) => left.replaceAll(`${outer}/`, ''), text)
  const width = Math.max(...layers.map(({ name }) => name.length))
  const rows = layers.map(({ name, folders }) => `${name.padEnd(width)}  ${folders.map(short).join('  ')}`)
  return [...rows, '', ...wrapped(`inside a row: ${Object.keys(neighbours).map(short).join(', ')}`)].join('\n')
}

/** Lines of at most 110 columns, broken after commas. */
function wrapped(text: string): string[] {
  const lines: string[] = []
  for (const piece of text.split(/(?<=,) /)) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + 1 + piece.length <= 110) lines[lines.length - 1] = `${last} ${piece}`
    else lines.push(last === undefined ? piece : `  ${piece}`)
  }
  return lines
}

/** Where SQL may be: the repositories, and the files beside them that open, migrate and lock databases. */
export function isStorage(path: string): boolean {
  return folderOf(ENGINE, path) === 'store'
}

/** Whether a string of the file is SQL: a statement, not a word in a sentence. */
export function holdsSql(text: string): boolean {
  return /['"`]\s*(SELECT|INSERT (OR \w+ )?INTO|UPDATE \w+ SET|DELETE FROM|CREATE (TABLE|INDEX)|ALTER TABLE|WITH \w+( AS|\())\b/.test(
    text
  )
}
