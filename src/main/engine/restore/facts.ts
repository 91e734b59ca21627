/** Reads from the log what a plan needs: for each act, which paths it touches and where each goes back to. */
import type { Act, Choices } from '../../../contract/api.ts'
import type { Choice, FileVersion, Seq } from '../../../contract/domain.ts'
import { DriftlineError } from '../../../contract/errors.ts'
import { findDrift } from '../drift/drifts.ts'
import { isWithin } from '../files/inside.ts'
import { editsInForce, findTakeBack } from '../log/chain.ts'
import type { HunkRef } from '../log/weave.ts'
import { writerOf } from '../log/writer.ts'
import { editsOfRun, findRun } from '../sessions/runs.ts'
import type { Store } from '../store/open-store.ts'
import { ABSENT, type EditRow, type Head, type PathId } from '../store/records.ts'
import { resolveTarget } from '../store/targets.ts'
import { findRestore, type JournalItem, journalItems, nextRedo, nextUndo, openRestore } from './journal.ts'
import type { PathFacts, PlanFacts } from './plan.ts'
import { hunkRefsOfDiff, type Merge, mergeWithout } from './provenance.ts'

/** Facts of one path with the merge in full. */
type MergeFacts = PathFacts & {
  readonly merge: Merge | null
  /** What the newest Edit that goes back left; null without one. */
  readonly own: FileVersion | null
}

export interface ActFacts extends PlanFacts {
  readonly paths: readonly MergeFacts[]
  /** For titles: what it goes back to. */
  readonly title: string
  readonly target: string
  readonly targetAt: number | null
  readonly toSeq: Seq | null
  /** The restore that this one takes back, if it does. */
  readonly undoes: string | null
  /** The cut off restore that this one finishes, if it does. */
  readonly finishes: string | null
  /** No selection of paths: all that the act names. */
  readonly whole: boolean
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
        .map((row) => row.path),
    lastFolder: (path) => {
      const head = records.head(path)
      const gone = head
        ? records.editsOf(head.id).find((edit) => {
            const { kind, notStored } = records.version(edit.before)
            return kind === 'dir' && notStored === null
          })
        : undefined
      if (!head || !gone) return null
      return { version: records.version(gone.before), base: records.editBefore(head.id, gone.seq)?.seq ?? 0 }
    }
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
  const paths: MergeFacts[] = []
  for (const { path } of touched) {
    const head = records.headById(path)
    if (!wanted(head.path) || head.version === null) continue
    const before = first.get(path, target.seq) as { before: number }
    const base = records.editBefore(path, target.seq + 1)?.seq ?? 0
    const chain = editsInForce(head.edit, records.edit)
    const since = chain.filter((edit) => edit.seq > target.seq)
    const outside = since.filter((edit) => edit.origin === 'outside')
    const mine = since.filter((edit) => edit.origin !== 'outside')
    // Leaving out what came later gives the target only if the present state stands on it.
    const standsOnIt = sameSeqs(chain.slice(since.length), editsInForce(base, records.edit))
    paths.push({
      path: head.path,
      now: records.version(head.version),
      target: records.version(before.before),
      base,
      foreign: outside.map((edit) => ({ who: 'outside', title: '', at: edit.at })),
      foreignReason: 'changed outside after this point',
      merge: outside.length > 0 && mine.length > 0 && standsOnIt ? mergeWithout(store, head, mine, outside) : null,
      own: mine[0] ? records.version(mine[0].after) : null,
      onlyByMerge: false
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
    finishes: null,
    whole: act.paths === undefined,
    warnings: others
  }
}

function sameSeqs(a: readonly EditRow[], b: readonly EditRow[]): boolean {
  return a.length === b.length && a.every((edit, i) => edit.seq === b[i]?.seq)
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

interface TakeBackOptions {
  readonly wanted: (path: string) => boolean
  readonly reason: string
  /** Whether a merge is offered; a restore is only ever undone whole (RS-13). */
  readonly merge: boolean
  /** Only these hunks of the diff, 1-based, by path. */
  readonly hunks?: Readonly<Record<string, readonly number[]>> | undefined
  /** What that diff shows, where it is more than may be taken back. */
  readonly shown?: readonly EditRow[]
}

/** Each path of `edits` goes back to before the deepest of them that is in force (RS-10, RS-13). */
function takeBack(store: Store, edits: readonly EditRow[], options: TakeBackOptions): MergeFacts[] {
  const { records } = store
  const who = writerOf(store)
  const own = new Set(edits.map((edit) => edit.seq))
  const facts: MergeFacts[] = []
  for (const path of new Set(edits.map((edit) => edit.path))) {
    const head = records.headById(path)
    if (!options.wanted(head.path) || head.version === null) continue
    const found = findTakeBack(head.edit, records.edit, (edit) => own.has(edit.seq))
    if (found.state === 'not-in-force') continue
    const { mine, foreign, merged } = found
    const first = found.first.origin === 'restore' ? earliestOf(store, own, found.first) : found.first
    const hunks = options.hunks?.[head.path]
    const only = hunks ? wantedHunks(store, head, options.shown ?? edits, mine, hunks) : undefined
    const mergeable = options.merge && (foreign.length > 0 || merged || only !== undefined)
    facts.push({
      path: head.path,
      now: records.version(head.version),
      target: records.version(first.before),
      base: first.origin === 'restore' ? (records.editBefore(path, first.seq)?.seq ?? 0) : first.base,
      foreign: foreign.map(who),
      foreignReason: options.reason,
      merge: mergeable ? mergeWithout(store, head, mine, foreign, only) : null,
      own: mine[0] ? records.version(mine[0].after) : null,
      onlyByMerge: options.merge && (merged || only !== undefined)
    })
  }
  return facts
}

/** A restore that was cut off and finished may have several Edits of a path, one on the other: it goes back to before all of them. */
function earliestOf(store: Store, own: ReadonlySet<number>, edit: EditRow): EditRow {
  const before = store.records.editBefore(edit.path, edit.seq)
  return before && own.has(before.seq) ? earliestOf(store, own, before) : edit
}

/** The parts of `mine` that make up the wanted changes of the diff of `own`. */
function wantedHunks(
  store: Store,
  head: Head,
  own: readonly EditRow[],
  mine: readonly EditRow[],
  wanted: readonly number[]
): HunkRef[] {
  const changes = hunkRefsOfDiff(
    store,
    head,
    own.filter((edit) => edit.path === head.id).sort((a, b) => b.seq - a.seq)
  )
  const inForce = new Set(mine.map((edit) => edit.seq))
  return wanted.flatMap((n) => {
    const refs = changes?.[n - 1]
    if (!refs)
      throw new DriftlineError(
        'UnknownTarget',
        `${head.path} has no change ${n} that can be taken back by itself. "driftline diff" shows its changes.`,
        { path: head.path, hunk: n }
      )
    return refs.filter((ref) => inForce.has(ref.seq))
  })
}

function undoRunFacts(store: Store, act: Act & { kind: 'undo-run' }, choices: Choices): ActFacts {
  const target = resolveTarget(store, act.run)
  if (!target.run)
    throw new DriftlineError('UnknownTarget', `"${act.run}" is not a run or a turn.`, { target: act.run })
  const run = findRun(store, target.run)
  const edits = editsOfRun(store, target.run, target.turn ?? undefined).map(store.records.edit)
  // Edits that several runs may have made are foreign to each of them (GW-4).
  const own = edits.filter((edit) => edit.attribution !== 'shared')
  const defaultChoice: Choice = act.onConflict === 'replace' || act.onConflict === 'merge' ? act.onConflict : 'keep'
  return {
    ...common(store),
    paths: takeBack(store, own, {
      wanted: selected(act.hunks && !act.paths ? Object.keys(act.hunks) : act.paths),
      reason: 'changed by somebody else after this run',
      merge: true,
      hunks: act.hunks,
      shown: edits
    }),
    choices,
    defaultChoice,
    title: `"${run?.title ?? target.run}"`,
    target: target.run,
    targetAt: run?.started_at ?? null,
    toSeq: null,
    undoes: null,
    finishes: null,
    whole: act.paths === undefined && act.hunks === undefined,
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
    paths: takeBack(store, edits, { wanted: () => true, reason: 'changed since', merge: false }),
    choices,
    defaultChoice: 'keep',
    title: done.title,
    target: row.id,
    targetAt: row.at,
    toSeq: null,
    undoes: row.id,
    finishes: null,
    whole: true,
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
    paths: takeBack(store, edits, {
      wanted: selected(act.hunks && !act.paths ? Object.keys(act.hunks) : act.paths),
      reason: 'changed again by somebody else',
      merge: true,
      hunks: act.hunks
    }),
    choices,
    defaultChoice: 'keep',
    title: `before ${drift.count === 1 ? '1 outside change' : `${drift.count} outside changes`}`,
    target: drift.id,
    targetAt: drift.foundAt,
    toSeq: null,
    undoes: null,
    finishes: null,
    whole: act.paths === undefined && act.hunks === undefined,
    warnings: []
  }
}

/** After `settle` the written items are the restore's Edits: Undo takes them back, Finish brings the rest to where the restore wanted them. */
function recoverFacts(store: Store, how: 'finish' | 'undo', choices: Choices): ActFacts {
  const open = openRestore(store)
  if (!open?.abandoned) throw new DriftlineError('Refused', 'No restore was interrupted.', { nothing: true })
  const { records } = store
  const guard = store.db.prepare('SELECT seq FROM checkpoint WHERE id = ?').get(open.guard) as { seq: number }
  const who = writerOf(store)
  const paths: MergeFacts[] = []
  for (const item of journalItems(store, open.id)) {
    const head = records.head(item.path)
    if (item.action === 'keep' || !head || head.version === null) continue
    const written = records.editsOf(head.id).find((edit) => edit.restore === open.id)
    const foreign = editsInForce(head.edit, records.edit).filter((edit) => edit.seq > guard.seq)
    const merge = how === 'finish' ? journalledMerge(store, open.id, item) : null
    paths.push({
      path: item.path,
      now: records.version(head.version),
      target: records.version(how === 'finish' ? item.after : item.before),
      base: how === 'finish' ? item.base : written ? (records.editBefore(head.id, written.seq)?.seq ?? 0) : head.edit,
      foreign: foreign.map(who),
      foreignReason: 'changed since the restore was interrupted',
      merge,
      own: written ? records.version(written.after) : null,
      onlyByMerge: merge !== null
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
    undoes: how === 'undo' ? open.id : null,
    finishes: how === 'finish' ? open.id : null,
    whole: true,
    warnings: []
  }
}

/** The merge an interrupted restore was about to write, as its journal has it. */
function journalledMerge(store: Store, restore: string, item: JournalItem): Merge | null {
  const rows = store.db
    .prepare('SELECT seq, hunk, whole FROM restore_without WHERE restore = ? AND path = ?')
    .all(restore, item.path) as {
    seq: number
    hunk: number
    whole: number
  }[]
  const version = store.records.version(item.after)
  if (rows.length === 0 || version.content === null) return null
  return {
    version,
    bytes: store.content.get(version.content),
    leaveOut: rows.map((row) => ({ ...row, whole: row.whole === 1 }))
  }
}
