/** Bits that flip on the disk in a stored conversation: doctor finds each, and only what holds it cannot be read. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { doctorText } from '../../src/contract/words/doctor.ts'
import { repairMessages } from '../../src/main/engine/agents/repair-messages.ts'
import { checkStore } from '../../src/main/engine/doctor/verify.ts'
import { touchSession } from '../../src/main/engine/runs/session-rows.ts'
import { findInConversation } from '../../src/main/engine/search/conversation.ts'
import { outputsOf, saveOutput } from '../../src/main/engine/store/call-outputs.ts'
import { addLateMessage, firstLateStep } from '../../src/main/engine/store/late-steps.ts'
import { insertMessage, messagesOf } from '../../src/main/engine/store/messages.ts'
import type { Store } from '../../src/main/engine/store/open-store.ts'
import { openStore } from '../../src/main/engine/store/open-store.ts'
import { transact } from '../../src/main/engine/store/sql.ts'
import { findTurn, insertTurn } from '../../src/main/engine/store/turns.ts'
import { insertUnknownRecord, listUnknownRecords } from '../../src/main/engine/store/unknown-records.ts'
import { LONG, scaled } from '../support/scale.ts'
import { tempFolder } from '../support/tmp.ts'

const FLIPS = LONG ? scaled(30) : 15
const LENGTH = 300
const SESSION = '11111111-2222-4333-8444-555555555555'

/** With letters of several bytes, some of half a pair, and texts that zstd cannot make smaller. */
const textOf = (seq: number): string =>
  seq % 3 === 0
    ? `é 日本 😀 ${(seq * 7919).toString(36)}`
    : `message ${seq} of a conversation `.repeat(seq % 40).trim() || 'x'

const TEXTS = {
  prompt: 'a prompt: \ud83d é',
  output: 'all 12 tests passed\n'.repeat(30),
  record: '{"type":"odd"}',
  late: 'go on'
}

/** Messages in two packs and 44 single rows; a prompt, an output, an unknown record and a late step. */
function writeConversation(store: Store, transcript: string): void {
  transact(store, (tx) => {
    touchSession(
      tx,
      { id: SESSION, agent: 'claude-code', cwd: '/p', transcript, home: null, mode: null, model: null },
      1
    )
    for (let seq = 1; seq <= LENGTH; seq++)
      insertMessage(tx, SESSION, {
        seq,
        parent: seq - 1,
        turn: null,
        role: seq % 4 === 1 ? 'user' : 'assistant',
        text: textOf(seq),
        at: seq,
        source: `m${seq}`
      })
    tx.db.exec(`INSERT INTO checkpoint(id, n, seq, reason, at) VALUES ('cp_1', 1, 0, 'run_start', 1);
      INSERT INTO run(id, n, session, agent, title, state, started_at, start_seq, start_checkpoint, drifted, incomplete, pid, pid_start)
      VALUES ('run_1', 1, '${SESSION}', 'claude-code', 'a run', 'ended', 1, 0, 'cp_1', 0, 0, 1, '')`)
    insertTurn(tx, { id: 'turn_1', run: 'run_1', n: 1, prompt: TEXTS.prompt, started_at: 1, start_seq: 0 })
    tx.db.exec(`INSERT INTO tool_call(id, session, run, turn, name, summary, paths, wide, complete, state, opened_at, start_seq)
      VALUES ('call_1', '${SESSION}', 'run_1', 'turn_1', 'Bash', 'npm test', '[]', 1, 1, 'done', 1, 0)`)
    saveOutput(tx, 'call_1', { text: TEXTS.output, cut: false })
    insertUnknownRecord(tx, SESSION, 0, TEXTS.record)
    addLateMessage(tx, SESSION, { turn: null, role: 'user', text: TEXTS.late, at: 1, source: 'event:1' })
  })
}

/** Everything of the conversation that a person reads, by name. */
function readAll(store: Store): ReadonlyMap<string, string | undefined> {
  return new Map([
    ...[...messagesOf(store, SESSION)].map(({ seq, text }): [string, string] => [`message ${seq}`, text]),
    ['turn', findTurn(store, 'turn_1')?.prompt],
    ['call_output', outputsOf(store, [{ id: 'call_1' }]).get('call_1')?.text],
    ['unknown_record', listUnknownRecords(store, SESSION)[0]],
    ['late_step', firstLateStep(store, SESSION)?.text]
  ])
}

const COLUMNS = { message_pack: 'text', turn: 'prompt', call_output: 'text', unknown_record: 'text', late_step: 'text' }
type Table = keyof typeof COLUMNS
const TABLES = Object.keys(COLUMNS) as Table[]

interface StoredText {
  readonly bytes: Buffer
  /** SQL: the row. */
  readonly row: string
  /** Names of what is read from it. */
  readonly holds: readonly string[]
}

function storedTexts({ db }: Store, table: Table): StoredText[] {
  if (table !== 'message_pack') {
    const bytes = db.prepare(`SELECT CAST(${COLUMNS[table]} AS BLOB) FROM ${table}`).pluck().get() as Buffer
    return [{ bytes, row: 'true', holds: [table] }]
  }
  const rows = db.prepare('SELECT first, text FROM message_pack ORDER BY first').all() as {
    first: number
    text: Buffer
  }[]
  return rows.map(({ first, text }, at) => {
    const count = (rows[at + 1]?.first ?? LENGTH + 1) - first
    return {
      bytes: text,
      row: `first = ${first}`,
      holds: Array.from({ length: count }, (_, n) => `message ${first + n}`)
    }
  })
}

function opened() {
  const temp = tempFolder()
  const folder = join(temp.path, '.claude/projects/p')
  mkdirSync(folder, { recursive: true })
  const transcript = join(folder, `${SESSION}.jsonl`)
  const store = openStore(join(temp.path, 'store.db'))
  writeConversation(store, transcript)
  return {
    store,
    context: { store, root: '/p', home: temp.path, now: () => 1, testCommands: () => [] },
    transcript,
    [Symbol.dispose]: () => {
      store.close()
      temp[Symbol.dispose]()
    }
  }
}

test(
  `[ST-8] ${FLIPS} bits flipped in any stored text of a conversation: doctor names it, and only what the row holds is lost`,
  async () => {
    using folder = opened()
    const { store } = folder
    const whole = readAll(store)
    expect(await checkStore(store, true)).toEqual([])
    const where = fc.record({
      table: fc.constantFrom(...TABLES),
      row: fc.nat(1 << 24),
      at: fc.nat(1 << 24),
      bit: fc.nat(7)
    })
    const property = fc.asyncProperty(where, async ({ table, row, at, bit }) => {
      const texts = storedTexts(store, table)
      const stored = texts[row % texts.length] as StoredText
      const flipped = Buffer.from(stored.bytes)
      flipped[at % flipped.length]! ^= 1 << bit
      const asStored = table === 'message_pack' ? '?' : 'CAST(? AS TEXT)'
      const write = store.db.prepare(`UPDATE ${table} SET ${COLUMNS[table]} = ${asStored} WHERE ${stored.row}`)
      try {
        write.run(flipped)
        const lost = [...readAll(store)].filter(([name, text]) => text !== whole.get(name))
        // A bit of a frame's header may change nothing.
        if (table !== 'message_pack') expect(lost).toHaveLength(1)
        expect(lost.length === 0 ? [] : lost.map(([name]) => name)).toEqual(lost.length === 0 ? [] : stored.holds)
        for (const [, text] of lost) expect(text).toContain('damaged')
        const messages = table === 'message_pack' ? lost.length : 0
        expect(await checkStore(store, true)).toMatchObject(
          lost.length === 0
            ? []
            : [{ code: 'Conversation', session: { id: SESSION }, messages, texts: lost.length - messages }]
        )
        expect((await findInConversation(store, { n: 1 }, 'e')).more).toBe(false)
      } finally {
        write.run(stored.bytes)
      }
    })
    await fc.assert(property, { numRuns: FLIPS })
    expect(readAll(store)).toEqual(whole)
  },
  60_000 + FLIPS * 2000
)

test('[ST-8] damaged messages are stored again from the agent’s transcript, and what it does not have stays damaged', async () => {
  using folder = opened()
  const { store, context, transcript } = folder
  const whole = readAll(store)
  // A pack, and a message that waits for its pack.
  for (const { row, bytes } of [storedTexts(store, 'message_pack')[1]!, storedTexts(store, 'message_pack').at(-1)!]) {
    bytes[bytes.length - 1]! ^= 1
    store.db.prepare(`UPDATE message_pack SET text = ? WHERE ${row}`).run(bytes)
  }
  const [found] = await checkStore(store, true)
  expect(found).toMatchObject({ code: 'Conversation', messages: 129, texts: 0, repaired: 0 })
  expect(doctorText(found!)).toContain('129 messages cannot be read')
  expect(repairMessages(context, SESSION)).toBe(0)

  const missing = new Set([140, 200])
  const lines = Array.from({ length: LENGTH }, (_, n) => n + 1)
    .filter((seq) => !missing.has(seq))
    .map((seq) => ({ type: seq % 4 === 1 ? 'user' : 'assistant', uuid: `m${seq}`, message: { content: textOf(seq) } }))
  writeFileSync(transcript, `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`)
  expect(repairMessages(context, SESSION)).toBe(127)
  const lost = [...readAll(store)].filter(([name, text]) => text !== whole.get(name))
  expect(lost.map(([name]) => name)).toEqual(['message 140', 'message 200'])
  expect(await checkStore(store, true)).toMatchObject([{ messages: 2 }])
})
