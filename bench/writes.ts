/** Processor time of a recorder while 5,000 files are written: by a program that only writes, and by a build. */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { Figure, Row, Setting } from './figure.ts'
import { random, sourceText } from './generated-tree.ts'
import { processorTime, startHost, untilIdle } from './host-process.ts'
import { CLI, record } from './recorded.ts'
import { inSeconds, median, times } from './statistics.ts'
import { timed } from './timed.ts'

const FILES = 5000
const FILES_PER_FOLDER = 20
/** Bytes of a written file, at least: 2.8 kB on average. */
const SIZE = 2600
/** Processor time of the recorder / that of the build. */
const TARGET = 0.25
const TSC = resolve(import.meta.dirname, '../node_modules/typescript/bin/tsc')
const CONFIG = {
  compilerOptions: {
    target: 'es2023',
    module: 'esnext',
    moduleResolution: 'bundler',
    strict: true,
    rootDir: 'src',
    outDir: 'dist'
  },
  include: ['src']
}

export const WRITES: Figure = {
  name: 'writes',
  measure: async (setting) => {
    const files = setting.quick ? 500 : FILES
    const project = setting.folder('project')
    const sources = setting.folder('sources')
    const next = random(7)
    writeFileSync(join(project, 'tsconfig.json'), JSON.stringify(CONFIG))
    for (let n = 0; n < files; n++) {
      put(join(project, 'src', moduleFile(n)), moduleText(n, next))
      put(join(sources, moduleFile(n)), sourceText(SIZE, next))
    }
    const copy = ['-e', `require('fs').cpSync(${JSON.stringify(sources)}, 'written', { recursive: true })`]
    return [
      await measured(setting, project, files, { name: 'a program that only writes', args: copy, output: 'written' }),
      await measured(setting, project, files, { name: 'a build by tsc', args: [TSC], output: 'dist' })
    ]
  }
}

interface Writer {
  readonly name: string
  /** Of Node, in the project. */
  readonly args: readonly string[]
  /** The folder that it writes, which is not ignored. */
  readonly output: string
}

async function measured(setting: Setting, project: string, files: number, writer: Writer): Promise<Row> {
  const isBuild = writer.output === 'dist'
  const data = await record(setting, project)
  const home = setting.folder('home')
  const host = await startHost(data, { env: { HOME: home } })
  const pid = host.process.pid as number
  const ours: number[] = []
  const theirs: number[] = []
  try {
    for (let round = 0; round < (setting.quick ? 1 : 3); round++) {
      await untilIdle(pid)
      const before = processorTime(pid)
      const { user, system } = await timed(process.execPath, writer.args, project)
      await untilIdle(pid)
      ours.push(processorTime(pid) - before)
      theirs.push(user + system)
      const written = readdirSync(join(project, writer.output), { recursive: true, withFileTypes: true })
      if (written.filter((entry) => entry.isFile()).length !== files) throw new Error('not all files were written')
      rmSync(join(project, writer.output), { recursive: true })
      await untilIdle(pid)
      await timed(process.execPath, [CLI, '--data', data, 'status'], project)
    }
  } finally {
    await host.stop()
  }
  const ratio = median(ours) / median(theirs)
  return {
    figure: `the recorder beside ${writer.name}, processor time`,
    on: `${files} files of 2.8 kB, ${ours.length} times`,
    ours: inSeconds(median(ours)),
    theirs: inSeconds(median(theirs)),
    result: times(ratio),
    target: isBuild ? `<= ${times(TARGET)}` : '',
    reached: isBuild ? ratio <= TARGET : null,
    note: `${((median(ours) * 1000) / files).toFixed(2)} ms a file`,
    numbers: { ratio, ours, theirs }
  }
}

function put(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

const moduleFile = (n: number): string => `part-${Math.floor(n / FILES_PER_FOLDER)}/module-${n}.ts`

/** A module as a project has them: types, a class, functions, and imports from modules before it. */
function moduleText(n: number, next: () => number): string {
  const needed = n === 0 ? [] : [...new Set([Math.floor(next() * n), Math.floor(next() * n), n - 1])]
  const lines = needed.map((m) => `import { type Item${m}, parse${m} } from '../${moduleFile(m).replace('.ts', '')}'`)
  lines.push(
    `export interface Item${n} {`,
    '  readonly id: string',
    '  readonly size: number',
    "  readonly kind: 'file' | 'folder' | 'link'",
    `  readonly children: readonly Item${n}[]`,
    ...needed.map((m) => `  readonly from${m}?: Item${m}`),
    '}',
    `export function parse${n}(text: string): Item${n} {`,
    `  const found = JSON.parse(text) as Partial<Item${n}>`,
    "  if (typeof found.id !== 'string') throw new TypeError('an item needs an id')",
    `  return { id: found.id, size: found.size ?? 0, kind: found.kind ?? 'file', children: found.children ?? [] }`,
    '}',
    `export class Store${n} {`,
    `  readonly #items = new Map<string, Item${n}>()`,
    `  add(item: Item${n}): this {`,
    '    this.#items.set(item.id, item)',
    '    return this',
    '  }',
    '  get total(): number {',
    '    return [...this.#items.values()].reduce((sum, { size }) => sum + size, 0)',
    '  }',
    '}'
  )
  for (let f = 0; lines.join('\n').length < SIZE; f++) {
    const name = `step${n}_${f}`
    lines.push(
      `export function ${name}(items: readonly Item${n}[], limit = ${Math.floor(next() * 1000)}): Map<string, number> {`,
      '  const sizes = new Map<string, number>()',
      "  for (const { id, size, children } of items.filter(({ kind }) => kind !== 'link')) {",
      `    const below = children.length > 0 ? [...${name}(children, limit).values()].reduce((a, b) => a + b, 0) : 0`,
      `    if (size + below > limit) sizes.set(\`\${id}:${f}\`, size + below)`,
      '  }',
      '  return sizes',
      '}'
    )
  }
  if (needed.length > 0)
    lines.push(`export const parsers${n} = [${needed.map((m) => `parse${m}`).join(', ')}] as const`)
  return `${lines.join('\n')}\n`
}
