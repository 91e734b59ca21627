/** The renderer's stylesheets: which classes each of them styles, and in which cascade layer. */
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { ROOT } from './structure.ts'

export interface Stylesheet {
  /** From the repository's root, with slashes. */
  readonly path: string
  /** Without comments. */
  readonly text: string
  readonly classes: ReadonlySet<string>
  /** Names in `@layer name { … }`. */
  readonly layers: readonly string[]
}

export function readStylesheets(): Stylesheet[] {
  return readdirSync(join(ROOT, 'src/renderer'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.css'))
    .map((entry) => {
      const file = join(entry.parentPath, entry.name)
      const text = readFileSync(file, 'utf8').replace(/\/\*[\s\S]*?\*\//g, '')
      return {
        path: relative(ROOT, file).replaceAll('\\', '/'),
        text,
        classes: new Set([...text.matchAll(/\.([a-zA-Z][\w-]*)(?=[^{}]*\{)/g)].map(([, name = '']) => name)),
        layers: [...text.matchAll(/@layer (\w+) \{/g)].map(([, name = '']) => name)
      }
    })
}

/** The stylesheets of each class. */
export function homesOfClasses(sheets: readonly Stylesheet[]): ReadonlyMap<string, readonly string[]> {
  const homes = new Map<string, string[]>()
  for (const { path, classes } of sheets)
    for (const name of classes) homes.set(name, [...(homes.get(name) ?? []), path])
  return homes
}
