/** Builders of timeline entries: a test names only the fields it is about. */
import type { Checkpoint } from '../../../src/contract/checkpoint.ts'
import type { DriftEntry, RestoreEntry, RunEntry } from '../../../src/contract/timeline.ts'

export const NOON = new Date(2026, 10, 20, 12, 0, 0).getTime()

export function run(id: string, seq: number, more: Partial<RunEntry> = {}): RunEntry {
  return {
    kind: 'run',
    id,
    seq,
    at: NOON,
    prompt: more.title ?? id,
    label: '',
    userNote: '',
    title: id,
    agent: 'claude-code',
    session: null,
    conversation: '',
    state: 'ended',
    endedAt: NOON,
    turns: 1,
    files: 2,
    added: 3,
    deleted: 1,
    undone: false,
    incomplete: false,
    exitCode: null,
    attributed: 'tool-calls',
    notes: [],
    ...more
  }
}

export function restore(id: string, seq: number, toSeq: number | null, more: Partial<RestoreEntry> = {}): RestoreEntry {
  return {
    kind: 'restore',
    id,
    seq,
    at: NOON,
    title: 'to an earlier point',
    state: 'done',
    act: 'restore',
    toSeq,
    guard: `cp_${id}`,
    files: 3,
    selected: false,
    path: null,
    undone: false,
    mode: 'files',
    conversation: null,
    ...more
  }
}

export function drift(id: string, seq: number, state: DriftEntry['state'] = 'open'): DriftEntry {
  return {
    kind: 'drift',
    id,
    seq,
    at: NOON,
    title: '',
    state,
    cause: 'edits',
    branches: null,
    paths: ['a.ts'],
    count: 1
  }
}

export function makeCheckpoint(id: string, reason: Checkpoint['reason'], seq: number): Checkpoint {
  return {
    id,
    reason,
    seq,
    status: 'available',
    restorable: true,
    cause: null,
    run: 'b',
    session: null,
    turn: null,
    label: '',
    at: NOON,
    files: 0,
    revision: null
  }
}
