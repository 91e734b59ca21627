/** The local socket of the host, for the command line, hooks and MCP servers. */
import { once } from 'node:events'
import { chmodSync, lstatSync, renameSync, unlinkSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import type { Channel } from '../../contract/wire.ts'
import { unusableDataDir } from './data-dir.ts'
import { clearAddress } from './endpoint.ts'
import { isPipe, requireProof } from './pipe-proof.ts'
import { socketChannel } from './socket-channel.ts'

export type SocketServer = Awaited<ReturnType<typeof listenOnSocket>>

/**
 * Binds the socket with mode 0600. The caller must hold the host lock: any existing socket is then stale and is
 * replaced.
 */
export async function listenOnSocket(options: {
  readonly address: string
  readonly dataDir: string
  /** What clients of a pipe have to know; null for other sockets. */
  readonly secret: string | null
  readonly onChannel: (channel: Channel) => void
}) {
  clearAddress(options.address, options.dataDir)
  const open = new Set<Socket>()
  const server = createServer((socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
    if (options.secret === null) options.onChannel(socketChannel(socket))
    else void openProven(socket, options.secret, options.onChannel)
  })
  await once(server.listen(options.address), 'listening').catch(({ message }: Error) => {
    // Expected on file systems without sockets, such as exFAT.
    throw unusableDataDir(options.dataDir, `its disk does not support sockets (${message})`)
  })
  const isFile = !isPipe(options.address)
  if (isFile) chmodSync(options.address, 0o600)
  const inode = isFile ? lstatSync(options.address).ino : 0
  return {
    async close(): Promise<void> {
      for (const socket of open) socket.destroy()
      const closed = () => new Promise<void>((resolve) => server.close(() => resolve()))
      const now = isFile ? lstatSync(options.address, { throwIfNoEntry: false })?.ino : undefined
      if (now === undefined || now === inode) {
        await closed()
        // Node removes the socket it bound. If it did not, remove it here.
        if (isFile && lstatSync(options.address, { throwIfNoEntry: false })?.ino === inode) unlinkSync(options.address)
        return
      }
      // It removes by name, also the socket of a successor: that one is elsewhere meanwhile.
      const aside = `${options.address}.kept`
      renameSync(options.address, aside)
      try {
        await closed()
      } finally {
        renameSync(aside, options.address)
      }
    }
  }
}

/** [PR-2] Opens a channel on the connection once its client has proven itself, else closes it. */
async function openProven(socket: Socket, secret: string, onChannel: (channel: Channel) => void): Promise<void> {
  // ECONNRESET, EPIPE: 'close' follows.
  socket.on('error', () => {})
  try {
    await requireProof(socket, secret)
  } catch {
    // Expected: another user's program, or a client that ended.
    socket.destroy()
    return
  }
  onChannel(socketChannel(socket))
  socket.resume()
}
