/** Generates a tree that resembles a project: about six files per folder, source-like text, some binaries. Deterministic. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const FILES_PER_FOLDER = 6
const FOLDERS_PER_FOLDER = 8
/** Sizes are log-normal around this many bytes. */
const MEDIAN_SIZE = 3000
const SPREAD = 1.1
const LARGEST = 400_000
const BINARY_SHARE = 0.04

const WORDS =
  'const let return function import export from await async if else for of while new this value result options path name state index list map set read write open close error message type interface readonly string number boolean null undefined true false length push filter event handler request response config default module node item key id size time check apply plan restore'.split(
    ' '
  )

/** A generator of numbers in [0, 1) from a seed (mulberry32). */
export function random(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

/** Source-like text of about `size` bytes. It mixes unique names with common words, so that it compresses like real code. */
export function sourceText(size: number, next: () => number): string {
  const own = Array.from({ length: 24 }, () => `${word(next)}${capital(word(next))}${Math.floor(next() * 90)}`)
  const lines: string[] = []
  let length = 0
  while (length < size) {
    const indent = '  '.repeat(Math.floor(next() * 4))
    const parts = Array.from({ length: 2 + Math.floor(next() * 7) }, () =>
      next() < 0.45 ? (own[Math.floor(next() * own.length)] as string) : word(next)
    )
    const line = `${indent}${parts[0]} ${parts.slice(1).join(next() < 0.5 ? '.' : ', ')}${next() < 0.3 ? ' {' : ''}`
    lines.push(line)
    length += line.length + 1
  }
  return `${lines.join('\n')}\n`
}

function word(next: () => number): string {
  return WORDS[Math.floor(next() * WORDS.length)] as string
}
function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function size(next: () => number): number {
  const normal = Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next())
  return Math.min(LARGEST, Math.max(1, Math.round(MEDIAN_SIZE * Math.exp(SPREAD * normal))))
}

function binary(length: number, next: () => number): Buffer {
  const bytes = Buffer.alloc(length)
  for (let at = 0; at < length; at++) bytes[at] = next() * 256
  return bytes
}

function folderName(n: number): string {
  return n === 0 ? '' : join(folderName(Math.floor((n - 1) / FOLDERS_PER_FOLDER)), `part-${n}`)
}

/** Writes `files` files below `folder`, unless done before. Resolves when all files are older than 2 s. */
export async function writeTree(folder: string, files: number): Promise<void> {
  const done = `${folder}.done`
  if (existsSync(done)) return
  const next = random(files)
  for (let n = 0; n < files; n++) {
    const within = join(folder, folderName(Math.floor(n / FILES_PER_FOLDER)))
    if (n % FILES_PER_FOLDER === 0) mkdirSync(within, { recursive: true })
    const length = size(next)
    if (next() < BINARY_SHARE) writeFileSync(join(within, `asset-${n}.bin`), binary(length, next))
    else writeFileSync(join(within, `module-${n}.ts`), sourceText(length, next))
  }
  writeFileSync(done, '')
  // Both sides read newer files again, because their times are not reliable yet (racy, as git calls it).
  await new Promise((resolve) => setTimeout(resolve, 2200))
}
