/** Changes of a folder as a shell makes them: what does not apply to the present tree is skipped. */
import {
  chmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  type Stats,
  symlinkSync,
  writeFileSync
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import fc from 'fast-check'
import { bytesOf, LARGE_TEXTS } from './large-contents.ts'

export interface Write {
  readonly do: 'write'
  readonly path: string
  readonly text: string
}
export type Change =
  | Write
  | { readonly do: 'delete' | 'folder'; readonly path: string }
  | { readonly do: 'link'; readonly path: string; readonly to: string }
  | { readonly do: 'mode'; readonly path: string; readonly mode: number }
  | { readonly do: 'move' | 'hard-link'; readonly path: string; readonly to: string }
  /** Each goes to the place of the next, the last to the first's: a swap, or a chain of renames. */
  | { readonly do: 'rotate'; readonly paths: readonly string[] }

const text = fc.constantFrom(
  '',
  'one\n',
  'two\n',
  'one\ntwo\n',
  'no newline',
  'crlf\r\nline\r\n',
  '\0binary\xff',
  'x'.repeat(3000)
)

export function writeIn(paths: readonly string[]): fc.Arbitrary<Write> {
  return fc.record({ do: fc.constant('write' as const), path: fc.constantFrom(...paths), text })
}

/** The same, and some are large. */
export function largeWriteIn(paths: readonly string[]): fc.Arbitrary<Write> {
  const large = fc.record({
    do: fc.constant('write' as const),
    path: fc.constantFrom(...paths),
    text: fc.constantFrom(...LARGE_TEXTS)
  })
  return fc.oneof({ weight: 4, arbitrary: writeIn(paths) }, { weight: 1, arbitrary: large })
}

/** The same with contents that no two paths share, so that no write looks like a rename. */
export function ownWriteIn(paths: readonly string[]): fc.Arbitrary<Write> {
  return writeIn(paths).map((write) => ({ ...write, text: write.text.replaceAll(/^(?=.)/gm, `${write.path} `) }))
}

/** Changes that give no content of a path to another one. `folders`: whether empty folders are made. */
export function changeInPlace(
  paths: readonly string[],
  folders: boolean,
  write: (paths: readonly string[]) => fc.Arbitrary<Write> = ownWriteIn
): fc.Arbitrary<Change> {
  const path = fc.constantFrom(...paths)
  return fc.oneof(
    { weight: 5, arbitrary: write(paths) },
    { weight: 3, arbitrary: fc.record({ do: fc.constant('delete' as const), path }) },
    ...(folders ? [{ weight: 2, arbitrary: fc.record({ do: fc.constant('folder' as const), path }) }] : []),
    {
      weight: 1,
      arbitrary: fc.record({ do: fc.constant('link' as const), path, to: fc.constantFrom('a', '../out', 'nowhere') })
    },
    {
      weight: 1,
      arbitrary: fc.record({ do: fc.constant('mode' as const), path, mode: fc.constantFrom(0o644, 0o755, 0o700) })
    }
  )
}

/** `caseOnly`: pairs of names that differ by case alone. `folders`: whether empty folders are made. */
export function changeIn(
  paths: readonly string[],
  caseOnly: readonly (readonly [string, string])[],
  folders: boolean,
  write: (paths: readonly string[]) => fc.Arbitrary<Write> = writeIn
): fc.Arbitrary<Change> {
  const path = fc.constantFrom(...paths)
  return fc.oneof(
    { weight: 12, arbitrary: changeInPlace(paths, folders, write) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('move' as const), path, to: path }) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(...caseOnly).map(([from, to]) => ({ do: 'move' as const, path: from, to }))
    },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('hard-link' as const), path, to: path }) },
    {
      weight: 2,
      arbitrary: fc.record({
        do: fc.constant('rotate' as const),
        paths: fc.uniqueArray(path, { minLength: 2, maxLength: 4 })
      })
    }
  )
}

/** Makes one change on disk. */
export function make(root: string, change: Change): void {
  if (change.do === 'rotate') {
    rotate(root, change.paths)
    return
  }
  const at = join(root, change.path)
  if (!['delete', 'mode', 'move', 'hard-link'].includes(change.do) && !makeRoom(root, at)) return
  if (!isReal(root, at)) return
  const there = look(at)
  switch (change.do) {
    case 'write':
      if (there && !there.isFile()) rmSync(at, { recursive: true })
      writeFileSync(at, bytesOf(change.text))
      break
    case 'delete':
      if (there) rmSync(at, { recursive: true })
      break
    case 'folder':
      if (there && !there.isDirectory()) rmSync(at)
      mkdirSync(at, { recursive: true })
      break
    case 'link':
      if (there) rmSync(at, { recursive: true })
      symlinkSync(change.to, at)
      break
    case 'mode':
      if (there && !there.isSymbolicLink()) chmodSync(at, change.mode | (there.isDirectory() ? 0o700 : 0))
      break
    case 'hard-link':
      if (!there?.isFile() || change.to === change.path || isInside(change) || !makeRoom(root, join(root, change.to)))
        break
      if (look(join(root, change.to))) rmSync(join(root, change.to), { recursive: true })
      linkSync(at, join(root, change.to))
      break
    case 'move': {
      const to = join(root, change.to)
      if (!there || change.to === change.path || isInside(change) || !makeRoom(root, to)) break
      // Not listed: another spelling of the same name, on a disk that folds names.
      if (readdirSync(dirname(to)).includes(basename(to))) rmSync(to, { recursive: true })
      renameSync(at, to)
    }
  }
}

function look(at: string): Stats | undefined {
  try {
    return lstatSync(at, { throwIfNoEntry: false })
  } catch (error) {
    if (error instanceof Error && 'code' in error && ['ENOTDIR', 'ELOOP'].includes(String(error.code))) return undefined
    throw error
  }
}

/** False when a file or link lies where a folder would have to be. */
function makeRoom(root: string, at: string): boolean {
  for (let up = dirname(at); up !== root; up = dirname(up)) {
    const above = look(up)
    if (above && !above.isDirectory()) return false
  }
  mkdirSync(dirname(at), { recursive: true })
  return true
}

/** False behind a link, where another path lies: writing there is not this path's change. */
function isReal(root: string, at: string): boolean {
  for (let up = dirname(at); up !== root; up = dirname(up)) if (look(up) && !look(up)?.isDirectory()) return false
  return true
}

/** One of the two lies inside the other. */
function isInside(one: { readonly path: string; readonly to: string }): boolean {
  return one.to.startsWith(`${one.path}/`) || one.path.startsWith(`${one.to}/`)
}

/** Whatever lies there, whole folders too; what lies inside another of them stays where it is. */
function rotate(root: string, paths: readonly string[]): void {
  const moving = paths.filter(
    (path) => look(join(root, path)) && !paths.some((other) => other !== path && isInside({ path, to: other }))
  )
  if (moving.some((path) => !isReal(root, join(root, path)))) return
  for (const [i, path] of moving.entries()) renameSync(join(root, path), join(root, `moving-${i}`))
  for (const i of moving.keys())
    renameSync(join(root, `moving-${i}`), join(root, moving[(i + 1) % moving.length] as string))
}
