/**
 * Writes a bundle into a new, empty history, so that it is reviewed like any run. Rows are made from checked values alone;
 * whatever does not fit together refuses the whole bundle, and whoever called deletes the history.
 */
import type { BundleInfo } from '../../../contract/bundle.ts'
import { runTotals } from '../diff/requested-changes.ts'
import { ownProcess } from '../ports/processes.ts'
import { createTimeSlicer } from '../ports/time-slicer.ts'
import { saveOutput } from '../store/call-outputs.ts'
import { insertCheckpoint } from '../store/checkpoints.ts'
import { newId } from '../store/ids.ts'
import { bumpRev, MASKED_PATHS, writeMeta } from '../store/meta.ts'
import type { Store } from '../store/open-store.ts'
import { setRunText } from '../store/run-texts.ts'
import { insertRun, setRunEnd } from '../store/runs.ts'
import { updateSession, upsertSession } from '../store/sessions.ts'
import { transact, type Writable } from '../store/sql.ts'
import { addEntry } from '../store/timeline.ts'
import { insertEndedCall } from '../store/tool-calls.ts'
import { endTurn, insertTurn } from '../store/turns.ts'
import { createConversationImport } from './import-conversation.ts'
import { createEditImport } from './import-edits.ts'
import type { BundleHeader, BundleLine, ValueOf } from './line-schema.ts'
import { type BundleReader, badBundle } from './read-bundle.ts'

/** Of writing without a pause, ms. */
const SLICE_MS = 15
/** Lines of one transaction. */
const BATCH = 500

/** Throws Refused. */
export async function importBundle(store: Store, { header, lines }: BundleReader): Promise<Omit<BundleInfo, 'file'>> {
  const importing = createImport(store, header)
  const pause = createTimeSlicer(SLICE_MS)
  let batch: BundleLine[] = []
  const write = (): void => {
    const now = batch
    batch = []
    transact(store, (tx) => {
      for (const line of now) importing.add(tx, line)
    })
  }
  transact(store, (tx) => importing.begin(tx))
  for await (const line of lines) {
    // Contents are read without a transaction: large ones are written in their own.
    if (line.section === 'content' || line.section === 'bytes') importing.edits.addContent(line)
    else batch.push(line)
    if (batch.length >= BATCH) write()
    await pause()
  }
  write()
  transact(store, (tx) => importing.end(tx))
  const { label, title } = header.run
  return { title: label ?? title, folder: header.folder, exportedAt: header.exportedAt, ...importing.left }
}

function createImport(store: Store, header: BundleHeader) {
  const { run } = header
  const edits = createEditImport(store, run.id)
  const turns: ValueOf<'turn'>[] = []
  const calls = new Map<string, ValueOf<'call'>>()
  const conversation = createConversationImport(run, edits, (turn) => turns.some(({ id }) => id === turn))
  let left = { maskedLines: 0, hiddenFiles: 0 }

  const requireTurn = (turn: string): void => {
    if (!turns.some(({ id }) => id === turn)) throw badBundle('a turn is missing')
  }
  const add = (tx: Writable<Store>, { section, value }: BundleLine): void => {
    if (section === 'turn') {
      if (turns.some(({ id }) => id === value.id)) throw badBundle('two turns have one id')
      turns.push(value)
      addTurn(tx, run.id, value, turns.length)
    } else if (section === 'call') {
      requireTurn(value.turn)
      if (calls.has(value.id)) throw badBundle('two tool calls have one id')
      calls.set(value.id, value)
      addCall(tx, run.id, value)
    } else if (section === 'edit') {
      const { turn, call } = value
      if (turn !== undefined) requireTurn(turn)
      if (call !== undefined && (turn === undefined || !calls.has(call))) throw badBundle('a tool call is missing')
      edits.addEdit(tx, value)
    } else if (section === 'trajectory')
      updateSession(tx, run.id, { title: run.title, model: value.agent.model_name ?? '' })
    else if (section === 'step') conversation.addStep(tx, value)
    else if (section === 'comment') conversation.addComment(tx, value)
    else if (section === 'end') left = { maskedLines: value.maskedLines, hiddenFiles: value.hiddenFiles }
  }
  return {
    edits,
    begin: (tx: Writable<Store>): void => beginRun(tx, header),
    add,
    end: (tx: Writable<Store>): void => {
      const last = tx.records.lastSeq()
      for (const call of calls.values())
        if (call.start > last || call.end > last) throw badBundle('a tool call is too late')
      endTurns(tx, header, turns)
      endRun(tx, header, turns, conversation.messages())
      writeMeta(tx, MASKED_PATHS, JSON.stringify(edits.maskedPaths()))
      bumpRev(tx)
    },
    get left() {
      return left
    }
  }
}

/** The conversation of a bundle has the id of its run. */
function beginRun(tx: Writable<Store>, { run }: BundleHeader): void {
  // There is no folder on disk that could be scanned.
  writeMeta(tx, 'coverage', 'complete')
  const { id, agent, startedAt } = run
  upsertSession(tx, { id, agent, cwd: '', transcript: null, home: null, mode: null, model: null }, startedAt)
  const startCheckpoint = newId('cp')
  const source = run.attributed === 'all-changes' ? 'command' : 'hooks'
  const process = { ...ownProcess(), pid: 0 }
  insertRun(tx, { ...run, session: id, source, process, startSeq: 0, startCheckpoint }, startedAt)
  addCheckpointAt(tx, id, { reason: 'run_start', seq: 0, at: startedAt, turn: null }, startCheckpoint)
  addEntry(tx, 'run', id)
  setRunText(tx, id, 'label', (run.label ?? '').slice(0, 200), startedAt)
  setRunText(tx, id, 'note', run.note ?? '', startedAt)
}

type Position = Pick<Parameters<typeof insertCheckpoint>[1], 'reason' | 'seq' | 'at' | 'turn'>

function addCheckpointAt(tx: Writable<Store>, run: string, position: Position, id = newId('cp')): string {
  insertCheckpoint(tx, { ...position, id, run, session: run, label: '', revision: null, head: null, git: '' })
  return id
}

function addTurn(tx: Writable<Store>, run: string, turn: ValueOf<'turn'>, n: number): void {
  const { id, prompt, startedAt, start } = turn
  insertTurn(tx, { id, run, n, prompt, started_at: startedAt, start_seq: start })
}

function addCall(tx: Writable<Store>, run: string, call: ValueOf<'call'>): void {
  insertEndedCall(tx, {
    ...call,
    session: run,
    run,
    opened_at: call.startedAt,
    closed_at: Math.max(call.startedAt, call.endedAt),
    start_seq: call.start,
    end_seq: Math.max(call.start, call.end)
  })
  if (call.output) saveOutput(tx, call.id, call.output)
}

/** The positions of turns are known once all edits are there. */
function endTurns(tx: Writable<Store>, { run }: BundleHeader, turns: readonly ValueOf<'turn'>[]): void {
  if (turns.length === 0) throw badBundle('it has no turn')
  const last = tx.records.lastSeq()
  let seq = 0
  for (const turn of turns) {
    if (turn.start < seq || turn.start > last || turn.end < turn.start) throw badBundle('its turns are out of order')
    seq = turn.start
    addCheckpointAt(tx, run.id, { reason: 'pre_write', seq, at: turn.startedAt, turn: turn.id })
    endTurn(tx, turn.id, Math.min(turn.end, last), turn.endedAt ?? run.endedAt)
  }
}

function endRun(tx: Writable<Store>, { run }: BundleHeader, turns: readonly ValueOf<'turn'>[], messages: number): void {
  const seq = tx.records.lastSeq()
  const { id, state, completion, exitCode, endedAt } = run
  const turn = turns.at(-1)?.id ?? null
  const checkpoint = seq > 0 ? addCheckpointAt(tx, id, { reason: 'end_of_turn', seq, at: endedAt, turn }) : null
  const end = { state, completion, exitCode, seq, checkpoint, ...runTotals(tx, id) }
  setRunEnd(tx, id, end, Math.max(run.startedAt, endedAt))
  updateSession(tx, id, { revision: messages, last_at: endedAt, ended_at: endedAt })
}
