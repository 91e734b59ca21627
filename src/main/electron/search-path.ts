/**
 * The PATH of the app on macOS. The Finder starts it with that of the system's own programs, so editors, restic and what
 * a person's commands start would not be found: it gets the folders that a login shell gets, after its own.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** `etc`: the folder with the lists of path_helper(8), a folder on each line. */
export function searchPath(path: string, home: string, etc = '/etc'): string {
  const lists = ['paths', ...namesIn(join(etc, 'paths.d')).map((name) => join('paths.d', name))]
  const listed = lists.flatMap((list) => readText(join(etc, list)).split('\n'))
  // Homebrew's on Apple silicon, and where agents install themselves.
  const folders = [...path.split(':'), ...listed, '/opt/homebrew/bin', join(home, '.local/bin')]
  return [...new Set(folders.filter(Boolean))].join(':')
}

function namesIn(folder: string): string[] {
  return ifThere(() => readdirSync(folder).toSorted()) ?? []
}

function readText(file: string): string {
  return ifThere(() => readFileSync(file, 'utf8')) ?? ''
}

function ifThere<T>(read: () => T): T | null {
  try {
    return read()
  } catch {
    // Expected: ENOENT, EACCES, EISDIR.
    return null
  }
}
