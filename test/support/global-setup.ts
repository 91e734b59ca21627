/**
 * Runs once before the tests: gives their files the usual modes, says when the built programs are older than their sources, and bundles the programs of the tests
 * themselves if a source is newer.
 */
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'vite'
import { isBuilt } from '../../scripts/build-if-needed.mjs'
import { TEST_PROGRAMS } from './programs.ts'

const ROOT = join(import.meta.dirname, '../..')
const OUT = join(ROOT, 'out/test')
/** From source, such a program spends a second on loading hundreds of files; crash tests start dozens. */
const NAMES = Object.keys(TEST_PROGRAMS)

/** Tests themselves are in no page and no program. */
function newest(path: string): number {
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.test.ts'))
    .reduce((latest, entry) => Math.max(latest, statSync(join(entry.parentPath, entry.name)).mtimeMs), 0)
}

/** Whether all these files are there, and newer than everything in the folders. */
export function isNewer(files: readonly string[], folders: readonly string[]): boolean {
  const built = files.map((file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0)
  return Math.min(...built) > Math.max(...folders.map(newest))
}

export default async function setup(): Promise<void> {
  // Inherited by the processes of the tests, which name modes: Ubuntu lets the group write, and some let nobody else read.
  process.umask(0o022)
  if (!isBuilt()) console.warn('The build is older than the sources: tests of programs need "npm run build" first.')
  if (isNewer(Object.values(TEST_PROGRAMS), [join(ROOT, 'src'), join(ROOT, 'test/support')])) return
  await build({
    configFile: false,
    root: ROOT,
    logLevel: 'warn',
    // Every file that a start reads costs: with the packages in one file, it takes half of the time.
    ssr: { noExternal: true, external: ['better-sqlite3'] },
    build: {
      ssr: true,
      target: 'node22',
      outDir: OUT,
      emptyOutDir: false,
      rolldownOptions: {
        input: Object.fromEntries(NAMES.map((name) => [name, join(ROOT, `test/support/${name}.ts`)])),
        output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' }
      }
    }
  })
}
