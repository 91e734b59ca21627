/** The input of undoing an outside change. */

import { DriftlineError } from '../../../../contract/errors.ts'
import type { Resolutions, RestoreRequest } from '../../../../contract/restore.ts'
import { findDrift } from '../../drift/drifts.ts'
import { seqsOfDrift } from '../../store/edits.ts'
import type { Store } from '../../store/open-store.ts'
import { defaultInput, type RequestInput } from './request-input.ts'
import { isWhole } from './selection.ts'
import { undoEdits } from './undo-edits.ts'

export function driftInput(
  store: Store,
  request: RestoreRequest & { kind: 'drift' },
  resolutions: Resolutions
): RequestInput {
  const drift = findDrift(store, request.drift)
  if (!drift)
    throw new DriftlineError('UnknownTarget', `There is no outside change "${request.drift}".`, {
      target: request.drift
    })
  const edits = seqsOfDrift(store, drift.id).map(store.records.edit)
  return {
    ...defaultInput(store, resolutions),
    paths: undoEdits(store, edits, { selection: request, cause: 'others-after-drift' }),
    title: `before ${drift.count === 1 ? '1 outside change' : `${drift.count} outside changes`}`,
    target: drift.id,
    targetAt: drift.foundAt,
    whole: isWhole(request)
  }
}
