/** A client of the host's own engine, for what the host itself has to ask. */
import type { Client } from '../../contract/api.ts'
import { DriftlineError } from '../../contract/errors.ts'
import { createClient } from '../../contract/wire.ts'
import type { Host } from './host.ts'

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

/**
 * Id of the workspace of a folder a person named at the start; registers it if it is new. "" when the engine refuses
 * (not a folder, or one that wants to be confirmed): the window then opens without it, where that can be put right.
 */
export async function openFolderOn(client: Client, folder: string): Promise<string> {
  try {
    const { workspace } = await client.call('workspaces.add', { folder, wait: false })
    return workspace.id
  } catch (error) {
    if (!(error instanceof DriftlineError) || error.code === 'Disconnected') throw error
    console.error(error.message)
    return ''
  }
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
