/** A client without an engine. The page's `window.panes` lets a test look at the calls and play the engine's part. */
import type { Client, EngineEvents, EventName, Method, Params, Result } from '../../../../src/contract/api.ts'
import { DriftlineError } from '../../../../src/contract/errors.ts'
import type { PlanItem, RestoreMode, RestorePlan, RestoreResult } from '../../../../src/contract/restore.ts'
import type { RunEntry } from '../../../../src/contract/timeline.ts'
import type { Workspace } from '../../../../src/contract/workspace.ts'
import type { Connection, ConnectionState } from '../../../../src/renderer/client/connection.ts'
import { BLAME, diffOf, FILES, hunksOf, side } from './samples.ts'

export const WORKSPACE: Workspace = { id: 'ws', root: '/shop', name: 'shop' }

export interface Panes {
  readonly calls: { method: Method; params: unknown }[]
  emit<E extends EventName>(event: E, payload: EngineEvents[E]): void
  /** Paths whose answer waits until `release`. */
  readonly held: Set<string>
  release(path: string): void
  /** Changes the disk below the shown plan. */
  moveOn(): void
  live: boolean
  /** The plan has a conversation. */
  talks: boolean
  ending: RestoreResult['state']
  /** Changes the later text of files that are loaded from now on. */
  rewrite: (text: string) => string
}

const item = (path: string, action: PlanItem['action'], note: PlanItem['note'] = null): PlanItem => ({
  path,
  action,
  note,
  before: side(),
  after: side({ hash: 'c'.repeat(64) })
})

const TALK = {
  session: 's1',
  agent: 'claude-code',
  title: 'add tax',
  revision: 9,
  toRevision: 2,
  supersedes: 7,
  bringsBack: 0,
  prompt: 'add tax',
  resumable: true,
  why: null
}
const DONE: NonNullable<RestoreResult['conversation']> = {
  session: 's1',
  revision: 2,
  superseded: 7,
  broughtBack: 0,
  prompt: 'add tax',
  resume: { command: 'claude --resume f', argv: [], cwd: '/shop', forkedFrom: 's1', prompt: 'add tax', note: null },
  failure: null
}

export function createPanes(): { panes: Panes; client: Client } {
  const listeners = new Map<string, Set<(payload: never) => void>>()
  const waiting = new Map<string, () => void>()
  let generation = 0
  const panes: Panes = {
    calls: [],
    held: new Set(),
    live: false,
    talks: false,
    ending: 'done',
    rewrite: (text) => text,
    emit: (event, payload) => {
      for (const listener of listeners.get(event) ?? []) listener(payload as never)
    },
    release: (path) => waiting.get(path)?.(),
    moveOn: () => {
      generation++
    }
  }
  const plan = (mode: RestoreMode = panes.talks ? 'both' : 'files'): RestorePlan => ({
    plan: `plan ${generation}${panes.talks ? ` ${mode}` : ''}`,
    act: 'restore',
    target: 'cp',
    title: 'start of "add tax"',
    targetAt: Date.now(),
    items:
      mode === 'conversation'
        ? []
        : [
            item('src/cart/total.ts', 'keep', { code: 'keep-requested' }),
            item('big.csv', 'keep', { code: 'not-stored', reason: 'too-large' }),
            { ...item('src/a.ts', 'write'), before: side({ hash: String(generation).padStart(64, '0') }) },
            item('src/b.ts', 'delete')
          ],
    conflicts:
      mode === 'conversation'
        ? []
        : [
            {
              path: 'src/cart/total.ts',
              cause: 'outside-after-target',
              unstorable: null,
              by: [],
              choices: ['keep', 'merge', 'replace'],
              choice: 'keep',
              mergeable: true,
              deletes: false
            }
          ],
    warnings: [],
    git: [],
    unchanged: 7,
    live: panes.live ? [{ run: 'run_1', title: 'busy', agent: 'Codex' }] : [],
    mode,
    modes: (['files', 'conversation', 'both'] as const).map((one) => ({ mode: one, possible: true, why: null })),
    conversation: panes.talks ? TALK : null
  })
  const run = (id = 'run_1', title = 'add tax'): RunEntry => ({
    kind: 'run',
    id,
    prompt: title,
    label: '',
    userNote: '',
    at: 1,
    seq: 1,
    title,
    agent: 'codex',
    session: null,
    conversation: '',
    state: panes.live ? 'live' : 'ended',
    endedAt: panes.live ? null : 2,
    exitCode: null,
    attributed: 'tool-calls',
    turns: 1,
    files: FILES.length,
    added: 2,
    deleted: 2,
    undone: false,
    incomplete: false,
    notes: []
  })
  const answers: { readonly [M in Method]?: (params: Params<M>) => Result<M> | Promise<Result<M>> } = {
    'diff.file': async ({ path, edits }) => {
      if (panes.held.has(path)) await new Promise<void>((resolve) => waiting.set(path, resolve))
      const whole = diffOf(path)
      const diff = whole.view === 'text' ? { ...whole, afterText: panes.rewrite(whole.afterText) } : whole
      return edits && diff.view === 'text' ? { ...diff, hunks: hunksOf(path) } : diff
    },
    'workspaces.list': () => ({ workspaces: [], left: [] }),
    'editor.find': () => ({ editor: null }),
    'settings.get': () => ({ values: {} }) as never,
    'workspace.status': () =>
      ({
        workspace: WORKSPACE,
        folder: 'present',
        branch: 'main',
        recording: true,
        covered: { files: 8, bytes: 100 },
        disk: { low: false },
        watcher: { state: 'live', why: null, handles: 'chokidar' },
        host: { watching: 'on' },
        interruptedRuns: [],
        stopped: [],
        interruptedRestore: null,
        undo: null,
        redo: null,
        drift: [],
        activeRuns: panes.live
          ? [{ run: 'run_1', title: 'add tax', agent: 'codex', startedAt: 1, quietSince: null }]
          : []
      }) as never,
    'timeline.list': () => ({ entries: [run(), run('run_0', 'round totals')], more: false, total: 2 }),
    'entry.show': ({ target }) => ({ entry: run(target), checkpoints: [], turns: [], calls: [], todos: [] }) as never,
    'diff.files': () => ({
      prevCheckpointId: '',
      toCheckpointId: '',
      fromSeq: 1,
      toSeq: 9,
      workspaceDrifted: false,
      warnings: [],
      files: FILES
    }),
    'comments.list': () => ({ comments: [] }),
    'comments.counts': () => ({ runs: {} }),
    'git.changes': () => ({ changes: [] }),
    'review.findings': ({ run }) => ({ run, findings: [], more: 0 }),
    'file.blame': () => ({ lines: BLAME, total: BLAME.length, next: null, secret: false }),
    'restore.plan': ({ request }) => plan(request.kind === 'restore' ? request.mode : undefined),
    'restore.preview': ({ path }) => ({ ...diffOf(path), counts: null }),
    'restore.queue': ({ request, plan: wanted }) => {
      if (wanted !== plan(request.kind === 'restore' ? request.mode : undefined).plan)
        throw new DriftlineError('PlanStale', 'Nothing was written.')
      return { queued: {} } as never
    },
    'restore.apply': ({ request, plan: wanted, whileLive }) => {
      if (panes.live && !whileLive) throw new DriftlineError('RunIsLive', 'A run is live. Nothing was written.')
      if (request.kind !== 'undo' && wanted !== plan(request.kind === 'restore' ? request.mode : undefined).plan)
        throw new DriftlineError('PlanStale', 'Nothing was written.')
      const state = request.kind === 'undo' ? 'done' : panes.ending
      const items = plan(request.kind === 'restore' ? request.mode : undefined).items.map((one) => ({
        ...one,
        result:
          one.action === 'keep'
            ? ('kept' as const)
            : one.path === 'src/b.ts' && state !== 'done'
              ? ('failed' as const)
              : ('done' as const),
        reason: { code: 'in-use' } as const
      }))
      const conversation = panes.talks && request.kind === 'restore' && request.mode !== 'files' ? DONE : null
      return {
        restore: 'rst',
        state,
        guard: 'cp',
        items,
        conflicts: [],
        warnings: [],
        refusal: '',
        conversation,
        git: []
      }
    }
  }
  const client: Client = {
    async call(method, params) {
      panes.calls.push({ method, params })
      const answer = answers[method] as ((params: unknown) => unknown) | undefined
      if (!answer) throw new DriftlineError('Bug', `no answer for ${method}`)
      return (await answer(params)) as never
    },
    on(event, listener) {
      const all = listeners.get(event) ?? new Set()
      listeners.set(event, all.add(listener as never))
      return () => all.delete(listener as never)
    }
  }
  return { panes, client }
}

/** A connection that never breaks. */
export function connectionOf(client: Client): Connection {
  const state: ConnectionState = { phase: 'open', generation: 1, downSince: null, lastContact: null }
  return { client, state: () => state, subscribe: () => () => {}, retry: () => {}, close: () => {} }
}
