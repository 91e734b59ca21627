/**
 * Where the programs and folders are that a host starts or serves, from the sources and from the build alike.
 * This file stays in src/main: the build keeps every chunk flat in out/main, so both have the same shape.
 */
import { join } from 'node:path'

const extension = import.meta.filename.endsWith('.ts') ? '.ts' : '.js'
const here = import.meta.dirname

export const PROGRAMS = {
  /** The engine's worker thread. */
  engineWorker: join(here, `engine-worker${extension}`),
  /** The child process that takes first copies. */
  ingest: join(here, `ingest-child${extension}`),
  /** What agents call, and what it loads without a host; the build makes each one CommonJS file, which starts fastest. */
  hook: join(here, extension === '.ts' ? 'hook.ts' : 'hook.cjs'),
  hookEngine: join(here, extension === '.ts' ? 'hook-engine.ts' : 'hook-engine.cjs'),
  /** The engine of a command without a host, built the same way. */
  engine: join(here, extension === '.ts' ? 'cli-engine.ts' : 'cli-engine.cjs'),
  /** The headless host. */
  serve: join(here, `serve${extension}`),
  /** Built pages; only the build has them. */
  renderer: join(here, '../../out/renderer'),
  preload: join(here, '../../out/preload/index.cjs'),
  /** Pictures for the tray. */
  icons: join(here, '../../packaging/icons')
} as const
