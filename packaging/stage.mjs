// Builds app.asar as electron-builder would, for checks without Electron and without a network.
import { cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, matchesGlob, relative, sep } from 'node:path'
import { createPackageWithOptions } from '@electron/asar'
import { filesFor, UNPACKED } from './contents.mjs'
import { noticesOf } from './notices.mjs'

/** The folders in which the globs can match; no others are walked. */
const ROOTS = ['out', 'packaging/icons', 'node_modules/better-sqlite3']

/** Root-relative paths (`/`) of the files of a package for `system`, such as `linux-x64`. */
export function packedFiles(root, system) {
  const globs = filesFor(system)
  const included = globs.filter((glob) => !glob.startsWith('!'))
  const excluded = globs.filter((glob) => glob.startsWith('!')).map((glob) => glob.slice(1))
  const walked = ROOTS.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/'))
  )
  return ['package.json', ...walked]
    .filter((path) => included.some((glob) => matchesGlob(path, glob)))
    .filter((path) => !excluded.some((glob) => matchesGlob(path, glob)))
    .sort()
}

/** Writes the licences to out/, which the globs include. */
export function writeNotices(root) {
  writeFileSync(join(root, 'out/notices.txt'), noticesOf(root))
}

/** Creates `to`/app.asar and app.asar.unpacked. Requires a build; deletes `to` first. */
export async function packApp(root, system, to) {
  const stage = join(to, 'stage')
  rmSync(to, { recursive: true, force: true })
  for (const path of packedFiles(root, system)) {
    mkdirSync(dirname(join(stage, path)), { recursive: true })
    cpSync(join(root, path), join(stage, path))
  }
  const asar = join(to, 'app.asar')
  await createPackageWithOptions(stage, asar, { unpack: UNPACKED[0] })
  rmSync(stage, { recursive: true })
  return asar
}
