/** What a recorder would know of a folder: it reads exactly what the watch calls dirty, as the engine does. */
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
export type Seen = Map<string, string>

function statsOf(path: string) {
  try {
    return lstatSync(path)
  } catch {
    // Gone, or the folder above became a file.
    return null
  }
}

function look(root: string, path: string, seen: Seen, deep: boolean): void {
  const stats = statsOf(join(root, path))
  const prefix = path === '' ? '' : `${path}/`
  if (deep || !stats?.isDirectory()) {
    for (const known of seen.keys()) if (known.startsWith(prefix)) seen.delete(known)
  }
  if (!stats) {
    seen.delete(path)
    return
  }
  if (!stats.isDirectory()) {
    try {
      seen.set(path, stats.isFile() ? readFileSync(join(root, path), 'utf8') : 'other')
    } catch {
      // Gone between lstat and read: it is dirty again.
      seen.delete(path)
    }
    return
  }
  if (path !== '') seen.set(path, 'dir')
  if (!deep) return
  let names: string[] = []
  try {
    names = readdirSync(join(root, path))
  } catch {
    // Gone between lstat and readdir: it is dirty again.
  }
  for (const name of names) if (name !== '.git') look(root, prefix + name, seen, true)
}

export function walk(root: string): Seen {
  const seen: Seen = new Map()
  look(root, '', seen, true)
  return seen
}

export function record(root: string, dirty: Dirty, seen: Seen): void {
  if (dirty === 'all') {
    look(root, '', seen, true)
    return
  }
  for (const tree of dirty.trees) look(root, tree, seen, true)
  for (const path of dirty.paths) look(root, path, seen, false)
}

/** Resolves when the watch is in `state`; it announces every change of state. */
export function reaches(watch: FolderWatch, state: string): Promise<void> {
  return new Promise((resolve) => {
    const check = () => watch.state().state === state && resolve()
    watch.onDirty(check)
    check()
  })
}
