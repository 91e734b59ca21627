// Finds Electron's binary without importing the package, which would start a download.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root } from './node-choice.mjs'

const PACKAGE = join(root, 'node_modules/electron')

/** Path of the binary, or undefined when it is not here. */
export function electronBinary() {
  let name
  try {
    name = readFileSync(join(PACKAGE, 'path.txt'), 'utf8').trim()
  } catch {
    // Expected: ENOENT, nothing was downloaded yet.
    return undefined
  }
  const binary = join(process.env.ELECTRON_OVERRIDE_DIST_PATH ?? join(PACKAGE, 'dist'), name)
  return existsSync(binary) ? binary : undefined
}

const STAMP = join(root, 'node_modules/.cache/driftline/electron-unreachable')
const RETRY_AFTER = 60 * 60 * 1000
const PATIENCE = 4000

/** Gets the binary if its server can be reached. Asks at most once an hour, and never waits long to find out. */
export async function fetchElectron() {
  if (!existsSync(join(PACKAGE, 'install.js'))) return
  if (Date.now() - (statSync(STAMP, { throwIfNoEntry: false })?.mtimeMs ?? 0) < RETRY_AFTER) return
  const mirror = process.env.ELECTRON_MIRROR ?? process.env.npm_config_electron_mirror ?? 'https://github.com'
  try {
    await fetch(mirror, { method: 'HEAD', signal: AbortSignal.timeout(PATIENCE) })
    console.error("Getting Electron's binary once (about 110 MB) ...")
    const result = spawnSync(process.execPath, [join(PACKAGE, 'install.js')], {
      stdio: ['ignore', 2, 'ignore'],
      timeout: 5 * 60 * 1000
    })
    if (result.status === 0) return
  } catch {
    // Expected: no network, or a server that does not answer in time.
  }
  mkdirSync(dirname(STAMP), { recursive: true })
  writeFileSync(STAMP, '')
}
