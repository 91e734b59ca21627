/**
 * Paths of the programs and folders that a host starts or serves, for sources and build alike. This file must stay
 * directly in src/main: the build puts all chunks directly into out/main, so relative paths are the same in both.
 */
import { join } from 'node:path'

const extension = import.meta.filename.endsWith('.ts') ? '.ts' : '.js'
const here = import.meta.dirname

/** The folder that holds this program, whole. */
export const PROGRAM_ROOT = join(here, '../..')

export const PROGRAMS = {
  /** The engine's worker thread. */
  engineWorker: join(here, extension === '.ts' ? 'engine-worker.ts' : 'engine-worker.cjs'),
  /** The child process that takes initial snapshots. */
  ingest: join(here, `ingest-child${extension}`),
  /** The engine's second thread, which takes stats of many files or reads a large one. */
  fileHelper: join(here, extension === '.ts' ? 'file-helper.ts' : 'file-helper.cjs'),
  /**
   * The hook, and what it loads to save an event that no recorder took. The build bundles each into one CommonJS file,
   * which starts fastest.
   */
  hook: join(here, extension === '.ts' ? 'hook.ts' : 'hook.cjs'),
  hookSpool: join(here, extension === '.ts' ? 'hook-spool.ts' : 'hook-spool.cjs'),
  /** The other commands, and the engine, bundled the same way. */
  command: join(here, extension === '.ts' ? 'command.ts' : 'command.cjs'),
  engine: join(here, extension === '.ts' ? 'cli-engine.ts' : 'cli-engine.cjs'),
  /** The recorder in the background, and what it loads beside its engine. */
  recorder: join(here, extension === '.ts' ? 'recorder.ts' : 'recorder.cjs'),
  recorderHost: join(here, extension === '.ts' ? 'recorder-host.ts' : 'recorder-host.cjs'),
  /** The headless host. */
  serve: join(here, `serve${extension}`),
  /** The built pages; they exist only after a build. */
  renderer: join(here, '../../out/renderer'),
  preload: join(here, '../../out/preload/index.cjs'),
  /** Tray icons. */
  icons: join(here, '../../packaging/icons')
} as const
