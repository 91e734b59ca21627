/** The build that a host gets from this computer: the command line and the recorder, without the window. */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { quoteShell } from '../../contract/words/shell.ts'
import { unsupportedNodeMessage } from '../node-version.ts'
import { VERSION } from '../version.ts'
import { tarOf } from './tar.ts'

/** A system as the names of native files have it, such as `linux-x64` or `linuxmusl-arm64`. */
export type System = string

const NATIVE = 'node_modules/better-sqlite3'

interface BuildFile {
  readonly path: string
  readonly content: Buffer
}

/** The files that are the same for every system. `root`: the folder of this program, which holds `out` and the package. */
function commonFiles(root: string): readonly BuildFile[] {
  const programs = readdirSync(join(root, 'out/main')).filter((name) => /\.c?js$/.test(name))
  const library = readdirSync(join(root, NATIVE, 'lib'), { recursive: true, encoding: 'utf8' })
  const paths = [
    ...programs.map((name) => `out/main/${name}`),
    ...library.filter((name) => name.endsWith('.js')).map((name) => `${NATIVE}/lib/${name.replaceAll('\\', '/')}`),
    `${NATIVE}/package.json`,
    'package.json'
  ]
  return paths.sort().map((path) => ({ path, content: readFileSync(join(root, path)) }))
}

/** Names the build of this program: its version, and a part of the hash of its files. */
export function buildIdOf(root: string): string {
  const hash = createHash('sha256')
  for (const { path, content } of commonFiles(root)) hash.update(`${path} ${content.length}\n`).update(content)
  return `${VERSION}-${hash.digest('hex').slice(0, 12)}`
}

/** Whether this computer has the native file of a system: a checkout has those of all, a package only its own. */
export function hasBuildFor(root: string, system: System): boolean {
  return existsSync(nativeFile(root, system))
}

function nativeFile(root: string, system: System): string {
  return join(root, NATIVE, 'prebuilds', `${system}.node`)
}

/** The Node of this process, if the same system can run it; the app has none of its own. */
export function ownNodeFor(system: System): string | null {
  const { electron } = process.versions
  return electron === undefined && system === ownSystem() ? process.execPath : null
}

function ownSystem(): System {
  const report = process.report.getReport() as { header: { glibcVersionRuntime?: string } }
  const isMusl = process.platform === 'linux' && report.header.glibcVersionRuntime === undefined
  return `${process.platform}${isMusl ? 'musl' : ''}-${process.arch}`
}

/** Whether a Node, as `node -v` says it, can run the build. */
export function isFitNode(version: string): boolean {
  return /^v\d+\.\d+/.test(version) && unsupportedNodeMessage(version.slice(1)) === null
}

/**
 * The build as a compressed tar archive. `node`: the Node of the host, or with `own` the file of the one here, which is
 * sent along.
 */
export async function archiveOf(
  root: string,
  system: System,
  node: { readonly there: string } | { readonly own: string }
): Promise<Buffer> {
  const archive = tarOf([
    ...commonFiles(root),
    { path: `${NATIVE}/prebuilds/${system}.node`, content: readFileSync(nativeFile(root, system)) },
    {
      path: 'driftline',
      content: Buffer.from(launcherText('there' in node ? node.there : null)),
      executable: true
    },
    ...('own' in node ? [{ path: 'node', content: readFileSync(node.own), executable: true }] : [])
  ])
  // Node is large: a second of work saves less than a second of sending.
  return promisify(gzip)(archive, { level: 'own' in node ? 1 : 6 })
}

function launcherText(node: string | null): string {
  const program = node === null ? '"$here/node"' : quoteShell(node)
  return `#!/bin/sh
here=\${0%/*}
node=${program}
[ -x "$node" ] && exec "$node" "$here/out/main/cli.cjs" "$@"
echo "driftline: $node is gone. Add this host again where you look at it: driftline hosts add NAME" >&2
exit 1
`
}
