/** A host of the relay as its file has it, and what is known of it since. */
import { log } from '../engine/ports/log.ts'
import { type RemoteHost, updateHost } from './host-files.ts'

export function createStoredHost(dataDir: string, initial: RemoteHost) {
  let host = initial
  return {
    now: (): RemoteHost => host,
    /** Written once it is connected. */
    set(next: RemoteHost): void {
      host = next
    },
    /** Writes its file, if it has one. Never throws. */
    save(next: RemoteHost): void {
      host = next
      try {
        updateHost(dataDir, next)
      } catch (error) {
        // Expected: ENOSPC, EROFS. Only commands, and the next start, know less of the host.
        log.warn(`what is known of ${next.name} could not be saved (${(error as NodeJS.ErrnoException).code ?? ''})`)
      }
    }
  }
}
