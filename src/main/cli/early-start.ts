/**
 * Starts the recorder before the command is loaded, so that both happen at once. Apart from the commands, and small: each of
 * them reads this first.
 */
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { dataDirOf, foreignAccess } from '../host/data-dir.ts'
import { ENGINE_FILE } from '../host/engine-file.ts'
import { mayStartRecorder, type StartedRecorder, startRecorder } from '../host/start-recorder.ts'
import { hookWords } from './hook-words.ts'

/** Commands that call the recorder of this computer before anything else. */
export const CALLS_AT_ONCE: ReadonlySet<string> = new Set([
  'blame',
  'cat',
  'checkpoint',
  'checkpoints',
  'diff',
  'drift',
  'history',
  'log',
  'redo',
  'restore',
  'run',
  'search',
  'show',
  'status',
  'undo',
  'undo-run'
])

/** Options with which it calls none. */
const WITHOUT = new Set(['--help', '-h', '--host'])

/**
 * The data folder of a command that will need its recorder, where none has left its name; null where the command itself has
 * to decide. `argv`: all arguments of the process.
 */
export function folderWithoutRecorder(argv: readonly string[], env: NodeJS.ProcessEnv): string | null {
  // What follows is the command line of another program.
  const end = argv.indexOf('--')
  const { words, data } = hookWords(end === -1 ? argv : argv.slice(0, end))
  const isCall = CALLS_AT_ONCE.has(words[0] ?? '') && !words.some((word) => WITHOUT.has(word.split('=', 1)[0] ?? ''))
  if (!isCall || !mayStartRecorder(env)) return null
  const dataDir = dataDirOf(data)
  const stats = statSync(dataDir, { throwIfNoEntry: false })
  if (!stats?.isDirectory() || foreignAccess(stats) !== null || existsSync(join(dataDir, ENGINE_FILE))) return null
  return dataDir
}

/** Starts `program`, the recorder, for a command that will need it. Null where none is needed yet. */
export function startEarly(argv: readonly string[], program: string): StartedRecorder | null {
  const dataDir = folderWithoutRecorder(argv, process.env)
  return dataDir === null ? null : startRecorder(program, dataDir)
}
