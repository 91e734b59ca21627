/** Facts of "restore to here": every path that changed after the position goes back to what it was there. */

import type { Seq } from '../../../../contract/log.ts'
import type { Act, Choices } from '../../../../contract/restore.ts'
import { editsInForce } from '../../log/chain.ts'
import type { EditRow } from '../../store/edits.ts'
import type { PathId } from '../../store/heads.ts'
import type { Store } from '../../store/open-store.ts'
import { resolveTarget } from '../../store/targets.ts'
import { mergeWithout } from '../provenance.ts'
import { type ActFacts, type MergeFacts, neutralFacts } from './act-facts.ts'
import { isWanted, isWhole } from './selection.ts'

export function restoreFacts(store: Store, act: Act & { kind: 'restore' }, choices: Choices): ActFacts {
  const { records } = store
  const target = resolveTarget(store, act.target)
  const touched = store.db.prepare('SELECT DISTINCT path FROM edit WHERE seq > ?').all(target.seq) as { path: PathId }[]
  const paths: MergeFacts[] = []
  for (const { path } of touched) {
    const head = records.headById(path)
    if (!isWanted(act, head.path) || head.version === null) continue
    const next = records.editAfter(path, target.seq) as EditRow
    const base = records.editBefore(path, target.seq + 1)?.seq ?? 0
    const chain = editsInForce(head.edit, records)
    const since = chain.filter((edit) => edit.seq > target.seq)
    const outside = since.filter((edit) => edit.origin === 'outside')
    const mine = since.filter((edit) => edit.origin !== 'outside')
    // Leaving out what came later gives the target only if the present state stands on it.
    const standsOnIt = sameSeqs(chain.slice(since.length), editsInForce(base, records))
    paths.push({
      path: head.path,
      now: records.version(head.version),
      target: records.version(next.before),
      base,
      foreign: outside.map((edit) => ({ who: 'outside', title: '', at: edit.at })),
      foreignReason: 'changed outside after this point',
      merge: outside.length > 0 && mine.length > 0 && standsOnIt ? mergeWithout(store, head, mine, outside) : null,
      own: mine[0] ? records.version(mine[0].after) : null,
      onlyByMerge: false
    })
  }
  return {
    ...neutralFacts(store, choices),
    paths,
    defaultChoice: act.outside === 'replace' ? 'replace' : 'keep',
    title: target.title,
    target: act.target,
    targetAt: target.at,
    toSeq: target.seq,
    whole: isWhole(act),
    warnings: otherRuns(store, target.seq)
  }
}

function sameSeqs(a: readonly EditRow[], b: readonly EditRow[]): boolean {
  return a.length === b.length && a.every((edit, i) => edit.seq === b[i]?.seq)
}

/** Characters of a run's title in a sentence about several. */
const MOST = 60

/** [RS-14] Runs whose Edits a restore to `seq` takes back, named. */
function otherRuns(store: Store, seq: Seq): string[] {
  const rows = store.db
    .prepare('SELECT DISTINCT r.title FROM edit_call c JOIN run r ON r.id = c.run WHERE c.edit > ? ORDER BY r.n')
    .all(seq) as { title: string }[]
  if (rows.length < 2) return []
  const names = rows
    .slice(0, 3)
    .map(({ title }) => `"${title.length > MOST ? `${title.slice(0, MOST).trimEnd()}…` : title}"`)
  return [`This takes back ${rows.length} runs: ${names.join(', ')}${rows.length > 3 ? ' and others' : ''}.`]
}
