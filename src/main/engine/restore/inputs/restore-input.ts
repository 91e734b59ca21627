/** The input of restoring to a position: every path that changed after it returns to its version there. */

import type { Seq } from '../../../../contract/log.ts'
import type { Resolutions, RestoreRequest } from '../../../../contract/restore.ts'
import { mergeWithout } from '../../diff/provenance.ts'
import { editsInForce } from '../../log/chain.ts'
import type { EditRow } from '../../store/edits.ts'
import type { PathId } from '../../store/heads.ts'
import type { Store } from '../../store/open-store.ts'
import { resolveTarget } from '../../store/targets.ts'
import { defaultInput, type RequestedPath, type RequestInput } from './request-input.ts'
import { isSelected, isWhole } from './selection.ts'

export function restoreInput(
  store: Store,
  request: RestoreRequest & { kind: 'restore' },
  resolutions: Resolutions
): RequestInput {
  const target = resolveTarget(store, request.target)
  const touched = store.db.prepare('SELECT DISTINCT path FROM edit WHERE seq > ?').all(target.seq) as { path: PathId }[]
  return {
    ...defaultInput(store, resolutions),
    paths: touched.flatMap(({ path }) => restorePath(store, request, path, target.seq) ?? []),
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

/** Characters of a run's title in a sentence that names several. */
const MOST_TITLE = 60
/** Runs named in the sentence. */
const MOST_RUNS = 3

/** [RS-14] Names the runs whose Edits a restore to `seq` undoes, when there are several. */
function runWarnings(store: Store, seq: Seq): string[] {
  const rows = store.db
    .prepare('SELECT DISTINCT r.title FROM edit_call c JOIN run r ON r.id = c.run WHERE c.edit > ? ORDER BY r.n')
    .all(seq) as { title: string }[]
  if (rows.length < 2) return []
  const names = rows.slice(0, MOST_RUNS).map(({ title }) => `"${shorten(title)}"`)
  return [`This undoes ${rows.length} runs: ${names.join(', ')}${rows.length > MOST_RUNS ? ' and others' : ''}.`]
}

function shorten(title: string): string {
  return title.length > MOST_TITLE ? `${title.slice(0, MOST_TITLE).trimEnd()}…` : title
}
