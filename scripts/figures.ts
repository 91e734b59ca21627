/**
 * The figures the structure is judged by, measured from the code: `npm run check -- --figures`.
 * Counts only; what must hold is a test (test/architecture.test.ts, test/language.test.ts).
 */
import { parseSync } from 'vite'
import { BANNED_NAMES, BANNED_PHRASES, identifiersOf } from './language.ts'
import {
  ENGINE,
  floorsOf,
  folderArrows,
  folderOf,
  holdsSql,
  isStorage,
  type LayeredPart,
  layerOf,
  RENDERER,
  readSources,
  type SourceFile
} from './structure.ts'
import { homesOfClasses, readStylesheets } from './styles.ts'

interface FunctionSize {
  readonly file: string
  readonly name: string
  readonly lines: number
}

type Node = { readonly type: string; readonly start: number; readonly end: number } & Record<string, unknown>

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'
}

function visit(node: Node, see: (node: Node, parent: Node | null) => void, parent: Node | null = null): void {
  see(node, parent)
  for (const value of Object.values(node)) {
    if (Array.isArray(value)) for (const item of value) if (isNode(item)) visit(item, see, node)
    if (isNode(value)) visit(value, see, node)
  }
}

/** Functions with a body in braces, with their size in lines. */
function functionsOf({ path, text }: SourceFile): FunctionSize[] {
  const starts = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)]
  const lineAt = (offset: number): number => {
    let [low, high] = [0, starts.length]
    while (high - low > 1) {
      const middle = (low + high) >> 1
      if ((starts[middle] ?? 0) <= offset) low = middle
      else high = middle
    }
    return low
  }
  const found: FunctionSize[] = []
  visit(parseSync(path, text).program as unknown as Node, (node, parent) => {
    if (!/Function/.test(node.type) || !isNode(node.body) || node.body.type !== 'BlockStatement') return
    const id = (node.id ?? parent?.id ?? parent?.key) as { name?: string } | undefined
    found.push({ file: path, name: id?.name ?? '(anonymous)', lines: lineAt(node.end) - lineAt(node.start) + 1 })
  })
  return found
}

/** Share of lines that are comment, of the lines that are not blank. */
function commentShare(files: readonly SourceFile[]): string {
  let comments = 0
  let all = 0
  for (const { text } of files) {
    let inside = false
    for (const line of text.split('\n')) {
      const trimmed = line.trim()
      if (trimmed === '') continue
      all++
      if (inside || trimmed.startsWith('//') || trimmed.startsWith('/*') || trimmed.startsWith('{/*')) comments++
      if (trimmed.startsWith('/*') || trimmed.startsWith('{/*')) inside = true
      if (trimmed.includes('*/')) inside = false
    }
  }
  return `${Math.round((100 * comments) / Math.max(1, all))} %`
}

const percentile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0

function sizes(label: string, files: readonly SourceFile[]): [string, string] {
  const lines = files.flatMap(functionsOf).map((size) => size.lines)
  lines.sort((a, b) => a - b)
  const [median, p90, p99] = [0.5, 0.9, 0.99].map((share) => percentile(lines, share))
  return [`functions in ${label}: median / p90 / p99 / max lines`, `${median} / ${p90} / ${p99} / ${lines.at(-1) ?? 0}`]
}

/** How the folders of a part depend on each other. */
function layerFigures(label: string, part: LayeredPart, sources: readonly SourceFile[]): [string, string][] {
  const arrows = folderArrows(part, sources)
  const folders = [...new Set(sources.flatMap(({ path }) => folderOf(part, path) ?? []))]
  const pairs = new Set(arrows.map(({ from, to }) => [from, to].sort().join(' ')))
  const directed = new Set(arrows.map(({ from, to }) => `${from} ${to}`))
  const mutual = [...pairs].filter((pair) => {
    const [a, b] = pair.split(' ')
    return directed.has(`${a} ${b}`) && directed.has(`${b} ${a}`)
  })
  const upward = arrows.filter(({ from, to }) => layerOf(part, to) !== -1 && layerOf(part, to) < layerOf(part, from))
  const possible = (folders.length * (folders.length - 1)) / 2
  const unlisted = folders.filter((folder) => layerOf(part, folder) === -1)
  return [
    [`${label}: folders, layers`, `${folders.length}, ${part.layers.length}`],
    [`${label}: folders not listed`, unlisted.length === 0 ? '0' : unlisted.join(', ')],
    [`${label}: linked pairs`, `${pairs.size} of ${possible} (${Math.round((100 * pairs.size) / possible)} %)`],
    [`${label}: pairs that import each other`, mutual.length === 0 ? '0' : `${mutual.length}: ${mutual.join(', ')}`],
    [`${label}: imports that point up`, String(upward.length)],
    [`${label}: floors`, String(floorsOf(arrows))]
  ]
}

/** Every figure as a label and its value. */
export function figures(): [string, string][] {
  const sources = readSources()
  const engine = sources.filter(({ path }) => folderOf(ENGINE, path) !== null)
  const importers = new Map<string, number>()
  for (const { imports } of sources) for (const name of imports) importers.set(name, (importers.get(name) ?? 0) + 1)
  const importedOnce = sources.filter(({ path }) => importers.get(path) === 1).length
  const sqlFiles = sources.filter(({ path, text }) => !isStorage(path) && holdsSql(text))
  const names = sources.flatMap(({ path, text }) => identifiersOf(path, text))
  const homes = [...homesOfClasses(readStylesheets()).values()]
  const restyled = homes.filter((files) => files.length > 1)
  const views = sources.filter(({ path }) => path.startsWith('src/renderer/'))
  const components = views.flatMap(functionsOf).filter(({ name, lines }) => /^[A-Z]/.test(name) && lines > 150)
  const storage = engine.filter(({ path }) => /\/(log|store|git|files|ports)\//.test(path))

  return [
    ['files in src', String(sources.length)],
    ['lines in src', String(sources.reduce((total, { lines }) => total + lines, 0))],
    ['names that are out (docs/glossary.md)', String(names.filter((name) => BANNED_NAMES.has(name)).length)],
    ['phrases that are out', String(sources.reduce((n, { text }) => n + (text.match(BANNED_PHRASES)?.length ?? 0), 0))],
    ...layerFigures('engine', ENGINE, sources),
    ...layerFigures('renderer', RENDERER, sources),
    ['files with SQL outside store/', String(sqlFiles.length)],
    ['files imported by one file', `${importedOnce} of ${sources.length}`],
    ['global CSS classes, styled in more than one file', `${homes.length}, ${restyled.length}`],
    ['components over 150 lines', String(components.length)],
    sizes('the engine', engine),
    sizes('the renderer', views),
    ['comment lines in log, storage and platform', commentShare(storage)],
    ['comment lines in the rest of the engine', commentShare(engine.filter((file) => !storage.includes(file)))],
    ['comment lines in the renderer', commentShare(views)]
  ]
}

if (import.meta.main) {
  const rows = figures()
  const width = Math.max(...rows.map(([label]) => label.length))
  for (const [label, value] of rows) console.log(`${label.padEnd(width)}  ${value}`)
}
