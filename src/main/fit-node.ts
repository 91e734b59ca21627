/** Which Node can run Driftline. Asked by the programs themselves, so that their launcher need not start a Node to ask. */

/** Oldest Node with the Node-API and SQLite bindings we need; an older one crashes without a message. */
const OLDEST: readonly [number, number] = [22, 22]

/** A sentence for people when this version cannot, else null. */
export function unfitNode(version: string): string | null {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])) return null
  return `driftline: needs Node ${OLDEST.join('.')} or newer, but the node on the PATH is v${version}; on Linux "npm install" brings one.`
}
