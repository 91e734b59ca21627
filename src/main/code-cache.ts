/**
 * Loads a CommonJS program file with its code cache: the bytecode V8 compiled in an earlier process.
 *
 * Node's own compile cache stores what is compiled while a file loads. V8 compiles functions lazily, at their first
 * call, and a short-lived program spends most of its time there. This cache is written after the work is done, so it
 * includes them. https://v8.dev/blog/improved-code-caching
 *
 * The build leaves one beside the program, for the first commands in a new data folder; it is trusted as the program is.
 */
import { isAscii } from 'node:buffer'
import { closeSync, existsSync, fstatSync, mkdirSync, openSync, renameSync, unlinkSync, writeFileSync } from 'node:fs'
import { createRequire, Module } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Script } from 'node:vm'
import { errorCode, ignoreFsErrors } from './engine/files/fs-errors.ts'
import { fill } from './engine/files/read-small-file.ts'

interface LoadedProgram {
  readonly exports: unknown
  /**
   * Writes the compiled code to the cache, if the cache was unusable or has less code. Never throws on file system
   * errors.
   */
  saveCode(): void
}

/** How long a process that stays has run when its code is saved, ms: then most of what a start calls was compiled. */
const SAVE_DELAY_MS = 10_000

/** Saves the code of a program in a process that stays. One that ends before needs nothing saved. */
export function saveCodeSoon({ saveCode }: LoadedProgram): void {
  setTimeout(saveCode, SAVE_DELAY_MS).unref()
}

/**
 * A usable cache is checked for new functions in one of this many runs: serializing costs time, and each event calls
 * others.
 */
const RECHECK_INTERVAL = 16

/** A program file that was read, with its compiled code if there is some of exactly this source. */
export interface ReadProgram {
  readonly file: string
  /** The folder of the cache. */
  readonly folder: string
  readonly source: Uint8Array
  readonly code: Uint8Array | null
}

/** Allocates memory for that many bytes. */
type Allocate = (size: number) => Buffer

/** In memory that threads share: one thread may read a program that another one runs. */
export const inSharedMemory: Allocate = (size) => Buffer.from(new SharedArrayBuffer(size))

/**
 * Loads a program: with its code cache if the build bundled it, else as a module. `folder`: as of readProgram; null
 * without a folder for a cache.
 */
export async function importProgram(file: string, folder: string | null): Promise<LoadedProgram> {
  if (hasCodeCache(file, folder)) return runProgram(readProgram(file, folder))
  return { exports: await import(pathToFileURL(file).href), saveCode: () => {} }
}

/** Whether a program is one that readProgram reads. */
export function hasCodeCache<F extends string | null>(file: string, folder: F): folder is F & string {
  return folder !== null && file.endsWith('.cjs')
}

/**
 * Reads `file`, a CommonJS program without `import()`. `folder` must be private to the user, because cached code is
 * executed. A cache that is unreadable, damaged, or of another version of the program is ignored.
 */
export function readProgram(file: string, folder: string, allocate: Allocate = Buffer.allocUnsafeSlow): ReadProgram {
  const source = readWhole(file, allocate)
  const ofSource = (cache: string) => readCode(cache, source, allocate)
  return { file, folder, source, code: ofSource(cacheOf(file, folder)) ?? ofSource(cacheOf(file, dirname(file))) }
}

/** Runs a program. Code of another version of V8 is ignored. */
export function runProgram({ file, folder, ...read }: ReadProgram): LoadedProgram {
  const [source, cached] = [bufferOf(read.source), read.code && bufferOf(read.code)]
  // The build escapes other characters, because these bytes are read in a fifth of the time.
  const text = source.toString(isAscii(source) ? 'latin1' : 'utf8')
  const script = new Script(`${WRAPPER_START}${text}\n})`, {
    filename: file,
    ...(cached ? { cachedData: cached } : {})
  })
  const usable = cached !== null && script.cachedDataRejected !== true
  const require = createRequire(file)
  const module = new Module(file)
  // Files that the program loads later require it for what they share.
  require.cache[file] = module
  const run = script.runInThisContext() as (...args: readonly unknown[]) => void
  run(module.exports, require, module, file, dirname(file))
  return {
    exports: module.exports,
    saveCode: () => {
      if (usable && Math.random() * RECHECK_INTERVAL >= 1) return
      const code = script.createCachedData()
      if (!usable || code.length > cached.length)
        write(folder, cacheOf(file, folder), [lengthPrefix(source), source, code])
    }
  }
}

const cacheOf = (file: string, folder: string): string => join(folder, `${basename(file)}.code`)

/** The same bytes: what another thread sent is no Buffer. */
const bufferOf = ({ buffer, byteOffset, length }: Uint8Array): Buffer => Buffer.from(buffer, byteOffset, length)

/** On one line, so that line numbers in stack traces stay correct. */
const WRAPPER_START = '(function (exports, require, module, __filename, __dirname) { '

/**
 * The cached code of exactly this source, else null. V8 checks its own version and flags, but of the source only the
 * length. So the file contains the whole source before the code: 4 bytes length (little-endian), source, code.
 */
function readCode(cache: string, source: Buffer, allocate: Allocate): Buffer | null {
  try {
    const file = readWhole(cache, allocate)
    const start = 4 + source.length
    if (file.length <= start || file.readUInt32LE(0) !== source.length || !file.subarray(4, start).equals(source))
      return null
    return file.subarray(start)
  } catch (error) {
    if (errorCode(error) === '') throw error
    return null
  }
}

function readWhole(path: string, allocate: Allocate): Buffer {
  const fd = openSync(path, 'r')
  try {
    const bytes = allocate(fstatSync(fd).size)
    return bytes.subarray(0, fill(fd, bytes))
  } finally {
    closeSync(fd)
  }
}

function lengthPrefix(source: Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32LE(source.length)
  return length
}

/** Flushed, then renamed: after a power failure, an unflushed file may contain zeros, which V8 might accept as code. */
function write(folder: string, cache: string, parts: readonly Buffer[]): void {
  const draft = `${cache}.${process.pid}`
  // A failure only costs speed.
  ignoreFsErrors(() => {
    // A data folder that was deleted meanwhile is not made again.
    if (!existsSync(folder)) mkdirSync(folder, { mode: 0o700 })
    const written = ignoreFsErrors(() => {
      writeFileSync(draft, Buffer.concat(parts), { mode: 0o600, flush: true })
      renameSync(draft, cache)
    })
    if (!written) unlinkSync(draft)
  })
}
