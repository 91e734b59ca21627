/**
 * The structure of `src`, read from the code: which file imports which, and which layer each folder of the engine is in.
 * The architecture test, the picture in ARCHITECTURE.md and `npm run check -- --figures` all use this one reading.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join, posix, relative, resolve } from 'node:path'
import { parseSync } from 'vite'

export const ROOT = resolve(import.meta.dirname, '..')
export const ENGINE = 'src/main/engine/'

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

/** The engine's layers, highest first. Folders of a row may import lower rows, and a neighbour only where NEIGHBOURS says so. */
export const LAYERS: readonly { readonly name: string; readonly folders: readonly string[] }[] = [
  { name: 'doors', folders: ['handlers'] },
  { name: 'composition', folders: ['workspaces'] },
  { name: 'features', folders: ['agents', 'tools', 'restore', 'retention', 'search', 'doctor', 'events'] },
  { name: 'model', folders: ['runs', 'drift', 'diff', 'checkpoints'] },
  { name: 'recording', folders: ['capture', 'watch'] },
  { name: 'log', folders: ['log'] },
  { name: 'storage', folders: ['store'] },
  { name: 'platform', folders: ['git', 'files', 'ports'] }
]

/** Imports inside a row: `from -> to`, and why. */
export const NEIGHBOURS: Readonly<Record<string, string>> = {
  'runs -> checkpoints': 'a run begins and ends at a checkpoint',
  'runs -> drift': 'open drift becomes part of the baseline of a run',
  'runs -> diff': 'the files of a run and of its tool calls are counted',
  'drift -> diff': 'a rename is found by comparing the two contents',
  'git -> files': 'git metadata is read with the same limits and error classes as other files'
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

/** The engine folder a file is in; null for files beside the folders and outside the engine. */
export function engineFolder(path: string): string | null {
  return /^src\/main\/engine\/([^/]+)\//.exec(path)?.[1] ?? null
}

/** Row of a folder in LAYERS, 0 the highest; -1 when it is not listed. */
export function layerOf(folder: string): number {
  return LAYERS.findIndex(({ folders }) => folders.includes(folder))
}

/** An import from one engine folder to another. */
export interface FolderArrow {
  readonly from: string
  readonly to: string
  readonly file: string
  readonly imported: string
}

export function folderArrows(sources: readonly SourceFile[]): FolderArrow[] {
  return sources.flatMap(({ path, imports }) => {
    const from = engineFolder(path)
    if (from === null) return []
    return imports.flatMap((imported) => {
      const to = engineFolder(imported)
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

/** The layers as ARCHITECTURE.md shows them; a test compares. */
export function layersPicture(): string {
  const name = Math.max(...LAYERS.map((layer) => layer.name.length))
  const rows = LAYERS.map((layer) => `${layer.name.padEnd(name)}  ${layer.folders.join('  ')}`)
  const inside = Object.keys(NEIGHBOURS).join(', ')
  return [...rows, '', `inside a row: ${inside}`].join('\n')
}

/** Where SQL may be: the repositories, and the files beside them that open, migrate and lock databases. */
export function isStorage(path: string): boolean {
  return engineFolder(path) === 'store'
}

/** Whether a string of the file is SQL: a statement, not a word in a sentence. */
export function holdsSql(text: string): boolean {
  return /['"`]\s*(SELECT|INSERT (OR \w+ )?INTO|UPDATE \w+ SET|DELETE FROM|CREATE (TABLE|INDEX)|ALTER TABLE|WITH \w+( AS|\())\b/.test(
    text
  )
}
