/**
 * The local address of the engine's socket: a file in the data folder, a file in the runtime folder if that path is too
 * long, or a named pipe on Windows. Clients read it in engine.json.
 */
import { createHash, randomBytes } from 'node:crypto'
import { chmodSync, lstatSync, mkdirSync, unlinkSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { DriftlineError } from '../../contract/errors.ts'
import { isPipe } from './pipe-proof.ts'

/** Longest socket path that every Unix accepts, bytes: sun_path has 104 on macOS with the final zero, 108 on Linux. */
const MAX_SOCKET_PATH_BYTES = 103

/**
 * The socket address for a host of a data folder. [PR-2] A named pipe is in no folder, so its name is new each time:
 * whoever knew it could listen there first.
 */
export function socketAddress(dataDir: string, platform: string = process.platform): string {
  if (platform === 'win32') return `\\\\.\\pipe\\driftline-${randomBytes(16).toString('hex')}`
  const name = createHash('sha256').update(dataDir).digest('hex').slice(0, 24)
  const inDataDir = join(dataDir, 'engine.sock')
  if (Buffer.byteLength(inDataDir) <= MAX_SOCKET_PATH_BYTES) return inDataDir
  return join(runtimeDir(), `${name}.sock`)
}

function runtimeDir(): string {
  const configured = process.env.XDG_RUNTIME_DIR
  if (configured?.startsWith('/')) return configured
  return join(tmpdir(), `driftline-${userInfo().uid}`)
}

/**
 * Removes a stale socket. Only for the holder of the host lock, because then any existing socket belongs to a dead
 * host.
 */
export function clearAddress(address: string, dataDir: string): void {
  if (isPipe(address)) return
  if (!address.startsWith(dataDir)) ensurePrivateDir(join(address, '..'))
  const stats = lstatSync(address, { throwIfNoEntry: false })
  if (!stats) return
  if (!stats.isSocket()) {
    throw new DriftlineError(
      'StoreDamaged',
      `${address} is not a socket, so Driftline does not replace it. Move it away and start again.`
    )
  }
  unlinkSync(address)
}

/**
 * Creates a private folder. Fails if another user owns it: in a shared folder such as /tmp anybody may create it first.
 */
function ensurePrivateDir(dir: string): void {
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  const stats = lstatSync(dir)
  if (!stats.isDirectory() || stats.uid !== userInfo().uid) {
    throw new DriftlineError(
      'StoreDamaged',
      `${dir} belongs to another user, so Driftline cannot create its socket there.`
    )
  }
  if ((stats.mode & 0o077) !== 0) chmodSync(dir, 0o700)
}
