/** Builders of conversations: a test names only the fields it is about. */
import { type Message, NO_KNOWN_ROWS, type SessionCall, type SessionTurn } from '../../../src/contract/conversation.ts'
import type { Conversation } from '../../../src/renderer/features/conversation/message-rows.ts'
import { NOON } from '../model/make.ts'

export function answer(seq: number, text: string, more: Partial<Message> = {}): Message {
  return { seq, role: 'assistant', text, at: NOON + seq * 1000, turn: 't1', superseded: false, ...more }
}

export function prompt(seq: number, text: string, more: Partial<Message> = {}): Message {
  return answer(seq, text, { role: 'user', ...more })
}

export function call(id: string, name: string, at: number, more: Partial<SessionCall> = {}): SessionCall {
  return {
    id,
    turn: 't1',
    name,
    summary: name,
    state: 'done',
    startedAt: NOON + at,
    endedAt: NOON + at + 100,
    paths: [],
    subagent: null,
    complete: true,
    changed: [],
    changedCount: 0,
    renames: 0,
    added: 0,
    deleted: 0,
    counted: true,
    output: null,
    ...more
  }
}

export function turn(id: string, run: string, message: number, more: Partial<SessionTurn> = {}): SessionTurn {
  return {
    id,
    run,
    prompt: id,
    at: NOON + message * 1000,
    endedAt: NOON + message * 1000 + 500,
    startSeq: message,
    files: 2,
    session: 's1',
    message,
    checkpoint: null,
    ...more
  }
}

export function detail(more: Partial<Conversation>): Conversation {
  return {
    session: {
      id: 's1',
      agent: 'claude-code',
      title: '',
      startedAt: NOON,
      lastAt: NOON,
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
        revision: 0
      },
      forkedFrom: ''
    },
    revision: 0,
    messages: [],
    more: { before: false, after: false },
    inForce: (more.messages ?? []).filter(({ superseded }) => !superseded).map(({ seq }) => [seq, seq] as const),
    todos: [],
    plan: '',
    turns: [],
    calls: [],
    checkpoints: [],
    from: NO_KNOWN_ROWS,
    mark: '',
    ...more
  }
}
