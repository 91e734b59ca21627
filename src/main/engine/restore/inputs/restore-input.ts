/** The input of restoring to a position: every path that changed after it returns to its version there. */

import type { Seq } from '../../../../contract/log.ts'
import type { PlanWarning, Resolutions, RestoreRequest } from '../../../../contract/restore.ts'
import { mergeWithout } from '../../diff/provenance.ts'
import { editsInForce } from '../../log/chain.ts'
import { type EditRow, pathsEditedAfter } from '../../store/edits.ts'
import type { Store } from '../../store/open-store.ts'
import type { PathId } from '../../store/paths.ts'
import { resolveTarget } from '../../store/targets.ts'
import { titlesOfRunsAfter } from '../../store/writers.ts'
import { defaultInput, type RequestedPath, type RequestInput } from './request-input.ts'
import { isSelected, isWhole } from './selection.ts'

export function restoreInput(
  store: Store,
  request: RestoreRequest & { kind: 'restore' },
  resolutions: Resolutions
): RequestInput {
  const target = resolveTarget(store, request.target)
  return {
    ...defaultInput(store, resolutions),
    paths: pathsEditedAfter(store, target.seq).flatMap((path) => restorePath(store, request, path, target.seq) ?? []),
    defaultResolution: request.outside === 'replace' ? 'replace' : 'keep',
    title: target.title,
    target: request.target,
    targetAt: target.at,
    toSeq: target.seq,
    whole: isWhole(request),
    warnings: runWarnings(store, target.seq)
  }
}

/** [RS-14] Outside edits after the position are foreign. Null for a path that is not selected. */
function restorePath(
  store: Store,
  request: RestoreRequest & { kind: 'restore' },
  path: PathId,
  seq: Seq
): RequestedPath | null {
  const { records } = store
  const head = records.headById(path)
  if (!isSelected(request, head.path) || head.version === null) return null
  const next = records.editAfter(path, seq) as EditRow
  const base = records.editBefore(path, seq + 1)?.seq ?? 0
  const chain = editsInForce(head.edit, records)
  const since = chain.filter((edit) => edit.seq > seq)
  const outside = since.filter((edit) => edit.origin === 'outside')
  const own = since.filter((edit) => edit.origin !== 'outside')
  // Omitting the later Edits gives the target only if the rest of the chain is what was in force at the position.
  const buildsOnTarget = haveSameSeqs(chain.slice(since.length), editsInForce(base, records))
  return {
    path: head.path,
    now: records.version(head.version),
    target: records.version(next.before),
    base,
    foreign: outside.map((edit) => ({ who: 'outside', title: '', at: edit.at })),
    foreignCause: 'outside-after-target',
    merge: outside.length > 0 && own.length > 0 && buildsOnTarget ? mergeWithout(store, head, own, outside) : null,
    own: own[0] ? records.version(own[0].after) : null,
    onlyByMerge: false
  }
}

function haveSameSeqs(a: readonly EditRow[], b: readonly EditRow[]): boolean {
  return a.length === b.length && a.every((edit, i) => edit.seq === b[i]?.seq)
}

/** Runs named in the warning. */
const MOST_RUNS = 3

/** [RS-14] Names the runs whose Edits a restore to `seq` undoes, when there are several. */
function runWarnings(store: Store, seq: Seq): PlanWarning[] {
  const titles = titlesOfRunsAfter(store, seq)
  return titles.length < 2 ? [] : [{ code: 'undoes-runs', titles: titles.slice(0, MOST_RUNS), count: titles.length }]
}
