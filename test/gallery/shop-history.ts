/** The history of a file of the gallery's workspace: its versions, and who wrote which lines. */
import type { BlameLine, PathVersion } from '../../src/contract/log.ts'
import { at } from './scene.ts'

const past = (seq: number, atMs: number, more: Partial<PathVersion>): PathVersion => ({
  seq,
  before: seq - 1,
  path: 'src/cart.ts',
  origin: 'agent',
  run: 'run_tax',
  prompt:
    'Add tax to the cart totals, one line per rate\nReceipts must show the rates apart, so return one line per rate. The region comes from the shipping address.',
  at: atMs,
  kind: 'file',
  size: 1900,
  hash: `${seq}`,
  stored: true,
  agent: 'claude-code',
  turn: 1,
  entry: 'run_tax',
  title: '',
  drift: null,
  inForce: true,
  back: null,
  change: 'modified',
  added: 0,
  deleted: 0,
  counted: true,
  ...more
})
const OUTSIDE = { origin: 'outside', run: null, prompt: null, agent: null, turn: null, entry: 'dr_1' } as const

/** The history of any file. */
export const VERSIONS: readonly PathVersion[] = [
  past(410, at(14, 31), { ...OUTSIDE, drift: 'open', added: 2, deleted: 1 }),
  past(404, at(14, 8), { prompt: 'Round half to even, not up', turn: 2, added: 3, deleted: 2 }),
  past(402, at(14, 5), { ...OUTSIDE, added: 2 }),
  past(401, at(14, 4), { added: 21, deleted: 7 }),
  past(340, at(11, 58), {
    ...OUTSIDE,
    origin: 'restore',
    title: 'before "Swap the rate table"',
    entry: 'rst_1',
    back: 120
  }),
  past(330, at(11, 42), {
    agent: 'codex',
    prompt: 'Swap the rate table for a CSV',
    turn: null,
    inForce: false,
    added: 30,
    deleted: 12
  }),
  past(120, at(17, 20, 1), { prompt: 'Move sessions to Redis', turn: null, added: 5, deleted: 5 }),
  past(40, at(15, 0, 8), { agent: 'gemini-cli', prompt: 'Allow pick-up orders', turn: null, added: 4, deleted: 1 }),
  past(12, at(9, 15, 9), {
    agent: 'codex',
    prompt: 'Extract cart totals from checkout',
    turn: null,
    change: 'added',
    added: 41
  })
]

/** Blocks of lines of the file as it is now, each with the version that wrote it. */
const BLOCKS: readonly (readonly [number, number])[] = [
  [401, 1],
  [404, 1],
  [401, 1],
  [12, 4],
  [401, 2],
  [40, 2],
  [12, 4],
  [401, 1],
  [12, 4],
  [410, 2],
  [120, 5],
  [12, 1],
  [401, 60]
]

export function blameOf(text: string): BlameLine[] {
  const seqs = BLOCKS.flatMap(([seq, lines]) => Array.from({ length: lines }, () => seq))
  return text
    .trimEnd()
    .split('\n')
    .map((line, i): BlameLine => {
      const {
        seq,
        run,
        prompt,
        origin,
        at: when
      } = VERSIONS.find((version) => version.seq === (seqs[i] ?? 12)) ?? (VERSIONS[0] as PathVersion)
      return { n: i + 1, seq, run, prompt, origin: origin === 'agent' ? 'agent' : 'outside', at: when, text: line }
    })
}
