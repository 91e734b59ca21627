/** Reads the input of a plan for any request. */
import type { Resolutions, RestoreRequest } from '../../../../contract/restore.ts'
import type { Store } from '../../store/open-store.ts'
import { driftInput } from './drift-input.ts'
import { recoverInput } from './recover-input.ts'
import type { RequestInput } from './request-input.ts'
import { restoreInput } from './restore-input.ts'
import { undoInput } from './undo-input.ts'
import { undoRunInput } from './undo-run-input.ts'

/** At the newest position. Throws UnknownTarget; Refused when there is nothing to undo, redo or recover. */
export function readInput(store: Store, request: RestoreRequest, resolutions: Resolutions): RequestInput {
  switch (request.kind) {
    case 'restore':
      return restoreInput(store, request, resolutions)
    case 'undo-run':
      return undoRunInput(store, request, resolutions)
    case 'undo':
    case 'redo':
      return undoInput(store, request.kind, resolutions)
    case 'drift':
      return driftInput(store, request, resolutions)
    case 'recover':
      return recoverInput(store, request.how, resolutions)
  }
}
