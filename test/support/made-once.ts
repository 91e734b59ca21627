/** Folders that are expensive to make, as git repositories are: made once in a process, and written again from memory. */
import { lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tempFolder } from './tmp.ts'

/** Without bytes a folder. Folders come before what they hold. */
interface Made {
  readonly path: string
  readonly mode: number
  readonly bytes?: Buffer
}

const known = new Map<string, readonly Made[]>()

/**
 * Fills a folder as `make` fills one for the first `key` of the process. Times and inodes are others, so git reads a file once
 * more than its index would have it; nothing that is made may name its own place.
 */
export function putMade(root: string, key: string, make: (root: string) => void): void {
  for (const { path, mode, bytes } of known.get(key) ?? makeOnce(key, make)) {
    if (bytes) writeFileSync(join(root, path), bytes, { mode })
    else mkdirSync(join(root, path), { recursive: true, mode })
  }
}

function makeOnce(key: string, make: (root: string) => void): readonly Made[] {
  using temp = tempFolder()
  make(temp.path)
  const made = readdirSync(temp.path, { recursive: true, encoding: 'utf8' })
    .sort()
    .map((path): Made => {
      const stats = lstatSync(join(temp.path, path))
      const mode = stats.mode & 0o777
      return stats.isDirectory() ? { path, mode } : { path, mode, bytes: readFileSync(join(temp.path, path)) }
    })
  known.set(key, made)
  return made
}
