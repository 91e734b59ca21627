/** The replay of the gallery's run: its files, each edited several times, with prompts, tests and an outside change. */
import type { ReplayEdit, ReplayPage } from '../../src/contract/replay.ts'
import { SHOP_TESTS, TURNS } from './shop-entries.ts'

const EDITS = 48

export function replayOf(paths: readonly string[]): ReplayPage {
  const edits = Array.from({ length: EDITS }, (_, i): ReplayEdit => {
    // The shown edit is in a text.
    const path = (paths.indexOf('src/cart/total.ts') + (i + 20) * 7) % paths.length
    const at = (TURNS[0]?.at ?? 0) + i * 8000
    const by = i === 30 ? 'outside' : 'own'
    return [301 + i, path, at, i < paths.length && i % 4 === 0 ? 'added' : 'modified', by, i === 30 ? -1 : 0, 4, 1]
  })
  return {
    fromSeq: 300,
    toSeq: 300 + EDITS,
    paths,
    calls: [{ id: 'call_1', name: 'Edit', summary: 'src/cart/total.ts' }],
    edits,
    more: false,
    left: 0,
    prompts: TURNS.map(({ startSeq, at, prompt }, i) => ({ seq: i === 0 ? startSeq : 330, at, text: prompt })),
    tests: SHOP_TESTS,
    messages: [
      [1, TURNS[0]?.at ?? 0],
      [3, TURNS[1]?.at ?? 0]
    ]
  }
}
