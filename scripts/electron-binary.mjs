// Finds Electron's binary without importing the package, because the import would start a download.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root } from './node-choice.mjs'

const PACKAGE = join(root, 'node_modules/electron')

/** Path of the binary, undefined if it is not installed. */
export function electronBinary() {
  let name
  try {
    name = readFileSync(join(PACKAGE, 'path.txt'), 'utf8').trim()
  } catch {
    // Expected: ENOENT before the first download.
    return undefined
  }
  const binary = join(process.env.ELECTRON_OVERRIDE_DIST_PATH ?? join(PACKAGE, 'dist'), name)
  return existsSync(binary) ? binary : undefined
}

const STAMP = join(root, 'node_modules/.cache/driftline/electron-unreachable')
const RETRY_MS = 60 * 60 * 1000
const TIMEOUT_MS = 4000

/** Downloads the binary if its server responds. Tries at most once an hour and waits at most TIMEOUT_MS for a response. */
export async function fetchElectron() {
  if (!existsSync(join(PACKAGE, 'install.js'))) return
  if (Date.now() - (statSync(STAMP, { throwIfNoEntry: false })?.mtimeMs ?? 0) < RETRY_MS) return
  const mirror = process.env.ELECTRON_MIRROR ?? process.env.npm_config_electron_mirror ?? 'https://github.com'
  try {
    await fetch(mirror, { method: 'HEAD', signal: AbortSignal.timeout(TIMEOUT_MS) })
    console.error("Downloading Electron's binary (about 110 MB, once) ...")
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
