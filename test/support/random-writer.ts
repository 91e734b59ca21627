/**
 * A program that changes a folder at random, as fast as it can: `random-writer.ts FOLDER SEED CHANGES`. It prints a dot after
 * each change, so that a test can act in the middle of its work.
 */
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync
} from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const NAMES = ['a.ts', 'b b.md', 'ü.txt', '.env', 'Makefile']
/** Above what is stored in chunks. */
const LARGE = 1_500_000

/** Numbers from 0 to below 1, the same for the same seed (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Changes one thing in a folder. `random`: as of `seededRandom`. */
export function changeAtRandom(root: string, random: () => number): void {
  const below = (count: number): number => Math.floor(random() * count)
  const pick = <T>(all: readonly T[]): T => all[below(all.length)] as T
  const entries = readdirSync(root, { recursive: true, withFileTypes: true }).sort((a, b) =>
    join(a.parentPath, a.name) < join(b.parentPath, b.name) ? -1 : 1
  )
  const folders = [root, ...entries.filter((one) => one.isDirectory()).map((one) => join(one.parentPath, one.name))]
  const files = entries.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name))
  const isFree = (path: string): boolean => !lstatSync(path, { throwIfNoEntry: false })
  const isFileOrFree = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isFile() ?? true
  const text = (): string => Array.from({ length: below(90) }, (_, n) => `line ${n} ${random()}\n`).join('')
  const write = (path: string, content: string): void => {
    if (isFileOrFree(path)) writeFileSync(path, content)
  }
  const inPlace = (): void => {
    if (files.length > 0) write(pick(files), `${readFileSync(pick(files), 'utf8')}appended ${random()}\n`)
  }
  const replace = (): void => {
    const path = join(pick(folders), pick(NAMES))
    if (!isFileOrFree(path)) return
    writeFileSync(`${path}.tmp`, text())
    renameSync(`${path}.tmp`, path)
  }
  const moveFolder = (): void => {
    const [from, to] = [pick(folders), join(pick(folders), `moved${below(6)}`)]
    if (from !== root && !`${to}/`.startsWith(`${from}/`) && isFree(to)) renameSync(from, to)
  }
  const moveFile = (): void => {
    const to = join(pick(folders), pick(NAMES))
    if (files.length > 0 && isFileOrFree(to)) renameSync(pick(files), to)
  }
  const deleteFolder = (): void => {
    const folder = pick(folders)
    if (folder !== root) rmSync(folder, { recursive: true })
  }
  const link = (): void => {
    const path = join(pick(folders), `link${below(3)}`)
    if (isFree(path)) symlinkSync(pick(['a.ts', '../b', 'nowhere']), path)
  }
  const writeNew = (): void => write(join(pick(folders), pick(NAMES)), text())
  pick([
    writeNew,
    writeNew,
    writeNew,
    inPlace,
    inPlace,
    replace,
    () => mkdirSync(join(pick(folders), `d${below(5)}`), { recursive: true }),
    () => files.length > 0 && rmSync(pick(files)),
    deleteFolder,
    moveFolder,
    moveFile,
    link,
    () => files.length > 0 && chmodSync(pick(files), pick([0o644, 0o755])),
    () => write(join(pick(folders), 'large.bin'), String(random()).repeat(LARGE / 16))
  ])()
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [, , root = '', seed, changes] = process.argv
  const random = seededRandom(Number(seed))
  for (let n = 0; n < Number(changes); n++) {
    if (!existsSync(root)) mkdirSync(root)
    changeAtRandom(root, random)
    process.stdout.write('.')
  }
}
