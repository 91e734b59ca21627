/** A client within the host's process, for calls of the host itself. */
import type { Client } from '../../contract/api.ts'
import { createClient } from '../../contract/wire.ts'
import type { Host } from './host.ts'
import { registerFolder } from './register-folder.ts'

/** Connects a client to the engine thread. */
export function internalClient(host: Host): { readonly client: Client; disconnect(): void } {
  let toEngine: (frame: string) => void = () => {}
  let toClient: (frame: string) => void = () => {}
  const client = createClient({
    send: (frame) => toEngine(frame),
    onFrame: (listener) => {
      toClient = listener
    },
    onClose: () => {}
  })
  const disconnect = host.connect({
    send: (frame) => toClient(frame),
    onFrame: (listener) => {
      toEngine = listener
    },
    onClose: () => {}
  })
  return { client, disconnect }
}

/** `registerFolder` on the host's own engine. */
export async function registerFolderOnHost(host: Host, folder: string): Promise<string> {
  const { client, disconnect } = internalClient(host)
  try {
    return await registerFolder(client, folder)
  } finally {
    disconnect()
  }
}
