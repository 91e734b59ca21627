/** Registers the folder that was named on the command line of a host. */

import type { Client } from '../../contract/api.ts'
import { DriftlineError } from '../../contract/errors.ts'
import { log } from '../engine/ports/log.ts'

/**
 * Returns the id of the folder's workspace and registers a new folder. Returns "" when the engine refuses it (not a folder, or
 * confirmation needed): the window then opens without it, and the user can add the folder there.
 */
export async function registerFolder(client: Client, folder: string): Promise<string> {
  try {
    const { workspace } = await client.call('workspaces.add', { folder, wait: false })
    return workspace.id
  } catch (error) {
    if (!(error instanceof DriftlineError) || error.code === 'Disconnected') throw error
    log.warn(error.message)
    return ''
  }
}
