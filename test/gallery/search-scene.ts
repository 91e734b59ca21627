/** A search of the gallery for the edit that broke the tests: while it runs, and its answer. */
import type { BisectResult, BisectSearch } from '../../src/contract/bisect.ts'

const RESULT: BisectResult = {
  state: 'found',
  culprit: {
    seq: 300,
    from: 300,
    run: 'run_tax',
    turn: 'turn_1',
    toolCall: { id: 'call_1', name: 'Edit', summary: 'src/cart/total.ts' },
    prompt: 'Add tax to the cart totals, one line per rate',
    origin: 'agent',
    agent: 'claude-code',
    drift: null,
    restore: null,
    paths: ['src/cart/total.ts'],
    hunks: [{ path: 'src/cart/total.ts', n: 1 }],
    at: 0
  },
  probes: [],
  skipped: [],
  confidence: 0.9914,
  good: 299,
  bad: 300,
  method: 'overlay',
  output: 'expected 119, received 119.00000000000001'
}

export function searchOf(command: string): BisectSearch {
  const probes = [410, 220, 299, 300].map((seq) => ({
    seq,
    result: seq < 300 ? ('good' as const) : ('bad' as const),
    ms: 900
  }))
  const running: BisectSearch = {
    command,
    good: null,
    bad: null,
    startedAt: 1,
    state: 'running',
    progress: { phase: 'search', done: 7, total: 9, leftMs: 6000, good: 290, bad: 300, probe: probes[3] ?? null },
    probes,
    result: null,
    problem: null
  }
  return command === 'npm test' ? { ...running, state: 'done', result: { ...RESULT, probes } } : running
}
