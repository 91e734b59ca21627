/**
 * The built programs, as users run them. They start in a tenth of the time of the sources, and a failure in the bundles is a
 * failure for users. `npm test` builds them first; `npm run build` does it alone.
 */
import { join, resolve } from 'node:path'
import type { Programs } from '../../src/main/cli/open-client.ts'

const OUT = resolve(import.meta.dirname, '../../out/main')

export const CLI = join(OUT, 'cli.cjs')
/** What `bin/driftline hook` starts. */
export const HOOK = join(OUT, 'hook.cjs')
/** What a command loads when there is no recorder. */
export const ENGINE = join(OUT, 'cli-engine.cjs')
/** The process of an initial snapshot. */
export const INGEST_PROGRAM = join(OUT, 'ingest-child.js')
/** A thread that reads for it. */
export const INGEST_WORKER = join(OUT, 'ingest-worker.js')
/** The engine's second thread, which takes stats of many files or reads a large one. */
export const FILE_HELPER = join(OUT, 'file-helper.cjs')
/** What a command line in the process of a test starts and loads. Its engine is the built one, loaded once. */
export const COMMAND_PROGRAMS: Programs = {
  engine: resolve(import.meta.dirname, 'built-engine.ts'),
  ingest: INGEST_PROGRAM,
  fileHelper: FILE_HELPER,
  recorder: join(OUT, 'recorder.cjs'),
  serve: join(OUT, 'serve.js')
}

const bundled = (name: string): string => resolve(import.meta.dirname, '../../out/test', `${name}.js`)

/** Programs of the tests, bundled by global-setup.ts from the file of that name in this folder. */
export const TEST_PROGRAMS = {
  'crash-child': bundled('crash-child'),
  copier: bundled('copier'),
  'crash-add': bundled('crash-add'),
  'killed-copier': bundled('killed-copier')
} as const
