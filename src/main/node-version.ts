/** The Node version check. Each program runs it itself, so that the launcher does not have to start Node twice. */
import manifest from '../../package.json' with { type: 'json' }

/**
 * `>=22.22.0`: the oldest version with the required Node-API level. Older ones crash in the SQLite binding without a
 * message.
 */
const [MAJOR = 0, MINOR = 0] = manifest.engines.node.slice('>='.length).split('.').map(Number)

/** The message for an unsupported version, null for a supported one. */
export function unsupportedNodeMessage(version: string): string | null {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (major > MAJOR || (major === MAJOR && minor >= MINOR)) return null
  return `driftline: requires Node ${MAJOR}.${MINOR} or newer, but the node on the PATH is v${version}. On Linux, "npm install" installs a suitable one.`
}
