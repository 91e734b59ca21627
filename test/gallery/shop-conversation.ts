/** Conversations of the gallery's workspace: a live one, a partly undone one, and one of 10,000 messages. */
import type { Params } from '../../src/contract/api.ts'
import type { Checkpoint } from '../../src/contract/checkpoint.ts'
import type { Turn } from '../../src/contract/conversation.ts'
import {
  type Message,
  type MessagePage,
  NO_KNOWN_ROWS,
  type SessionCall,
  type SessionDetail,
  type SessionTurn,
  type Todo
} from '../../src/contract/conversation.ts'
import type { SearchHit } from '../../src/contract/search.ts'
import { TURNS } from './shop-entries.ts'

/** With all its messages. */
type GalleryConversation = SessionDetail & Pick<MessagePage, 'messages'>

function session(id: string, agent: string, title: string, at: number): SessionDetail['session'] {
  return {
    id,
    agent,
    title,
    startedAt: at,
    lastAt: at + 420_000,
    runs: 1,
    phase: 'execute',
    mode: '',
    model: '',
    resumable: true,
    position: {
      run: null,
      turn: null,
      phase: 'execute',
      toolCall: null,
      completion: '',
      revision: 1
    },
    forkedFrom: ''
  }
}

function message(
  seq: number,
  role: Message['role'],
  at: number,
  turn: string,
  text: string,
  superseded = false
): Message {
  return { seq, role, text, at, turn, superseded }
}

let calls = 0
function call(
  turn: string,
  name: string,
  summary: string,
  at: number,
  ms: number | null,
  paths: string[]
): SessionCall {
  return {
    id: `call_${++calls}`,
    turn,
    name,
    summary,
    state: ms === null ? 'open' : 'done',
    startedAt: at,
    endedAt: ms === null ? null : at + ms,
    paths,
    subagent: null,
    complete: true,
    changed: paths.map((path) => ({ path, attribution: 'declared' })),
    changedCount: paths.length,
    renames: 0,
    added: 0,
    deleted: 0,
    counted: true,
    output: null
  }
}

function turnOf(run: string, turn: Turn): SessionTurn {
  return { ...turn, run, checkpoint: `cp_${turn.id}` }
}

const TODOS: readonly Todo[] = [
  { text: 'Read the handler and its tests', status: 'completed' },
  { text: 'Cursor in the list query', status: 'completed' },
  { text: 'Page type and limits', status: 'in_progress' },
  { text: 'Old response when no limit is sent', status: 'pending' }
]

function live(): GalleryConversation {
  const at = Date.now() - 134_000
  const turn = 'turn_live'
  const s = (n: number) => at + n * 1000
  return {
    session: session('s-run_live', 'codex', 'Paginate GET /orders', at),
    revision: 3,
    messages: [
      message(
        1,
        'user',
        at,
        turn,
        'Paginate GET /orders with opaque cursors. Keep the old response for clients that send no limit.'
      ),
      message(2, 'assistant', s(3), turn, 'I will read the handler and its tests first, then add a cursor type.'),
      message(3, 'assistant', s(40), turn, 'The list query takes a cursor now. The page type goes into its own file.')
    ],
    todos: TODOS,
    plan: '',
    turns: [
      turnOf('run_live', {
        id: turn,
        prompt: 'Paginate GET /orders with opaque cursors',
        at,
        endedAt: null,
        startSeq: 405,
        files: 10,
        session: 's-run_live',
        message: 1
      })
    ],
    calls: [
      call(turn, 'Read', '/home/kim/code/shop-api/src/orders/list.ts', s(4), 100, []),
      call(turn, 'Read', '/home/kim/code/shop-api/src/orders/index.ts', s(5), 90, []),
      call(turn, 'Read', '/home/kim/code/shop-api/src/orders/types.ts', s(6), 70, []),
      call(turn, 'Read', '/home/kim/code/shop-api/test/orders/list.test.ts', s(7), 60, []),
      { ...call(turn, 'Edit', 'src/orders/list.ts', s(20), 300, ['src/orders/list.ts']), added: 12, deleted: 3 },
      { ...call(turn, 'Edit', 'src/orders/index.ts', s(26), 100, ['src/orders/index.ts']), added: 1 },
      {
        ...call(turn, 'Bash', 'npm test -- orders', s(44), 6800, []),
        output: {
          text: '✓ lists the newest orders first\n✓ an unknown cursor is refused\n  22 passed',
          cut: false
        }
      },
      {
        ...call(turn, 'Bash', 'npm run openapi', s(60), 2100, []),
        changed: [{ path: 'openapi/shop.json', attribution: 'inferred' }],
        changedCount: 1,
        added: 44
      },
      { ...call(turn, 'Write', 'src/cart/tax.ts', s(120), null, ['src/cart/tax.ts']), added: 31 }
    ],
    checkpoints: [],
    from: NO_KNOWN_ROWS,
    mark: ''
  }
}

function tax(): GalleryConversation {
  const [first, second] = TURNS as [Turn, Turn]
  const a = first.id
  const b = second.id
  const s = (n: number) => first.at + n * 1000
  return {
    session: session('s-run_tax', 'claude-code', 'Add tax to the cart totals', first.at),
    revision: 7,
    messages: [
      message(1, 'user', first.at - 900_000, 'turn_0', 'Put the tax rates into a table first, then we see.', true),
      message(2, 'assistant', first.at - 890_000, 'turn_0', 'The rates are in `data/tax-rates.csv` now.', true),
      message(3, 'user', first.at, a, first.prompt),
      message(
        4,
        'assistant',
        s(20),
        a,
        'The totals live in `src/cart/total.ts`. I will compute one line per rate:\n\n```ts\nconst tax = taxFor(cart.items, region, lineTotal)\nconst taxTotal = add(tax.map((line) => roundHalfEven(line.amount)))\n```\n\nEvery rate keeps its own line, as receipts have to show them apart.'
      ),
      message(
        5,
        'assistant',
        s(200),
        a,
        'Totals carry one tax line per rate now; the tests for carts with two rates pass.'
      ),
      message(6, 'user', second.at, b, second.prompt),
      message(7, 'assistant', second.at + 60_000, b, 'Rounding goes half to even through `src/cart/rounding.ts`.')
    ],
    todos: [],
    plan: '',
    turns: [turnOf('run_tax', first), turnOf('run_tax', second)],
    calls: [
      call(a, 'Read', 'src/cart/total.ts', s(5), 100, []),
      call(a, 'Read', 'src/cart/types.ts', s(6), 100, []),
      call(a, 'Edit', 'src/cart/total.ts', s(40), 300, ['src/cart/total.ts']),
      call(a, 'Write', 'src/cart/tax.ts', s(60), 200, ['src/cart/tax.ts']),
      {
        ...call(a, 'Bash', 'npm test', s(90), 61_000, []),
        state: 'failed',
        output: {
          text: 'test/cart/total.test.ts\n  ✓ one line per rate\n  ✗ two rates in one cart\n    expected 2.35, got 2.34\n\n1 failed, 21 passed',
          cut: true
        }
      },
      call(b, 'Edit', 'src/cart/total.ts', second.at + 20_000, 240, ['src/cart/total.ts'])
    ],
    checkpoints: [],
    from: NO_KNOWN_ROWS,
    mark: ''
  }
}

const MANY = 10_000

function long(): GalleryConversation {
  const { session: about } = tax()
  const from = Date.now() - MANY * 4000
  const turns: SessionTurn[] = []
  const messages: Message[] = []
  const tools: SessionCall[] = []
  for (let n = 1; n <= MANY; n++) {
    const at = from + n * 4000
    const asks = n % 10 === 1
    if (asks) {
      turns.push(
        turnOf('run_0', {
          id: `turn_${n}`,
          prompt: `Step ${n}`,
          at,
          endedAt: at + 30_000,
          startSeq: n,
          files: n % 7,
          session: 's-long',
          message: n
        })
      )
    }
    const turn = turns.at(-1)?.id ?? ''
    const text = asks ? `Step ${n}: go on with the next part.` : `Part ${n} is done. `.repeat(1 + (n % 9))
    messages.push(message(n, asks ? 'user' : 'assistant', at, turn, text))
    if (n % 3 === 0)
      tools.push(
        call(turn, n % 2 ? 'Edit' : 'Bash', n % 2 ? `src/part-${n}.ts` : `npm test -- ${n}`, at + 100, 900, [])
      )
  }
  return {
    session: { ...about, id: 's-long' },
    revision: MANY,
    messages,
    todos: [],
    plan: '',
    turns,
    calls: tools,
    checkpoints: [],
    from: NO_KNOWN_ROWS,
    mark: ''
  }
}

/** Every other session has one prompt and one answer. */
export function conversationOf(id: string, many: boolean): GalleryConversation {
  if (many) return long()
  if (id === 's-run_live') return live()
  if (id === 's-run_tax') return tax()
  const at = Date.now() - 7_200_000
  return {
    session: session(id, 'claude-code', '', at),
    revision: 2,
    messages: [message(1, 'user', at, '', 'Do it.'), message(2, 'assistant', at + 5000, '', 'Done.')],
    todos: [],
    plan: '',
    turns: [],
    calls: [],
    checkpoints: [],
    from: NO_KNOWN_ROWS,
    mark: ''
  }
}

function point(n: number, reason: Checkpoint['reason'], at: number, files: number): Checkpoint {
  return {
    id: `cp_tax_${n}`,
    reason,
    seq: 300 + n,
    status: 'available',
    restorable: true,
    cause: null,
    run: 'run_tax',
    session: 's-run_tax',
    turn: null,
    label: '',
    at,
    files,
    revision: n
  }
}

const [FIRST, SECOND] = TURNS as [Turn, Turn]

/** Checkpoints of the run with two turns. */
export const POINTS: readonly Checkpoint[] = [
  point(0, 'run_start', FIRST.at, 0),
  point(1, 'end_of_turn', FIRST.at + 240_000, 9),
  point(2, 'compact', FIRST.at + 250_000, 0),
  point(3, 'pre_write', SECOND.at, 0),
  point(4, 'end_of_turn', SECOND.at + 120_000, 3)
]

/** A page of a conversation, as the engine sends it. */
export function pageOf(
  { messages, revision, todos, plan }: GalleryConversation,
  { at, side = 'after', limit = 100 }: Pick<Params<'sessions.messages'>, 'at' | 'side' | 'limit'>
): MessagePage {
  const found = messages.findIndex(({ seq }) => seq >= (at ?? 0))
  const index = found < 0 || (side === 'before' && at === undefined) ? messages.length : found
  const [from, to] =
    side === 'before'
      ? [index - limit, index]
      : side === 'around'
        ? [index - limit / 2, index + limit / 2]
        : at === undefined
          ? [0, limit]
          : [index + 1, index + 1 + limit]
  const page = messages.slice(Math.max(0, from), to)
  return {
    revision,
    todos,
    plan,
    messages: page,
    inForce: messages.filter(({ superseded }) => !superseded).map(({ seq }) => [seq, seq] as const),
    more: { before: from > 0, after: to < messages.length },
    unknown: []
  }
}

/** Search hits in the two conversations. */
export function hitsOf(text: string): SearchHit[] {
  const searched = text.toLowerCase()
  const found = [live(), tax()].flatMap(({ session: { id }, messages, turns }) =>
    messages.flatMap((message): SearchHit[] => {
      const line = message.text.split('\n').find((candidate) => candidate.toLowerCase().includes(searched))
      if (line === undefined) return []
      const kind = message.role === 'user' ? 'prompt' : 'message'
      const run = turns.find((turn) => turn.id === message.turn)?.run ?? null
      return [{ kind, text: line, path: null, run, session: id, message: message.seq, seq: null, at: message.at }]
    })
  )
  const change = '+  const taxTotal = add(tax.map((line) => roundHalfEven(line.amount)))'
  if (change.toLowerCase().includes(searched)) {
    found.push({
      kind: 'change',
      text: change,
      path: 'src/cart/total.ts',
      run: 'run_tax',
      session: null,
      message: null,
      seq: 320,
      at: FIRST.at
    })
  }
  return found
}
