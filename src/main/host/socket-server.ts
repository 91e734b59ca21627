/** The engine's local socket: how the command line, hooks and MCP reach a running host. */
import { chmodSync, lstatSync, unlinkSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { DriftlineError } from '../../contract/errors.ts'
import type { Channel } from '../../contract/wire.ts'
import { clearAddress } from './endpoint.ts'
import { socketChannel } from './socket-channel.ts'

export interface SocketServer {
  close(): Promise<void>
}

/** Binds the socket, 0600. The caller holds the host lock, so whatever is at the address is a dead host's. */
export async function listenOnSocket(options: {
  readonly address: string
  readonly dataDir: string
  readonly onChannel: (channel: Channel) => void
}): Promise<SocketServer> {
  clearAddress(options.address, options.dataDir)
  const open = new Set<Socket>()
  const server = createServer((socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
    options.onChannel(socketChannel(socket))
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(cannotListen(error, options.dataDir)))
    server.listen(options.address, resolve)
  })
  const isFile = !options.address.startsWith('\\\\')
  if (isFile) chmodSync(options.address, 0o600)
  const mine = isFile ? lstatSync(options.address).ino : 0
  return {
    async close() {
      for (const socket of open) socket.destroy()
      await new Promise<void>((resolve) => server.close(() => resolve()))
      // Node unlinks what it bound; this is for the case where it did not, and never for a successor's socket.
      if (isFile && lstatSync(options.address, { throwIfNoEntry: false })?.ino === mine) unlinkSync(options.address)
    }
  }
}

/** exFAT has no sockets, for one. */
function cannotListen(error: Error, dataDir: string): Error {
  return new DriftlineError(
    'Usage',
    `The data folder ${dataDir} cannot be used: its disk takes no socket (${error.message}). Nothing was changed; choose another one with --data or DRIFTLINE_DATA.`,
    { dataDir }
  )
}
