/** The code cache only saves time: the program file on disk is always the one that runs. */
import { spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

let root: string
let program: string
let cache: string

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'driftline-code-'))
  program = join(root, 'program.cjs')
  cache = join(root, 'cache', 'program.cjs.code')
  writeFileSync(program, sourceWith('first'))
  writeFileSync(join(root, 'part.cjs'), "exports.Part = class extends require('./program.cjs').Shared {}\n")
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

/** Asks a file of its own, as programs do that load a part of themselves late; that requires the program for what both need. */
function sourceWith(word: string): string {
  return `const { basename } = require('node:path')
class Shared {}
exports.Shared = Shared
const lazy = () => ({ word: new (require('./part.cjs').Part)() instanceof Shared ? '${word}' : 'twice', file: basename(__filename) })
exports.answer = () => lazy()
`
}

/** Loads the program in a process of its own, calls it and saves its code. */
function run(folder = join(root, 'cache')): { word: string; file: string; cached: boolean } {
  const loader = JSON.stringify(resolve('src/main/code-cache.ts'))
  const text = `import { inSharedMemory, readProgram, runProgram } from ${loader}
const read = readProgram(${JSON.stringify(program)}, ${JSON.stringify(folder)}, inSharedMemory)
// As it arrives in another thread.
const { exports, saveCode } = runProgram(structuredClone(read))
const answer = exports.answer()
saveCode()
console.log(JSON.stringify(answer))`
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module-typescript', '-e', text], {
    encoding: 'utf8'
  })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  return { ...(JSON.parse(stdout) as { word: string; file: string }), cached: existsSync(cache) }
}

describe('a program loaded with a code cache', () => {
  test('gives the same answer on every run, and the cache stays unchanged', () => {
    expect(run()).toEqual({ word: 'first', file: 'program.cjs', cached: true })
    const code = readFileSync(cache)
    for (let i = 0; i < 3; i++) expect(run()).toMatchObject({ word: 'first' })
    expect(readFileSync(cache).equals(code)).toBe(true)
    expect(readdirSync(join(root, 'cache'))).toEqual(['program.cjs.code'])
  })

  test('is used from beside the program, where the build leaves it, and not written again', () => {
    run()
    renameSync(cache, `${program}.code`)
    for (let i = 0; i < 3; i++) expect(run()).toEqual({ word: 'first', file: 'program.cjs', cached: false })
    writeFileSync(program, sourceWith('other'))
    expect(run()).toMatchObject({ word: 'other', cached: true })
  })

  test('never runs the code of another version, not even one of the same length', () => {
    run()
    writeFileSync(program, sourceWith('other'))
    expect(run()).toMatchObject({ word: 'other' })
    expect(run()).toMatchObject({ word: 'other' })
  })

  test('runs from its source when the cache is empty, truncated, zeros or not code', () => {
    run()
    const whole = readFileSync(cache)
    const zeros = Buffer.concat([whole.subarray(0, 4 + sourceWith('first').length), Buffer.alloc(1000)])
    for (const damaged of [
      Buffer.alloc(0),
      whole.subarray(0, 3),
      whole.subarray(0, 60),
      zeros,
      Buffer.from('no code')
    ]) {
      writeFileSync(cache, damaged)
      expect(run()).toMatchObject({ word: 'first' })
      expect(readFileSync(cache).equals(damaged), 'an unusable cache is replaced').toBe(false)
    }
    truncateSync(cache, whole.length - 100)
    expect(run()).toMatchObject({ word: 'first' })
  })

  test('[RC-2] a data folder that was deleted is not made again', () => {
    const data = join(root, 'deleted')
    expect(run(join(data, 'cache'))).toMatchObject({ word: 'first' })
    expect(existsSync(data)).toBe(false)
  })

  test('runs when the cache cannot be written', () => {
    writeFileSync(join(root, 'cache'), 'a file where the folder should be')
    expect(run()).toEqual({ word: 'first', file: 'program.cjs', cached: false })
    rmSync(join(root, 'cache'))
    mkdirSync(join(root, 'cache', 'program.cjs.code'), { recursive: true })
    expect(run()).toMatchObject({ word: 'first' })
    expect(readdirSync(join(root, 'cache'))).toEqual(['program.cjs.code'])
  })
})
