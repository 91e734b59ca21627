/**
 * Loads a program of one CommonJS file together with the code V8 made of it before. Node's own compile cache keeps what is
 * compiled when a file is loaded; functions are compiled at their first call, which for a program that lives for one event
 * is most of the work. Kept here is what there is after the work is done.
 */
import { mkdirSync, readFileSync, renameSync, unlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { Script } from 'node:vm'
import { errorCode } from './engine/ports/fs-errors.ts'

export interface LoadedProgram {
  readonly exports: unknown
  /** Keeps the code as it is compiled now, when nothing useful was kept yet or more has been compiled since. Never throws. */
  keep(): void
}

/** What is kept is looked at again once in so many times: each event needs some functions others did not. */
const LOOK_AGAIN = 16

/**
 * Runs `file`, a CommonJS program that loads nothing by `import()`. `folder` is ours alone; what cannot be read there, is
 * damaged, or belongs to another version of the program or of V8 is not used.
 */
export function loadProgram(file: string, folder: string): LoadedProgram {
  const source = readFileSync(file)
  const cache = join(folder, `${basename(file)}.code`)
  const kept = read(cache, source)
  const script = new Script(`${OPENING}${source.toString('utf8')}\n})`, {
    filename: file,
    ...(kept ? { cachedData: kept } : {})
  })
  const usable = kept !== null && script.cachedDataRejected !== true
  const module = { exports: {} as unknown }
  const run = script.runInThisContext() as (...given: readonly unknown[]) => void
  run(module.exports, createRequire(file), module, file, dirname(file))
  return {
    exports: module.exports,
    keep: () => {
      if (usable && Math.random() * LOOK_AGAIN >= 1) return
      const code = script.createCachedData()
      if (!usable || code.length > kept.length) write(folder, cache, [lengthOf(source), source, code])
    }
  }
}

/** On one line, so that lines of errors stay right. */
const OPENING = '(function (exports, require, module, __filename, __dirname) { '

/**
 * The code kept for exactly this program. V8 knows its own version and flags, but of the source only the length; so the
 * text stands before the code, and is compared.
 */
function read(cache: string, source: Buffer): Buffer | null {
  try {
    const all = readFileSync(cache)
    const start = 4 + source.length
    if (all.length <= start || all.readUInt32LE(0) !== source.length || !all.subarray(4, start).equals(source))
      return null
    return all.subarray(start)
  } catch (error) {
    if (errorCode(error) === '') throw error
    return null
  }
}

function lengthOf(source: Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32LE(source.length)
  return length
}

/** In one step and flushed before it: a file of zeros after a power cut would be taken for code. */
function write(folder: string, cache: string, parts: readonly Buffer[]): void {
  const draft = `${cache}.${process.pid}`
  // Only speed is lost.
  unlessRefused(() => {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const made = unlessRefused(() => {
      writeFileSync(draft, Buffer.concat(parts), { mode: 0o600, flush: true })
      renameSync(draft, cache)
    })
    if (!made) unlinkSync(draft)
  })
}

/** False when the file system says no. */
function unlessRefused(work: () => void): boolean {
  try {
    work()
    return true
  } catch (error) {
    if (errorCode(error) === '') throw error
    return false
  }
}
