/** A client of the host's own engine, for what the host itself has to ask. */
import type { Client } from '../../contract/api.ts'
import { createClient } from '../../contract/wire.ts'
import type { Host } from './host.ts'
import { openFolderOn } from './open-folder.ts'

/** A client on the engine thread, and how to disconnect it. */
export function innerClient(host: Host): { readonly client: Client; disconnect(): void } {
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

/** `openFolderOn` the host's own engine. */
export async function workspaceToOpen(host: Host, folder: string): Promise<string> {
  const { client, disconnect } = innerClient(host)
  try {
    return await openFolderOn(client, folder)
  } finally {
    disconnect()
  }
}
