/** What V8 made of a program is kept between processes, and only ever saves time: the program that stands there is the one that runs. */
import { spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

let root: string
let program: string
let kept: string

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'driftline-code-'))
  program = join(root, 'program.cjs')
  kept = join(root, 'cache', 'program.cjs.code')
  writeFileSync(program, says('first'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

function says(word: string): string {
  return `const { basename } = require('node:path')
const late = () => ({ word: '${word}', file: basename(__filename) })
exports.say = () => late()
`
}

/** Loads the program in a process of its own, uses it and lets its code be kept. */
function run(): { word: string; file: string; kept: boolean } {
  const loader = JSON.stringify(resolve('src/main/code-cache.ts'))
  const text = `import { loadProgram } from ${loader}
import { existsSync } from 'node:fs'
const { exports, keep } = loadProgram(${JSON.stringify(program)}, ${JSON.stringify(join(root, 'cache'))})
const said = exports.say()
keep()
console.log(JSON.stringify(said))`
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module-typescript', '-e', text], {
    encoding: 'utf8'
  })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  return { ...(JSON.parse(stdout) as { word: string; file: string }), kept: existsSync(kept) }
}

describe('a program that is loaded with the code kept of it', () => {
  test('says the same the first time and every time after, and its code stays as it was kept', () => {
    expect(run()).toEqual({ word: 'first', file: 'program.cjs', kept: true })
    const code = readFileSync(kept)
    for (let again = 0; again < 3; again++) expect(run()).toMatchObject({ word: 'first' })
    expect(readFileSync(kept).equals(code)).toBe(true)
    expect(readdirSync(join(root, 'cache'))).toEqual(['program.cjs.code'])
  })

  test('is never mixed up with another version, not even one of the same length', () => {
    run()
    writeFileSync(program, says('other'))
    expect(run()).toMatchObject({ word: 'other' })
    expect(run()).toMatchObject({ word: 'other' })
  })

  test('runs from its text when what was kept is empty, cut off, zeros, or code of something else', () => {
    run()
    const whole = readFileSync(kept)
    const zeros = Buffer.concat([whole.subarray(0, 4 + says('first').length), Buffer.alloc(1000)])
    for (const damaged of [
      Buffer.alloc(0),
      whole.subarray(0, 3),
      whole.subarray(0, 60),
      zeros,
      Buffer.from('no code')
    ]) {
      writeFileSync(kept, damaged)
      expect(run()).toMatchObject({ word: 'first' })
      expect(readFileSync(kept).equals(damaged), 'what cannot be used is made anew').toBe(false)
    }
    truncateSync(kept, whole.length - 100)
    expect(run()).toMatchObject({ word: 'first' })
  })

  test('runs where nothing can be kept', () => {
    writeFileSync(join(root, 'cache'), 'a file where the folder should be')
    expect(run()).toEqual({ word: 'first', file: 'program.cjs', kept: false })
    rmSync(join(root, 'cache'))
    mkdirSync(join(root, 'cache', 'program.cjs.code'), { recursive: true })
    expect(run()).toMatchObject({ word: 'first' })
    expect(readdirSync(join(root, 'cache'))).toEqual(['program.cjs.code'])
  })
})
