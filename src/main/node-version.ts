/** The Node version check. Each program runs it itself, so that the launcher does not have to start Node twice. */

/** Oldest version with the required Node-API level. Older ones crash in the SQLite binding without a message. */
const MINIMUM: readonly [number, number] = [22, 22]

/** The message for an unsupported version, null for a supported one. */
export function unsupportedNodeMessage(version: string): string | null {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (major > MINIMUM[0] || (major === MINIMUM[0] && minor >= MINIMUM[1])) return null
  return `driftline: requires Node ${MINIMUM.join('.')} or newer, but the node on the PATH is v${version}. On Linux, "npm install" installs a suitable one.`
}
