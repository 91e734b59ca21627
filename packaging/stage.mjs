// Lays out what a package holds, as electron-builder would: for checks that need no Electron and no network.
import { cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, matchesGlob, relative, sep } from 'node:path'
import { createPackageWithOptions } from '@electron/asar'
import { filesFor, UNPACKED } from './contents.mjs'
import { noticesOf } from './notices.mjs'

/** Where the globs can match at all; nothing else is walked. */
const ROOTS = ['out', 'packaging/icons', 'node_modules/better-sqlite3']

/** Root-relative paths (`/`) of the files of a package for `system`, such as `linux-x64`. */
export function packedFiles(root, system) {
  const globs = filesFor(system)
  const wanted = globs.filter((glob) => !glob.startsWith('!'))
  const unwanted = globs.filter((glob) => glob.startsWith('!')).map((glob) => glob.slice(1))
  const walked = ROOTS.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/'))
  )
  return ['package.json', ...walked]
    .filter((path) => wanted.some((glob) => matchesGlob(path, glob)))
    .filter((path) => !unwanted.some((glob) => matchesGlob(path, glob)))
    .sort()
}

/** Writes the licences into out/, where the globs take them. */
export function writeNotices(root) {
  writeFileSync(join(root, 'out/notices.txt'), noticesOf(root))
}

/** Makes `to`/app.asar and, beside it, app.asar.unpacked. Needs a build; replaces what is there. */
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
