/** The input of undoing a run or a turn. Only its own Edits are undone; shared ones stay (GW-4). */

import { DriftlineError } from '../../../../contract/errors.ts'
import type { Resolution, Resolutions, RestoreRequest } from '../../../../contract/restore.ts'
import { editsOfRun } from '../../store/edit-calls.ts'
import type { Store } from '../../store/open-store.ts'
import { findRun } from '../../store/runs.ts'
import { resolveTarget } from '../../store/targets.ts'
import { defaultInput, type RequestInput } from './request-input.ts'
import { isWhole } from './selection.ts'
import { undoEdits } from './undo-edits.ts'

export function undoRunInput(
  store: Store,
  request: RestoreRequest & { kind: 'undo-run' },
  resolutions: Resolutions
): RequestInput {
  const target = resolveTarget(store, request.run)
  if (!target.run)
    throw new DriftlineError('UnknownTarget', `"${request.run}" is not a run or a turn.`, { target: request.run })
  const run = findRun(store, target.run)
  const edits = editsOfRun(store, target.run, target.turn ?? undefined).map(store.records.edit)
  // [GW-4] An Edit that several runs may have made is foreign to each of them.
  const own = edits.filter((edit) => edit.attribution !== 'shared')
  const { onConflict } = request
  const defaultResolution: Resolution = onConflict === 'replace' || onConflict === 'merge' ? onConflict : 'keep'
  return {
    ...defaultInput(store, resolutions),
    paths: undoEdits(store, own, { selection: request, cause: 'others-after-run', shown: edits }),
    defaultResolution,
    title: `"${run?.title ?? target.run}"`,
    target: target.run,
    targetAt: run?.started_at ?? null,
    whole: isWhole(request),
    warnings: own.length < edits.length ? [{ code: 'shared-edits' }] : []
  }
}
