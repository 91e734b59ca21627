/** Which local address the engine's socket gets: a file in the data folder, a shorter place, or a named pipe. */
import { createHash } from 'node:crypto'
import { chmodSync, lstatSync, mkdirSync, unlinkSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { DriftlineError } from '../../contract/errors.ts'

/** Longest socket path in bytes that every Unix takes (macOS: 104 with the closing zero). */
const LONGEST = 103

/** Address of the socket for a data folder. The same folder always gets the same one. */
export function socketAddress(dataDir: string, platform: string = process.platform): string {
  const name = createHash('sha256').update(dataDir).digest('hex').slice(0, 24)
  if (platform === 'win32') return `\\\\.\\pipe\\driftline-${name}`
  const near = join(dataDir, 'engine.sock')
  if (Buffer.byteLength(near) <= LONGEST) return near
  return join(runtimeDir(), `${name}.sock`)
}

function runtimeDir(): string {
  const given = process.env.XDG_RUNTIME_DIR
  if (given?.startsWith('/')) return given
  return join(tmpdir(), `driftline-${userInfo().uid}`)
}

/** Makes the address free to bind. Only for the holder of the host lock: whatever socket is there is a dead host's. */
export function clearAddress(address: string, dataDir: string): void {
  if (address.startsWith('\\\\')) return
  if (!address.startsWith(dataDir)) ensurePrivateDir(join(address, '..'))
  const there = lstatSync(address, { throwIfNoEntry: false })
  if (!there) return
  if (!there.isSocket()) {
    throw new DriftlineError(
      'StoreDamaged',
      `${address} is not a socket, so Driftline will not replace it. Move it away.`
    )
  }
  unlinkSync(address)
}

/** A folder of ours that nobody else can write, or an error: other users may have made it first in a shared place. */
function ensurePrivateDir(dir: string): void {
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  const found = lstatSync(dir)
  if (!found.isDirectory() || found.uid !== userInfo().uid) {
    throw new DriftlineError(
      'StoreDamaged',
      `${dir} belongs to somebody else, so Driftline will not put its socket there.`
    )
  }
  if ((found.mode & 0o077) !== 0) chmodSync(dir, 0o700)
}
