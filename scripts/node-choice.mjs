// Picks a Node that can run Driftline. Plain JS: this runs on any Node >= 18.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))

/** Oldest Node with the Node-API and SQLite bindings we need; an older one crashes without a message. */
const OLDEST = [22, 22]

function isFit(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])
}

/** The Node that came with `npm install` on Linux, if it is there. */
export function ownNode() {
  const found = join(root, `node_modules/node-${process.platform}-${process.arch}/bin/node`)
  return existsSync(found) ? found : undefined
}

/** Goes on under a fit Node: returns if this one is, else runs `script` again on ours and ends with its code. */
export function ensureFitNode(script) {
  if (isFit(process.versions.node)) {
    // What this starts may meet an older Node again and has to choose for itself.
    delete process.env.DRIFTLINE_OTHER_NODE
    return
  }
  const own = ownNode()
  if (!own || process.env.DRIFTLINE_OTHER_NODE === '1') {
    console.error(
      `Driftline needs Node ${OLDEST.join('.')} or newer; this is ${process.version}. ` +
        'On Linux "npm install" brings one (not with --omit=optional); else get it from https://nodejs.org.'
    )
    process.exit(1)
  }
  const result = spawnSync(own, [script, ...process.argv.slice(2)], {
    stdio: 'inherit',
    env: { ...process.env, DRIFTLINE_OTHER_NODE: '1' }
  })
  process.exit(result.status ?? 1)
}
