/** Reads and writes a folder as plain data, so that tests can compare every byte on disk. */
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync
} from 'node:fs'
import { dirname, join } from 'node:path'

/** Path -> `file <mode> <base64>`, `link <target>` or `dir <mode>`. Without `.git`. Names that are not valid UTF-8 are shown as hex. */
export type Tree = Record<string, string>

export function readTree(root: string): Tree {
  const tree: Tree = {}
  const walk = (folder: Buffer, rel: string): void => {
    const names = unlessDenied(() => readdirSync(folder, { encoding: 'buffer' }), []).map((raw) => ({
      raw,
      name: textOf(raw)
    }))
    for (const { raw, name } of names.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      if (name === '.git') continue
      const path = rel === '' ? name : `${rel}/${name}`
      const at = Buffer.concat([folder, Buffer.from('/'), raw])
      const stats = unlessDenied(() => lstatSync(at), null)
      if (!stats) {
        tree[path] = 'denied'
        continue
      }
      const mode = (stats.mode & 0o7777).toString(8)
      if (stats.isSymbolicLink()) tree[path] = `link ${textOf(readlinkSync(at, { encoding: 'buffer' }))}`
      else if (stats.isDirectory()) {
        tree[path] = `dir ${mode}`
        walk(at, path)
      } else if (stats.isFile())
        tree[path] = `file ${mode} ${unlessDenied(() => readFileSync(at).toString('base64'), 'denied')}`
      else tree[path] = `special ${mode}`
    }
  }
  walk(Buffer.from(root), '')
  return tree
}

/** Windows has no permissions: every file that is not read-only has all of them. */
const MODE = process.platform === 'win32' ? '666' : '644'

/** A regular file with this text, in the format of readTree. */
export function fileOf(text: string): string {
  return `file ${MODE} ${Buffer.from(text).toString('base64')}`
}

/** The result of `read`, or `denied` without permission. */
function unlessDenied<T>(read: () => T, denied: T): T {
  try {
    return read()
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EACCES') return denied
    throw error
  }
}

function textOf(raw: Buffer): string {
  const text = raw.toString('utf8')
  return Buffer.from(text, 'utf8').equals(raw) ? text : `hex:${raw.toString('hex')}`
}

/** The tree as git records it: files and links with valid names, the executable bit, no folders. */
export function gitView(tree: Tree): Tree {
  return Object.fromEntries(
    Object.entries(contentsOf(tree)).map(([path, one]) => [
      path,
      'link' in one ? `link ${one.link}` : `${one.mode & 0o100 ? 'exec' : 'file'} ${one.bytes.toString('base64')}`
    ])
  )
}

/** The files of a tree that git records, to be written elsewhere. */
export function contentsOf(
  tree: Tree
): Record<string, { readonly link: string } | { readonly bytes: Buffer; readonly mode: number }> {
  const contents: ReturnType<typeof contentsOf> = {}
  for (const [path, what] of Object.entries(tree)) {
    if (/(^|\/)hex:/.test(path) || what.endsWith(' denied')) continue
    const [kind, mode = '', bytes = ''] = what.split(' ')
    if (kind === 'file') contents[path] = { bytes: Buffer.from(bytes, 'base64'), mode: Number.parseInt(mode, 8) }
    if (kind === 'link' && !what.startsWith('link hex:')) contents[path] = { link: what.slice('link '.length) }
  }
  return contents
}

/** Text content, a link (`{ link }`), a folder (`null`), or bytes with a mode. */
export type Content =
  | string
  | Buffer
  | null
  | { readonly link: string }
  | { readonly bytes: string | Buffer; readonly mode: number }

/** Writes files and creates missing folders. */
export function writeFiles(root: string, files: Readonly<Record<string, Content>>): void {
  for (const [path, content] of Object.entries(files)) {
    const absolute = join(root, path)
    mkdirSync(dirname(absolute), { recursive: true })
    if (content === null) mkdirSync(absolute, { recursive: true })
    else if (typeof content === 'string' || Buffer.isBuffer(content)) writeFileSync(absolute, content)
    else if ('link' in content) symlinkSync(content.link, absolute)
    else {
      writeFileSync(absolute, content.bytes)
      chmodSync(absolute, content.mode)
    }
  }
}

export function remove(root: string, ...paths: string[]): void {
  for (const path of paths) rmSync(join(root, path), { recursive: true, force: true })
}
