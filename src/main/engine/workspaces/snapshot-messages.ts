/** What the process of an initial snapshot (ingest-child.ts) and its parent tell each other. */
import type { ErrorShape } from '../../../contract/errors.ts'
import type { CopyProgress } from '../../../contract/workspace.ts'
import type { CaptureSettings } from '../capture/capture-settings.ts'
import type { ListedFolder } from '../capture/listed-folders.ts'

/** Argument of the process, as JSON. */
export interface SnapshotRequest {
  readonly root: string
  readonly storeFile: string
  readonly settings: CaptureSettings
  /** What is recorded already; `counted`: all names, so that none are sent. */
  readonly progress: CopyProgress
}

/** To the parent. `isAlone`: what `takeInitialSnapshot` returned. */
export type SnapshotMessage =
  | { readonly progress: CopyProgress }
  | { readonly isAlone: boolean }
  | { readonly failed: ErrorShape }

/** From the parent: folders as they are listed, each after its parent; null after the last one. */
export interface NamesMessage {
  readonly listed: readonly ListedFolder[] | null
}

/** The folders that the parent of this process sends. */
export function receiveNames(): AsyncIterable<readonly ListedFolder[]> {
  const received: NamesMessage[] = []
  let { promise: waking, resolve: wake } = Promise.withResolvers<void>()
  const onMessage = (message: unknown): void => {
    received.push(message as NamesMessage)
    wake()
    ;({ promise: waking, resolve: wake } = Promise.withResolvers<void>())
  }
  process.on('message', onMessage)
  return (async function* () {
    for (;;) {
      const message = received.shift()
      if (message?.listed === null) break
      if (message) yield message.listed
      else await waking
    }
    process.off('message', onMessage)
  })()
}
