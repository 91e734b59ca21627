// Builds out/ if the sources are newer. Plain JS.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './node-choice.mjs'

const BUILT = join(root, 'out/main/index.js')
const SOURCES = ['src', 'electron.vite.config.ts', 'package.json'].map((name) => join(root, name))

function newest(path) {
  const stats = statSync(path, { throwIfNoEntry: false })
  if (!stats) return 0
  if (!stats.isDirectory()) return stats.mtimeMs
  return readdirSync(path).reduce((latest, name) => Math.max(latest, newest(join(path, name))), stats.mtimeMs)
}

/** Whether out/ is there and no source is newer. */
export function isBuilt() {
  if (!existsSync(join(root, 'src'))) return existsSync(BUILT)
  return existsSync(BUILT) && SOURCES.every((path) => newest(path) <= statSync(BUILT).mtimeMs)
}

/** Builds with Vite's output on stderr. Returns the exit code, 0 if nothing had to be built. */
export function buildIfNeeded() {
  if (isBuilt()) return 0
  const startedAt = Date.now()
  const builder = join(root, 'node_modules/electron-vite/bin/electron-vite.js')
  if (!existsSync(builder)) {
    console.error('Driftline is not built and its tools are not installed. Run "npm install" first.')
    return 1
  }
  console.error('Building Driftline ...')
  const result = spawnSync(process.execPath, [builder, 'build', '--logLevel', 'warn'], {
    cwd: root,
    // Stdout belongs to the caller: `serve` prints exactly one line there.
    stdio: ['ignore', 2, 'inherit']
  })
  if (result.status !== 0) return result.status ?? 1
  // Sources saved during the build are newer than this time, so the next call builds again.
  utimesSync(BUILT, startedAt / 1000, startedAt / 1000)
  console.error(`Built in ${((Date.now() - startedAt) / 1000).toFixed(1)} s.`)
  return 0
}

if (process.argv[1] === import.meta.filename) process.exit(buildIfNeeded())
