/**
 * [PR-2] Who is at the other end of a named pipe. Windows lets every user list pipes and read from one, and whoever is
 * first may take the name of one that was closed. So a host puts a secret into engine.json, which only its user can
 * read, and before anything else both sides prove that they know it, in three lines:
 *
 *   client: NONCE
 *   host:   NONCE PROOF
 *   client: PROOF
 *
 * A proof is the HMAC of both nonces and the side's name under the secret, so the secret is never sent, and no proof
 * fits another connection or the other side. On other systems the socket's folder and mode keep other users out.
 */
import { connect, type Socket } from 'node:net'
import type { EngineFile } from './engine-file.ts'

/** Longest line, bytes, and how long the host waits for a proof, ms: nobody else may keep connections open. */
const LINE_LIMIT = 256
const PROOF_TIMEOUT_MS = 5000

// Not imported: hooks wait for this module, and on other systems it needs no cryptography.
const crypto = () => process.getBuiltinModule('node:crypto')

/** A new secret for a host whose address is a pipe; null for others. */
export function pipeSecret(address: string): string | null {
  return isPipe(address) ? crypto().randomBytes(32).toString('hex') : null
}

export function isPipe(address: string): boolean {
  return address.startsWith('\\\\')
}

/**
 * Connects to the socket of a host. `ready` resolves when frames may be sent, and rejects without a listener, and when the
 * other side is not that host. The socket may be paused then: resume it once something reads from it.
 */
export function dialHost({ socket: address, secret }: Pick<EngineFile, 'socket' | 'secret'>) {
  const socket = connect(address)
  const ready = new Promise<void>((resolve, reject) => {
    socket.once('connect', () => {
      if (secret !== undefined) resolve(proveToHost(socket, secret))
      else if (isPipe(address)) reject(new Error('a pipe without a secret'))
      else resolve()
    })
    // ECONNREFUSED, ENOENT, EPIPE.
    socket.on('error', reject)
  })
  ready.catch(() => socket.destroy())
  return { socket, ready }
}

async function proveToHost(socket: Socket, secret: string): Promise<void> {
  const own = newNonce()
  socket.write(`${own}\n`)
  const [nonce = '', proof = ''] = (await readLine(socket)).split(' ')
  if (!isSame(proof, proofOf(secret, 'host', own, nonce))) throw new Error('another program has the name of this pipe')
  socket.write(`${proofOf(secret, 'client', own, nonce)}\n`)
}

/** Resolves when the client has proven itself, and rejects otherwise. The socket is paused then. */
export async function requireProof(socket: Socket, secret: string): Promise<void> {
  socket.setTimeout(PROOF_TIMEOUT_MS, () => socket.destroy())
  const nonce = await readLine(socket)
  const own = newNonce()
  socket.write(`${own} ${proofOf(secret, 'host', nonce, own)}\n`)
  if (!isSame(await readLine(socket), proofOf(secret, 'client', nonce, own)))
    throw new Error('not a client of this user')
  socket.setTimeout(0)
}

function newNonce(): string {
  return crypto().randomBytes(16).toString('hex')
}

function proofOf(secret: string, side: 'client' | 'host', ...nonces: readonly string[]): string {
  return crypto()
    .createHmac('sha256', secret)
    .update([side, ...nonces].join(' '))
    .digest('hex')
}

function isSame(proof: string, expected: string): boolean {
  return proof.length === expected.length && crypto().timingSafeEqual(Buffer.from(proof), Buffer.from(expected))
}

/** The next line; what follows it stays in the socket, which is paused. */
function readLine(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    let read = Buffer.alloc(0)
    const settle = (): void => {
      socket.off('data', take)
      socket.off('close', fail)
    }
    const fail = (): void => {
      settle()
      reject(new Error('the other side did not prove itself'))
    }
    const take = (chunk: Buffer): void => {
      read = Buffer.concat([read, chunk])
      const end = read.indexOf('\n')
      if (end > LINE_LIMIT || (end === -1 && read.length > LINE_LIMIT)) fail()
      else if (end !== -1) {
        settle()
        socket.pause()
        if (end + 1 < read.length) socket.unshift(read.subarray(end + 1))
        resolve(read.toString('latin1', 0, end))
      }
    }
    socket.on('data', take)
    socket.once('close', fail)
    socket.resume()
  })
}
