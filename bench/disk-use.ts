/** Disk usage of a folder in bytes, counted in whole blocks as `du` does. */
import { lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

export function diskUse(folder: string): number {
  let bytes = lstatSync(folder).blocks * 512
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    bytes += entry.isDirectory() ? diskUse(path) : lstatSync(path).blocks * 512
  }
  return bytes
}

export function countFiles(folder: string): number {
  let files = 0
  for (const entry of readdirSync(folder, { withFileTypes: true }))
    files += entry.isDirectory() ? countFiles(join(folder, entry.name)) : 1
  return files
}
