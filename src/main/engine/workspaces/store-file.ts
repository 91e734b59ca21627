/** Where the history of a workspace is. */
import { join } from 'node:path'

export function storeFile(dataDir: string, id: string): string {
  return join(dataDir, 'w', id, 'store.db')
}
