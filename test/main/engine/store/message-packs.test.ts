/** [ST-5] The texts of long conversations are stored compressed, and each is read as it was. */
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { touchSession } from '../../../../src/main/engine/runs/session-rows.ts'
import { type Db, openDatabase } from '../../../../src/main/engine/store/database.ts'
import { countOnlyIn, nextMessage, rangesInForce } from '../../../../src/main/engine/store/in-force.ts'
import { storedConversationBytes } from '../../../../src/main/engine/store/message-text.ts'
import {
  findMessage,
  insertMessage,
  lastAnswerTo,
  messagesOf,
  setParent
} from '../../../../src/main/engine/store/messages.ts'
import { migrate } from '../../../../src/main/engine/store/migrate.ts'
import { openStore, type Store } from '../../../../src/main/engine/store/open-store.ts'
import { transact } from '../../../../src/main/engine/store/sql.ts'
import { STORE_MIGRATIONS } from '../../../../src/main/engine/store/store-schema.ts'
import { tempFolder } from '../../../support/tmp.ts'

const SESSION = { id: 's', agent: 'claude-code', cwd: '/p', transcript: null, home: null, mode: null, model: null }

/** Texts with letters of one to four bytes, an empty line, and one that is longer than a pack. */
const textOf = (seq: number): string =>
  seq === 200 ? 'long 日本 '.repeat(60_000) : `message ${seq}: é 日本 😀\n\nof ${seq}`

function conversation(store: Store, length: number): void {
  transact(store, (tx) => {
    touchSession(tx, SESSION, 1)
    for (let seq = 1; seq <= length; seq++)
      insertMessage(tx, 's', {
        seq,
        parent: seq - 1,
        turn: null,
        role: seq % 4 === 1 ? 'user' : 'assistant',
        text: textOf(seq),
        at: seq,
        source: `m${seq}`
      })
  })
}

function opened(length: number) {
  const temp = tempFolder()
  const store = openStore(join(temp.path, 'store.db'))
  conversation(store, length)
  return {
    store,
    [Symbol.dispose]: () => {
      store.close()
      temp[Symbol.dispose]()
    }
  }
}

const countPacks = ({ db }: { readonly db: Db }) => db.prepare('SELECT count(*) FROM message_pack').pluck().get()

describe('[ST-5] texts', () => {
  test('every text is as it was, read from any message on, whether it is packed or not', () => {
    using folder = opened(700)
    const { store } = folder
    // Five groups, one of them in two packs after a long text, and 60 texts that wait for their group.
    expect(countPacks(store)).toBe(66)
    for (const [first, last] of [
      [1, 700],
      [1, 1],
      [128, 129],
      [199, 201],
      [639, 642],
      [700, 700]
    ] as const) {
      const read = [...messagesOf(store, 's', first, last)]
      expect(read.map(({ seq }) => seq)).toEqual(Array.from({ length: last - first + 1 }, (_, n) => first + n))
      expect(read.every(({ seq, text }) => text === textOf(seq))).toBe(true)
    }
    expect(findMessage(store, 's', 200)?.text).toBe(textOf(200))
  })

  test('what they take is counted, and is what the tables hold', () => {
    using folder = opened(700)
    const { store } = folder
    const sql = 'SELECT sum(length(text)) FROM message_pack'
    const bytes = store.db.prepare(sql).pluck().get() as number
    expect(storedConversationBytes(store)).toBe(bytes + 700 * 150)
  })

  test('store.db, migration 8 -> 9: a long conversation is packed, and every text is as it was', () => {
    using temp = tempFolder()
    const file = join(temp.path, 'store.db')
    const db = openDatabase(file)
    migrate(db, STORE_MIGRATIONS.slice(0, 8))
    db.exec(
      "INSERT INTO session(id, agent, started_at, last_at, cwd) VALUES ('r', 'codex', 5, 5, '/p'), ('s', 'codex', 5, 5, '/p')"
    )
    const insert = db.prepare("INSERT INTO message VALUES (?, ?, ?, NULL, 'user', ?, 1, ?)")
    for (let seq = 1; seq <= 300; seq++) insert.run('s', seq, seq - 1, textOf(seq), `m${seq}`)
    insert.run('r', 1, 0, 'short', 'a')
    db.close()
    const store = openStore(file)
    expect(countPacks(store)).toBe(3 + 44 + 1)
    expect([...messagesOf(store, 's')].map(({ text }) => text)).toEqual(
      Array.from({ length: 300 }, (_, n) => textOf(n + 1))
    )
    expect([...messagesOf(store, 'r')].map(({ text }) => text)).toEqual(['short'])
    store.close()
  })
})

describe('what is in force', () => {
  test('is the chain of parents, as ranges, over rewinds inside rewinds', () => {
    using folder = opened(40)
    const { store } = folder
    transact(store, (tx) => {
      setParent(tx, 's', 21, 8)
      setParent(tx, 's', 33, 24)
    })
    const now = rangesInForce(store, 's', 40)
    expect(now).toEqual([
      [33, 40],
      [21, 24],
      [1, 8]
    ])
    expect(rangesInForce(store, 's', 30)).toEqual([
      [21, 30],
      [1, 8]
    ])
    expect(rangesInForce(store, 's', 12)).toEqual([[1, 12]])
    expect(rangesInForce(store, 's', 0)).toEqual([])
    const then = rangesInForce(store, 's', 30)
    expect([countOnlyIn(store, 's', now, then), countOnlyIn(store, 's', then, now)]).toEqual([8, 6])
    expect([nextMessage(store, 's', 8, now)?.seq, nextMessage(store, 's', 8, [[1, 12]])?.seq]).toEqual([21, 9])
    expect([nextMessage(store, 's', 24, now)?.seq, nextMessage(store, 's', 40, now)]).toEqual([33, null])
  })

  test('the last answer to a prompt is before the next prompt', () => {
    using folder = opened(10)
    expect([1, 5, 9].map((prompt) => lastAnswerTo(folder.store, 's', prompt))).toEqual([4, 8, 10])
  })
})
