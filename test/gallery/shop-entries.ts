/** The timeline of the gallery's workspace, newest first. */
import type { Turn } from '../../src/contract/conversation.ts'
import type { DriftState } from '../../src/contract/log.ts'
import type { TestResult } from '../../src/contract/tests.ts'
import type { RunEntry, TimelineEntry } from '../../src/contract/timeline.ts'

function when(hours: number, minutes: number, daysAgo = 0): number {
  const d = new Date()
  d.setHours(hours, minutes, 8, 0)
  d.setDate(d.getDate() - daysAgo)
  return d.getTime()
}

function run(id: string, seq: number, at: number, title: string, agent: string, more: Partial<RunEntry>): RunEntry {
  return {
    kind: 'run',
    id,
    seq,
    at,
    title,
    prompt: title,
    label: '',
    userNote: '',
    agent,
    session: `s-${id}`,
    conversation: '',
    state: 'ended',
    endedAt: at + 420_000,
    turns: 1,
    files: 3,
    added: 0,
    deleted: 0,
    undone: false,
    incomplete: false,
    exitCode: null,
    attributed: 'tool-calls',
    notes: [],
    ...more
  }
}

export const TURNS: readonly Turn[] = [
  {
    id: 'turn_1',
    prompt: 'Add tax to the cart totals, one line per rate',
    at: when(14, 2),
    endedAt: when(14, 6),
    startSeq: 300,
    files: 9,
    session: 's-run_tax',
    message: 1
  },
  {
    id: 'turn_2',
    prompt: 'Round half to even, not up',
    at: when(14, 7),
    endedAt: when(14, 9),
    startSeq: 380,
    files: 3,
    session: 's-run_tax',
    message: 3
  }
]

/** `minutes` after the first prompt. */
const test = (minutes: number, seq: number, result: TestResult['result']): TestResult => {
  return { command: 'npm test', kind: 'tests', result, at: (TURNS[0]?.at ?? 0) + minutes * 60_000, seq }
}

export const SHOP_TESTS: readonly TestResult[] = [test(2, 316, 'failed'), test(6, 346, 'passed')]

/** `drift`: the state of the newest outside changes; the banner and the status bar are about those that are open. */
export function shopEntries(live: boolean, interrupted: boolean, drift: DriftState): TimelineEntry[] {
  const entries: TimelineEntry[] = [
    {
      kind: 'drift',
      id: 'dr_1',
      seq: 410,
      at: when(14, 31),
      title: '',
      state: drift,
      cause: 'edits',
      branches: null,
      paths: ['src/cart/total.ts', 'README.md'],
      count: 2
    },
    run('run_tax', 300, when(14, 2), 'Add tax to the cart totals, one line per rate', 'claude-code', {
      turns: 2,
      files: 10,
      added: 178,
      deleted: 46,
      tests: SHOP_TESTS,
      ...(interrupted
        ? {
            state: 'interrupted' as const,
            incomplete: true,
            notes: [{ code: 'remembers' as const }]
          }
        : {})
    }),
    {
      kind: 'checkpoint',
      id: 'cp_1',
      seq: 299,
      at: when(13, 58),
      title: 'Before the tax work',
      reason: 'manual',
      session: null
    },
    {
      kind: 'restore',
      id: 'rst_1',
      seq: 290,
      at: when(11, 58),
      title: 'before “Swap the rate table”',
      state: 'done',
      act: 'restore',
      toSeq: 240,
      guard: 'cp_g1',
      files: 3,
      selected: false,
      path: null,
      undone: false,
      mode: 'files',
      conversation: null
    },
    run('run_csv', 240, when(11, 40), 'Swap the rate table for a CSV', 'codex', {
      undone: true,
      added: 40,
      deleted: 12
    }),
    run('run_explain', 230, when(10, 31), 'How the checkout works', 'gemini-cli', {
      prompt: 'Explain the checkout flow, step by step, with the files that each step uses',
      label: 'How the checkout works',
      userNote: 'Good start for the talk.\nThe part about refunds is wrong: see the ledger.',
      files: 0
    }),
    {
      kind: 'drift',
      id: 'dr_0',
      seq: 220,
      at: when(18, 4, 1),
      title: '',
      state: 'accepted',
      cause: 'edits',
      branches: null,
      paths: ['.env'],
      count: 1
    },
    run('run_redis', 180, when(17, 20, 1), 'Move sessions to Redis', 'claude-code', { added: 612, deleted: 208 }),
    run('run_codegen', 170, when(16, 48, 1), 'npm run codegen', 'command', {
      turns: 0,
      files: 12,
      added: 340,
      deleted: 301,
      exitCode: 0
    }),
    run('run_types', 150, when(15, 12, 1), 'Type the payloads, too', 'claude-code', {
      session: 's-run_retry',
      conversation: 'Retry failed webhooks with a queue',
      added: 94,
      deleted: 12
    }),
    run('run_retry', 120, when(11, 26, 1), 'Retry failed webhooks with a queue', 'claude-code', {
      conversation: 'Retry failed webhooks with a queue',
      added: 231,
      deleted: 40
    }),
    run('run_undone', 100, when(10, 2, 1), 'Rename every handler', 'codex', {
      undone: true,
      added: 80,
      deleted: 80
    }),
    run('run_first', 40, when(9, 15, 1), 'Set up the project', 'claude-code', { added: 2310, deleted: 0, files: 44 })
  ]
  if (!live) return entries
  const working = run('run_live', 405, Date.now() - 134_000, 'Paginate GET /orders', 'codex', {
    state: 'live',
    endedAt: null,
    files: 10,
    added: 178,
    deleted: 46
  })
  return [working, ...entries]
}

const AGENTS = ['claude-code', 'codex', 'gemini-cli', 'qwen-code', 'opencode', 'cline', 'command'] as const
const WORK = ['Fix', 'Rename', 'Type', 'Move', 'Split', 'Explain', 'Test', 'Speed up', 'Document'] as const
const THINGS = ['the cart', 'the webhooks', 'orders', 'the rate table', 'sessions', 'the parser', 'receipts'] as const

/** Many entries of every kind, about 25 a day. */
export function manyEntries(count: number): TimelineEntry[] {
  const now = Date.now()
  return Array.from({ length: count }, (_, i): TimelineEntry => {
    const seq = (count - i) * 10
    const at = now - i * 3_400_000
    if (i % 37 === 5) {
      return {
        kind: 'drift',
        id: `dr_${i}`,
        seq,
        at,
        title: '',
        state: 'accepted',
        cause: 'edits',
        branches: null,
        paths: ['README.md'],
        count: 1 + (i % 4)
      }
    }
    if (i % 53 === 11)
      return { kind: 'checkpoint', id: `cp_${i}`, seq, at, title: `Before step ${i}`, reason: 'manual', session: null }
    if (i % 61 === 20) {
      return {
        kind: 'restore',
        id: `rst_${i}`,
        seq,
        at,
        title: 'an earlier point',
        state: 'done',
        act: 'restore',
        toSeq: seq - 35,
        guard: `cp_g${i}`,
        files: 3,
        selected: false,
        path: null,
        undone: i % 2 === 0,
        mode: 'files',
        conversation: null
      }
    }
    const title = `${WORK[i % WORK.length]} ${THINGS[(i * 5) % THINGS.length]} (${count - i})`
    return run(`run_${i}`, seq, at, title, AGENTS[(i * 3) % AGENTS.length] ?? 'codex', {
      turns: 1 + (i % 3),
      added: (i * 37) % 900,
      deleted: (i * 13) % 400
    })
  })
}
