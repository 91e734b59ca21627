/** A client within the host's process, for calls of the host itself. */
import type { Client } from '../../contract/api.ts'
import { createClient, memoryChannels } from '../../contract/wire.ts'
import type { Host } from './host.ts'
import { registerFolder } from './second-host.ts'

/** Connects a client to the engine thread. */
export function internalClient(host: Host): { readonly client: Client; disconnect(): void } {
  const { ends } = memoryChannels()
  const disconnect = host.connect(ends[1])
  return { client: createClient(ends[0]), disconnect }
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
