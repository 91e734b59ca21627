/** Reads from the log what a plan needs: for each act, which paths it touches and where each goes back to. */
import type { Act, Choices } from '../../../contract/api.ts'
import type { Choice, FileVersion, Seq } from '../../../contract/domain.ts'
import { DriftlineError } from '../../../contract/errors.ts'
import { findDrift } from '../drift/drifts.ts'
import { isWithin } from '../files/inside.ts'
import { editsInForce, findTakeBack, outsideAfter } from '../log/chain.ts'
import { editsOfRun, findRun } from '../sessions/runs.ts'
import type { Store } from '../store/open-store.ts'
import { ABSENT, type EditRow, type PathId } from '../store/records.ts'
import { resolveTarget } from '../store/targets.ts'
import { findRestore, journalItems, nextRedo, nextUndo, openRestore } from './journal.ts'
import type { PathFacts, PlanFacts } from './plan.ts'

export interface ActFacts extends PlanFacts {
  /** For titles: what it goes back to. */
  readonly title: string
  readonly target: string
  readonly targetAt: number | null
  readonly toSeq: Seq | null
  /** The restore that this one takes back, if it does. */
  readonly undoes: string | null
  readonly run: string | null
  readonly warnings: readonly string[]
}

/** Facts of an act at the newest position. Throws UnknownTarget; Refused when there is nothing to undo or redo. */
export function factsOf(store: Store, act: Act, choices: Choices): ActFacts {
  switch (act.kind) {
    case 'restore':
      return restoreFacts(store, act, choices)
    case 'undo-run':
      return undoRunFacts(store, act, choices)
    case 'undo':
    case 'redo':
      return undoFacts(store, act.kind, choices)
    case 'drift':
      return driftFacts(store, act, choices)
    case 'recover':
      return recoverFacts(store, act.how, choices)
  }
}

type Common = Omit<PlanFacts, 'paths' | 'choices' | 'defaultChoice'>

function common(store: Store): Common {
  const { records } = store
  const present = (path: string): FileVersion => {
    const head = records.head(path)
    return head?.version == null ? ABSENT : records.version(head.version)
  }
  return {
    nowOf: present,
    presentBelow: (folder) =>
      records
        .below(folder)
        .filter((row) => row.version !== null && records.version(row.version).kind !== 'absent')
        .map((row) => row.path)
  }
}

function selected(paths: readonly string[] | undefined): (path: string) => boolean {
  return paths === undefined ? () => true : (path) => paths.some((one) => isWithin(path, one))
}

function restoreFacts(store: Store, act: Act & { kind: 'restore' }, choices: Choices): ActFacts {
  const { records } = store
  const target = resolveTarget(store, act.target)
  const wanted = selected(act.paths)
  const touched = store.db.prepare('SELECT DISTINCT path FROM edit WHERE seq > ?').all(target.seq) as { path: PathId }[]
  const first = store.db.prepare('SELECT before FROM edit WHERE path = ? AND seq > ? ORDER BY seq LIMIT 1')
  const paths: PathFacts[] = []
  for (const { path } of touched) {
    const head = records.headById(path)
    if (!wanted(head.path) || head.version === null) continue
    const before = first.get(path, target.seq) as { before: number }
    const outside = outsideAfter(head.edit, records.edit, target.seq)
    paths.push({
      path: head.path,
      now: records.version(head.version),
      target: records.version(before.before),
      base: records.editBefore(path, target.seq + 1)?.seq ?? 0,
      foreign: outside.map((edit) => ({ who: 'outside', at: edit.at })),
      foreignReason: 'changed outside after this point'
    })
  }
  const others = otherRuns(store, target.seq)
  return {
    ...common(store),
    paths,
    choices,
    defaultChoice: act.outside === 'replace' ? 'replace' : 'keep',
    title: target.title,
    target: act.target,
    targetAt: target.at,
    toSeq: target.seq,
    undoes: null,
    run: null,
    warnings: others
  }
}

/** [RS-14] Runs whose Edits a restore to `seq` takes back, named. */
function otherRuns(store: Store, seq: Seq): string[] {
  const rows = store.db
    .prepare('SELECT DISTINCT r.title FROM edit_call c JOIN run r ON r.id = c.run WHERE c.edit > ? ORDER BY r.n')
    .all(seq) as { title: string }[]
  if (rows.length < 2) return []
  const names = rows.slice(0, 3).map((row) => `"${row.title}"`)
  return [`This takes back ${rows.length} runs: ${names.join(', ')}${rows.length > 3 ? ' and others' : ''}.`]
}

/** Each path of `edits` goes back to before the deepest of them that is in force (RS-10, RS-13). */
function takeBack(
  store: Store,
  edits: readonly EditRow[],
  wanted: (path: string) => boolean,
  who: (edit: EditRow) => string,
  reason: string
): PathFacts[] {
  const { records } = store
  const mine = new Set(edits.map((edit) => edit.seq))
  const facts: PathFacts[] = []
  for (const path of new Set(edits.map((edit) => edit.path))) {
    const head = records.headById(path)
    if (!wanted(head.path) || head.version === null) continue
    const found = findTakeBack(head.edit, records.edit, (edit) => mine.has(edit.seq))
    if (found.state === 'not-in-force') continue
    facts.push({
      path: head.path,
      now: records.version(head.version),
      target: records.version(found.first.before),
      base: found.first.origin === 'restore' ? (records.editBefore(path, found.first.seq)?.seq ?? 0) : found.first.base,
      foreign: found.foreign.map((edit) => ({ who: who(edit), at: edit.at })),
      foreignReason: reason
    })
  }
  return facts
}

function writerOf(store: Store): (edit: EditRow) => string {
  const run = store.db.prepare('SELECT run FROM edit_call WHERE edit = ? LIMIT 1')
  return (edit) =>
    edit.origin === 'outside' ? 'outside' : ((run.get(edit.seq) as { run: string } | undefined)?.run ?? 'a restore')
}

function undoRunFacts(store: Store, act: Act & { kind: 'undo-run' }, choices: Choices): ActFacts {
  const target = resolveTarget(store, act.run)
  if (!target.run)
    throw new DriftlineError('UnknownTarget', `"${act.run}" is not a run or a turn.`, { target: act.run })
  const run = findRun(store, target.run)
  const edits = editsOfRun(store, target.run, target.turn ?? undefined).map(store.records.edit)
  // Edits that several runs may have made are foreign to each of them (GW-4).
  const own = edits.filter((edit) => edit.attribution !== 'shared')
  const defaultChoice: Choice = act.onConflict === 'replace' ? 'replace' : 'keep'
  return {
    ...common(store),
    paths: takeBack(store, own, selected(act.paths), writerOf(store), 'changed by somebody else after this run'),
    choices,
    defaultChoice,
    title: `"${run?.title ?? target.run}"`,
    target: target.run,
    targetAt: run?.started_at ?? null,
    toSeq: null,
    undoes: null,
    run: target.run,
    warnings:
      own.length < edits.length
        ? ['Some files were changed while several runs were open; those changes are not taken back.']
        : []
  }
}

function undoFacts(store: Store, kind: 'undo' | 'redo', choices: Choices): ActFacts {
  const row = kind === 'undo' ? nextUndo(store) : nextRedo(store)
  if (!row) {
    throw new DriftlineError(
      'Refused',
      kind === 'undo' ? 'There is no restore to undo.' : 'There is no undone restore to do again.',
      { nothing: true }
    )
  }
  const edits = (store.db.prepare('SELECT seq FROM edit WHERE restore = ?').all(row.id) as { seq: number }[]).map(
    (one) => store.records.edit(one.seq)
  )
  const done = kind === 'redo' && row.undoes ? (findRestore(store, row.undoes) ?? row) : row
  return {
    ...common(store),
    paths: takeBack(store, edits, () => true, writerOf(store), 'changed since'),
    choices,
    defaultChoice: 'keep',
    title: done.title,
    target: row.id,
    targetAt: row.at,
    toSeq: null,
    undoes: row.id,
    run: null,
    warnings: []
  }
}

function driftFacts(store: Store, act: Act & { kind: 'drift' }, choices: Choices): ActFacts {
  const drift = findDrift(store, act.drift)
  if (!drift)
    throw new DriftlineError('UnknownTarget', `There is no outside change "${act.drift}".`, { target: act.drift })
  const edits = (store.db.prepare('SELECT seq FROM edit WHERE drift = ?').all(drift.id) as { seq: number }[]).map(
    (one) => store.records.edit(one.seq)
  )
  return {
    ...common(store),
    paths: takeBack(store, edits, selected(act.paths), writerOf(store), 'changed again by somebody else'),
    choices,
    defaultChoice: 'keep',
    title: `before ${drift.count === 1 ? '1 outside change' : `${drift.count} outside changes`}`,
    target: drift.id,
    targetAt: drift.foundAt,
    toSeq: null,
    undoes: null,
    run: null,
    warnings: []
  }
}

/** After `settle` the written items are the restore's Edits: Undo takes them back, Finish brings the rest to where the restore wanted them. */
function recoverFacts(store: Store, how: 'finish' | 'undo', choices: Choices): ActFacts {
  const open = openRestore(store)
  if (!open?.abandoned) throw new DriftlineError('Refused', 'No restore was interrupted.', { nothing: true })
  const { records } = store
  const paths: PathFacts[] = []
  for (const item of journalItems(store, open.id)) {
    const head = records.head(item.path)
    if (item.action === 'keep' || !head || head.version === null) continue
    const edits = records.editsOf(head.id)
    const written = edits.find((edit) => edit.restore === open.id)
    const foreign = findForeignSince(
      store,
      head.edit,
      written?.seq ?? records.editBefore(head.id, Number.MAX_SAFE_INTEGER)?.seq ?? 0,
      open.at
    )
    const undoBase = written ? (records.editBefore(head.id, written.seq)?.seq ?? 0) : head.edit
    paths.push({
      path: item.path,
      now: records.version(head.version),
      target: records.version(how === 'finish' ? item.after : item.before),
      base: how === 'finish' ? item.base : undoBase,
      foreign,
      foreignReason: 'changed since the restore was interrupted'
    })
  }
  return {
    ...common(store),
    paths,
    choices,
    defaultChoice: 'keep',
    title: open.title,
    target: open.id,
    targetAt: open.at,
    toSeq: how === 'finish' ? open.to_seq : null,
    undoes: null,
    run: null,
    warnings: []
  }
}

function findForeignSince(store: Store, head: number, _from: number, since: number): { who: string; at: number }[] {
  const who = writerOf(store)
  return editsInForce(head, store.records.edit)
    .filter((edit) => edit.at >= since)
    .map((edit) => ({ who: who(edit), at: edit.at }))
}
