/**
 * The built programs, as users run them. They start in a tenth of the time of the sources, and a failure in the bundles is a
 * failure for users. `npm test` builds them first; `npm run build` does it alone.
 */
import { join, resolve } from 'node:path'

const OUT = resolve(import.meta.dirname, '../../out/main')

export const CLI = join(OUT, 'cli.js')
/** What `bin/driftline hook` starts. */
export const HOOK = join(OUT, 'hook.cjs')
/** The process of an initial snapshot. */
export const INGEST_PROGRAM = join(OUT, 'ingest-child.js')

const bundled = (name: string): string => resolve(import.meta.dirname, '../../out/test', `${name}.js`)

/** Programs of the tests, bundled by global-setup.ts from the file of that name in this folder. */
export const TEST_PROGRAMS = {
  'crash-child': bundled('crash-child'),
  'crash-add': bundled('crash-add')
} as const
