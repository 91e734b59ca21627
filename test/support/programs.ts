/**
 * The built programs, as users run them. They start in a tenth of the time of the sources, and a failure in the bundles is a
 * failure for users. `npm test` builds them first; `npm run build` does it alone.
 */

import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const OUT = resolve(import.meta.dirname, '../../out/main')

export const CLI = join(OUT, 'cli.js')
/** What `bin/driftline hook` starts. */
export const HOOK = join(OUT, 'hook.cjs')
/** The process of an initial snapshot. */
export const INGEST_PROGRAM = join(OUT, 'ingest-child.js')

/** For programs of the tests, which are sources: compiled code shared by all of them makes later starts faster. */
export const COMPILE_CACHE = { NODE_COMPILE_CACHE: join(tmpdir(), 'driftline-test-compile-cache') }
