// Selects a Node that can run Driftline. Plain JS: this runs on any Node >= 18.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))

/** Oldest supported version. */
const [MAJOR, MINOR] = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  .engines.node.slice('>='.length)
  .split('.')
  .map(Number)

function isSupported(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major > MAJOR || (major === MAJOR && minor >= MINOR)
}

/** The Node that `npm install` adds on Linux, undefined elsewhere. */
export function ownNode() {
  const node = join(root, `node_modules/node-${process.platform}-${process.arch}/bin/node`)
  return existsSync(node) ? node : undefined
}

/** Returns if this Node is supported. Else runs `script` again with the installed Node and exits with its code. */
export function ensureFitNode(script) {
  if (isSupported(process.versions.node)) {
    // Child processes may find an older Node again and must choose for themselves.
    delete process.env.DRIFTLINE_OTHER_NODE
    return
  }
  const own = ownNode()
  if (!own || process.env.DRIFTLINE_OTHER_NODE === '1') {
    console.error(
      `Driftline requires Node ${MAJOR}.${MINOR} or newer; this is ${process.version}. ` +
        'On Linux, "npm install" installs one (not with --omit=optional). Elsewhere, get it from https://nodejs.org.'
    )
    process.exit(1)
  }
  console.error(
    `Node ${process.versions.node} is too old to run Driftline, so it uses the one that npm installed with it.`
  )
  const result = spawnSync(own, [script, ...process.argv.slice(2)], {
    stdio: 'inherit',
    env: { ...process.env, DRIFTLINE_OTHER_NODE: '1' }
  })
  process.exit(result.status ?? 1)
}
