/** A model of a recorder: reads exactly the paths that the watch reports as dirty, as the engine does. */
import { lstatSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Dirty } from '../../../../src/main/engine/watch/dirty-set.ts'
import type { FolderWatch } from '../../../../src/main/engine/watch/watcher.ts'

export function tempFolder(): { path: string; remove(): void } {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'driftline-watch-')))
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}

/** Path -> 'dir' or the file's text. */
export type ReadPaths = Map<string, string>

function statsOf(path: string) {
  try {
    return lstatSync(path)
  } catch {
    // Absent, or a parent became a file.
    return null
  }
}

function readPath(root: string, path: string, read: ReadPaths, deep: boolean): void {
  const stats = statsOf(join(root, path))
  const prefix = path === '' ? '' : `${path}/`
  if (deep || !stats?.isDirectory()) {
    for (const known of read.keys()) if (known.startsWith(prefix)) read.delete(known)
  }
  if (!stats) {
    read.delete(path)
    return
  }
  if (!stats.isDirectory()) {
    try {
      read.set(path, stats.isFile() ? readFileSync(join(root, path), 'utf8') : 'other')
    } catch {
      // Deleted between lstat and read: it is dirty again.
      read.delete(path)
    }
    return
  }
  if (path !== '') read.set(path, 'dir')
  if (!deep) return
  let names: string[] = []
  try {
    names = readdirSync(join(root, path))
  } catch {
    // Deleted between lstat and readdir: it is dirty again.
  }
  for (const name of names) if (name !== '.git') readPath(root, prefix + name, read, true)
}

/** Reads what is in a folder, without what is below. Returns its folders. */
export function readFolder(root: string, folder: string, read: ReadPaths): string[] {
  let names: string[] = []
  try {
    names = readdirSync(join(root, folder))
  } catch {
    // Deleted since it was found: its parent has an event.
  }
  const paths = names.map((name) => (folder === '' ? name : `${folder}/${name}`))
  for (const path of paths) readPath(root, path, read, false)
  return paths.filter((path) => read.get(path) === 'dir')
}

export function walk(root: string): ReadPaths {
  const read: ReadPaths = new Map()
  readPath(root, '', read, true)
  return read
}

export function record(root: string, dirty: Dirty, read: ReadPaths): void {
  if (dirty === 'all') {
    readPath(root, '', read, true)
    return
  }
  for (const tree of dirty.trees) readPath(root, tree, read, true)
  for (const path of dirty.paths) readPath(root, path, read, false)
}

/** Resolves when the watch is in `state`; the watch notifies after every change of state. */
export function reaches(watch: FolderWatch, state: string): Promise<void> {
  return new Promise((resolve) => {
    const check = () => watch.state().state === state && resolve()
    watch.onDirty(check)
    check()
  })
}
