/** A folder's whole state as plain data, and writing one: what tests compare bytes on disk with. */
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

/** Path -> `file <mode> <base64>`, `link <target>` or `dir <mode>`. `.git` left out. */
export type Tree = Record<string, string>

export function readTree(root: string): Tree {
  const tree: Tree = {}
  const walk = (rel: string): void => {
    for (const name of readdirSync(join(root, rel)).sort()) {
      if (name === '.git') continue
      const path = rel === '' ? name : `${rel}/${name}`
      const stats = lstatSync(join(root, path))
      const mode = (stats.mode & 0o7777).toString(8)
      if (stats.isSymbolicLink()) tree[path] = `link ${readlinkSync(join(root, path))}`
      else if (stats.isDirectory()) {
        tree[path] = `dir ${mode}`
        walk(path)
      } else if (stats.isFile()) tree[path] = `file ${mode} ${readFileSync(join(root, path)).toString('base64')}`
      else tree[path] = `special ${mode}`
    }
  }
  walk('')
  return tree
}

/** Text content, a link (`{ link }`), a folder (`null`), or bytes with a mode. */
export type Content =
  | string
  | Buffer
  | null
  | { readonly link: string }
  | { readonly bytes: string | Buffer; readonly mode: number }

/** Writes files, making folders as needed. */
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
