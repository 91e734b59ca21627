/**
 * Names of files of git that are not UTF-8, as of a branch that was made under another locale: paths here are text, so such a part
 * is written as a colon and its bytes in hex. No name of a ref has a colon.
 */
import { isUtf8 } from 'node:buffer'
import { type Dirent, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { ifReadable } from '../files/fs-errors.ts'

const OTHER_PART = /^:((?:[0-9a-f]{2})+)$/

/** Whether a part of the path has a name that is not UTF-8. Others than git's own files are never named so. */
export function isOtherName(path: string): boolean {
  return path.includes(':') && path.split('/').some((part) => bytesOf(part) !== null)
}

/** The bytes of a part that is not UTF-8; null of every other. */
function bytesOf(part: string): Buffer | null {
  const hex = OTHER_PART.exec(part)?.[1]
  const bytes = hex === undefined ? null : Buffer.from(hex, 'hex')
  return bytes && !isUtf8(bytes) && !bytes.includes('/') && !bytes.includes(0) ? bytes : null
}

/** The path on disk of a path in a repository. */
export function onDisk(gitDir: string, path: string): string | Buffer {
  if (!isOtherName(path)) return join(gitDir, path)
  const parts = path.split('/').flatMap((part) => [Buffer.from('/'), bytesOf(part) ?? Buffer.from(part)])
  return Buffer.concat([Buffer.from(gitDir), ...parts])
}

/** The entries of a folder by their names here. Empty if it cannot be read. */
export function entriesOf(
  folder: string | Buffer
): { readonly name: string; readonly entry: Dirent<string | Buffer> }[] {
  const entries: Dirent[] = ifReadable(() => readdirSync(folder, { withFileTypes: true })) ?? []
  if (!entries.some(({ name }) => name.includes('\ufffd'))) return entries.map((entry) => ({ name: entry.name, entry }))
  const asBytes = ifReadable(() => readdirSync(folder, { withFileTypes: true, encoding: 'buffer' })) ?? []
  return asBytes.map((entry) => {
    const { name } = entry
    return { name: isUtf8(name) ? name.toString() : `:${name.toString('hex')}`, entry }
  })
}
