/**
 * Deletes files and folders. Node's rmSync gives the errors EBUSY, EROFS and EIO no code, so nobody could tell them from a bug
 * in Driftline, and it waits for no file in use.
 */
import { lstatSync, readdirSync, rmdirSync } from 'node:fs'
import { sep } from 'node:path'
import { ifExists } from './fs-errors.ts'
import { whenFreeSync } from './in-use.ts'
import { unlinkAny } from './read-only.ts'

/** Deletes a file or link, also a read-only one, if it is there. */
export function removeFile(path: string): void {
  ifExists(() => unlinkAny(path))
}

/** Deletes what is there, with everything in it; follows no link. Waits for files in use for a second at most. */
export function removeTree(path: string): void {
  whenFreeSync(() => removeAll(Buffer.from(path)))
}

/** A name may be no valid UTF-8. */
function removeAll(path: Buffer): void {
  const stats = ifExists(() => lstatSync(path, { throwIfNoEntry: false }))
  if (!stats?.isDirectory()) {
    if (stats) ifExists(() => unlinkAny(path))
    return
  }
  for (const name of ifExists(() => readdirSync(path, 'buffer')) ?? [])
    removeAll(Buffer.concat([path, Buffer.from(sep), name]))
  ifExists(() => rmdirSync(path))
}
