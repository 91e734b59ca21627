/** Builders of answers of the engine: a test names only the fields it is about. */
import type { AgentState } from '../../src/contract/agents.ts'
import type { PathVersion } from '../../src/contract/log.ts'

/** The time of every version. */
export const VERSION_AT = new Date(2026, 10, 20, 14, 8).getTime()
export const version = (more: Partial<PathVersion>): PathVersion => ({
  seq: 3,
  before: 2,
  path: 'src/cart.ts',
  origin: 'agent',
  run: 'run_1',
  prompt: 'Round half to even\nand more',
  at: VERSION_AT,
  kind: 'file',
  size: 1900,
  hash: 'a',
  stored: true,
  agent: 'codex',
  turn: 2,
  entry: 'run_1',
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
export const outside = { origin: 'outside', run: null, prompt: null, agent: null, turn: null } as const
export const first = { ...outside, origin: 'baseline', seq: 0, change: 'none' } as const

export const agentState = (more: Partial<AgentState> = {}): AgentState => ({
  id: 'codex',
  found: true,
  version: '0.169.0',
  connected: 'no',
  trusted: null,
  lastEventAt: null,
  file: '/home/kim/.codex/hooks.json',
  entries: { found: 0, wanted: 9 },
  unreadable: null,
  managed: null,
  silent: false,
  tools: { on: false, file: '/home/kim/.codex/config.toml' },
  problems: [],
  ...more
})
