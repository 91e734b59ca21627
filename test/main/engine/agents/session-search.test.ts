/** A message is found in its agent's file exactly when the file holds it, at any place and size. */
import { appendFileSync, mkdirSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { transcriptHasMessage } from '../../../../src/main/engine/agents/session-file.ts'
import { type MessageRow, sourceOfHook } from '../../../../src/main/engine/store/messages.ts'
import type { SessionRow } from '../../../../src/main/engine/store/sessions.ts'
import { tempFolder } from '../../../support/tmp.ts'

const MB = 1024 * 1024

const record = (uuid: string, text: string): string =>
  JSON.stringify({ type: 'assistant', uuid, message: { content: [{ type: 'text', text }] } })
const message = (source: string, text = ''): MessageRow =>
  ({ source, text, role: 'assistant', seq: 1, parent: 0, turn: null, at: 0 }) satisfies MessageRow

/** A Claude Code transcript with these lines. */
function transcriptIn(home: string) {
  const folder = join(home, '.claude', 'projects', 'app')
  mkdirSync(folder, { recursive: true })
  const transcript = join(folder, 's.jsonl')
  const recorder = { root: join(home, 'app'), home }
  const session = { id: 's', agent: 'claude-code', home: null, transcript } as SessionRow
  return {
    transcript,
    holds: (message: MessageRow, block?: number) => transcriptHasMessage(recorder, session, message, block),
    write: (lines: readonly string[]) => writeFileSync(transcript, `${lines.join('\n')}\n`)
  }
}

describe('in a transcript of several blocks', () => {
  const BLOCK = 64 * 1024

  test('first, last, in the middle, in a line longer than a block, and around each block border', () => {
    using temp = tempFolder()
    const { holds, write } = transcriptIn(temp.path)
    const filler = Array.from({ length: 120 }, (_, n) => record(`filler${n}`, 'x'.repeat(1024 + n * 7)))
    const long = record('long', `${'y'.repeat(2.3 * BLOCK)} end`)
    const lines = [record('first', 'hello'), ...filler, long, ...filler.map((entry) => entry.replace('filler', 'more'))]
    write([...lines, record('last', 'bye')])
    const ids = ['first', 'last', 'long', ...filler.flatMap((_, n) => [`filler${n}`, `more${n}`])]
    expect(ids.filter((id) => holds(message(id), BLOCK) !== true)).toEqual([])
    expect(holds(message('nowhere'), BLOCK)).toBe(false)
  })

  test('other text that contains its id does not match', () => {
    using temp = tempFolder()
    const { holds, write } = transcriptIn(temp.path)
    write([record('a', 'text that mentions b'), record('bb', 'b'), '"b" and no record'])
    expect(holds(message('b'))).toBe(false)
    write([record('b', 'it'), record('a', 'text that mentions b')])
    expect(holds(message('b'))).toBe(true)
  })

  test('a message known only from a hook event is found by its text', () => {
    using temp = tempFolder()
    const { holds, write } = transcriptIn(temp.path)
    const texts = [`${'z'.repeat(39)}\u{1f600} a face on the edge`, '"quoted"\nand \\ more', 'größer als “alles”']
    write(texts.map((text, n) => record(String(n), text)))
    expect(texts.map((text) => holds(message(sourceOfHook('stop'), text)))).toEqual([true, true, true])
    expect(holds(message(sourceOfHook('stop'), texts[0]!.slice(0, 45)))).toBe(false)
  })
})

test('an unfinished line does not count, even if it is the only one', () => {
  using temp = tempFolder()
  const { holds, write, transcript } = transcriptIn(temp.path)
  write([record('a', 'done')])
  appendFileSync(transcript, record('b', 'being written'))
  expect([holds(message('a')), holds(message('b'))]).toEqual([true, false])
  appendFileSync(transcript, '\n')
  expect(holds(message('b'))).toBe(true)
  writeFileSync(transcript, record('c', 'w'.repeat(5 * MB)))
  expect(holds(message('c'))).toBe(false)
  truncateSync(transcript)
  expect(holds(message('a'))).toBe(false)
})

test('a transcript that is too long or unreadable is not searched', () => {
  using temp = tempFolder()
  const { holds, write, transcript } = transcriptIn(temp.path)
  expect(holds(message('a'))).toBeNull()
  write([record('a', 'done')])
  truncateSync(transcript, 257 * MB)
  expect(holds(message('a'))).toBeNull()
})
