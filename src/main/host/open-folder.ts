/** The folder a person named at the start, as a workspace of the engine that runs. */
import type { Client } from '../../contract/api.ts'
import { DriftlineError } from '../../contract/errors.ts'

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
