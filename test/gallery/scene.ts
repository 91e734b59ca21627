/** Data of the gallery's engine: one workspace in one state. Each variant is a state that screens must show. */
import type { Turn } from '../../src/contract/conversation.ts'
import type { FileChange } from '../../src/contract/diff.ts'
import type { QueuedRestore } from '../../src/contract/restore.ts'
import type { WorkspaceStatus } from '../../src/contract/status.ts'
import type { Drift, TimelineEntry } from '../../src/contract/timeline.ts'
import type { ExcludedPath, Workspace, WorkspaceSummary } from '../../src/contract/workspace.ts'
import { SETTINGS_PAGES } from '../../src/renderer/commands/settings-pages.ts'
import { manyEntries, shopEntries, TURNS } from './shop-entries.ts'
import { ENV, SHOP_FILES } from './shop-files.ts'

export const VARIANTS = [
  'shop',
  'drift',
  'empty',
  'huge',
  'error',
  'disconnected',
  'unreachable',
  'copying',
  'missing',
  'halfway',
  'no-repository',
  'fresh-repository',
  'disk-low',
  'worktrees',
  'removed-worktree',
  'in-removed-worktree',
  'offline-drift',
  'welcome',
  'uncovered',
  'first-copy',
  'no-recents',
  'rebuilt',
  'interrupted',
  'hosts',
  'host-away',
  'today',
  'stopped',
  'queued',
  'held',
  'paused',
  'crashed',
  'partial',
  'secrets',
  'bundle',
  ...SETTINGS_PAGES.map(({ id }) => `settings-${id}` as const)
] as const
export type Variant = (typeof VARIANTS)[number]

const REPOSITORY: Partial<Readonly<Record<Variant, 'missing' | 'replaced'>>> = {
  'no-repository': 'missing',
  'fresh-repository': 'replaced'
}

export interface Scene {
  readonly variant: Variant
  readonly workspaces: readonly WorkspaceSummary[]
  readonly bundles: readonly Workspace[]
  entries: TimelineEntry[]
  readonly turns: readonly Turn[]
  readonly files: readonly FileChange[]
  readonly status: WorkspaceStatus
}

/** Today at a time of day, ms. */
export function at(hours: number, minutes: number, daysAgo = 0): number {
  const d = new Date()
  d.setHours(hours, minutes, 8, 0)
  d.setDate(d.getDate() - daysAgo)
  return d.getTime()
}

export const SHOP = { id: 'ws_shop', root: '/home/kim/code/shop-api', name: 'shop-api' } as const
export const HOME = '/home/kim'
const BUNDLE: Workspace = {
  id: 'ws_bundle',
  root: `${HOME}/Downloads/add-tax.driftline`,
  name: 'add-tax.driftline',
  bundle: {
    title: 'Add tax to the cart totals, one line per rate',
    folder: 'shop-api',
    exportedAt: at(13, 5, 1),
    file: `${HOME}/Downloads/add-tax.driftline`,
    maskedLines: 7,
    hiddenFiles: 2
  }
}
export const MB = 1_000_000
/** Of the open workspace: what the status bar and the storage settings say. */
export const HISTORY_BYTES = 1_460 * MB

const NOT_KEPT: readonly ExcludedPath[] = [
  { path: 'data/tax-rates.csv', reason: 'too-large', size: 84_000_000 },
  { path: 'dump.sql', reason: 'too-large', size: 2_100_000_000 },
  { path: 'demo.mov', reason: 'too-large', size: 312_000_000 }
]

function summary(
  id: string,
  root: string,
  more: Partial<WorkspaceSummary> & { readonly lastAt: number | null }
): WorkspaceSummary {
  return {
    id,
    root: `${HOME}/${root}`,
    name: root.slice(root.lastIndexOf('/') + 1),
    addedAt: at(9, 0, 30),
    folder: 'present',
    deletedBy: null,
    recording: true,
    watcher: { state: 'live', why: null, handles: 'chokidar' },
    coverage: 'complete',
    copy: null,
    store: {
      bytes: 24_000_000,
      uniqueBytes: 61_000_000,
      headBytes: 14_000_000,
      historyBytes: 9_000_000,
      conversationBytes: 0,
      budget: 2_000_000_000
    },
    live: false,
    openDrift: 0,
    runsToday: 0,
    lastEditAt: more.lastAt,
    ...more
  }
}

const DRIFT: Drift = {
  id: 'dr_1',
  state: 'open',
  cause: 'edits',
  paths: ['README.md', 'src/cart/total.ts'],
  count: 2,
  foundAt: at(14, 33),
  seq: 410,
  branches: null,
  since: 'Add tax to the cart'
}

const STOPPED: WorkspaceStatus['stopped'][number] = {
  run: 'run_live',
  agent: 'codex',
  title: 'Move the rates to the database',
  deleted: 412,
  folder: 'src',
  since: Date.now() - 20_000,
  pids: [4120, 4121],
  live: true,
  from: 1
}

const INTERRUPTED: WorkspaceStatus['interruptedRuns'][number] = {
  run: 'run_tax',
  session: 's-run_tax',
  agent: 'claude-code',
  turn: 'turn_2',
  phase: 'execute',
  toolCall: 'call_9',
  resume: { command: 'claude --resume 6f2c9e1a-0d3b-4f57-9d56-2b8f1f7a9c10', cwd: SHOP.root },
  title: 'Add tax to the cart totals, one line per rate',
  at: at(14, 9),
  doing: 'Bash: npm test',
  openCall: { name: 'Bash', summary: 'npm test' },
  files: 10
}

const QUEUED: QueuedRestore = {
  id: 'q_1',
  at: at(14, 30),
  request: { kind: 'undo-run', run: 'run_tax' },
  resolutions: {},
  title: '“Add tax to the cart totals, one line per rate”',
  target: 'run_tax:start',
  targetAt: at(14, 2),
  conflicts: [],
  held: null
}

/** Restores that were confirmed while a run was live. */
function queuedIn(variant: Variant): readonly QueuedRestore[] {
  if (variant === 'queued') return [QUEUED]
  return variant === 'held'
    ? [{ ...QUEUED, held: { code: 'conflicts', paths: ['src/cart/total.ts', 'src/cart/tax.ts'], count: 2 } }]
    : []
}

export function sceneOf(variant: Variant): Scene {
  const copying = variant === 'copying' || variant === 'first-copy'
  const empty = variant === 'empty' || variant === 'copying'
  const withLive = ['shop', 'error', 'disconnected', 'stopped', 'queued'].includes(variant)
  const drift: Drift[] =
    variant === 'drift' || variant === 'halfway'
      ? [DRIFT]
      : variant === 'offline-drift'
        ? [{ ...DRIFT, cause: 'offline' }]
        : []
  const entries = empty
    ? []
    : variant === 'huge'
      ? manyEntries(10_000)
      : shopEntries(withLive, variant === 'interrupted', drift[0]?.state ?? (withLive ? 'unreviewed' : 'accepted'))
  const copy = copying ? { files: 6204, filesTotal: 9870, bytes: 148_000_000, counted: true } : null
  return {
    variant,
    entries,
    turns: TURNS,
    files: variant === 'secrets' ? [ENV, ...SHOP_FILES] : SHOP_FILES,
    bundles: variant === 'bundle' ? [BUNDLE] : [],
    workspaces:
      variant === 'no-recents'
        ? []
        : [
            summary('ws_ledger', 'code/ledger', { live: true, runsToday: 4, lastAt: at(14, 30) }),
            summary('ws_notes', 'notes', { openDrift: 2, lastAt: at(16, 0, 1) }),
            summary('ws_invoice', 'code/invoice-pdf', { lastAt: at(11, 0, 8) }),
            summary('ws_old', 'code/old-site', { folder: 'missing', lastAt: at(11, 0, 40) }),
            ...(variant === 'welcome' ? [] : [summary(SHOP.id, 'code/shop-api', { runsToday: 5, lastAt: at(14, 2) })])
          ],
    status: {
      workspace: SHOP,
      folder: variant === 'missing' || variant === 'in-removed-worktree' ? 'missing' : 'present',
      head: 412,
      rev: 900,
      deletedBy: null,
      recording: true,
      host: {
        watching: variant === 'paused' ? 'paused' : 'on',
        lastEnd: variant === 'crashed' ? 'unexpected' : 'clean'
      },
      watcher:
        variant === 'paused' || variant === 'bundle'
          ? { state: 'off', why: { code: variant }, handles: null }
          : { state: 'live', why: null, handles: 'chokidar' },
      coverage: copying ? 'copying' : 'complete',
      copy,
      covered: { files: 9870, bytes: 148_000_000 },
      notCovered: empty
        ? []
        : NOT_KEPT.map((item) => (variant === 'uncovered' ? item : { ...item, reason: 'changing' as const })),
      drift,
      activeRuns: withLive
        ? [
            {
              run: 'run_live',
              title: 'Paginate GET /orders',
              agent: 'codex',
              startedAt: Date.now() - 134_000,
              mayWrite: true,
              quietSince: null
            }
          ]
        : [],
      stopped: variant === 'stopped' ? [STOPPED] : [],
      interruptedRuns: variant === 'interrupted' ? [INTERRUPTED] : [],
      queuedRestores: queuedIn(variant),
      interruptedRestore: variant === 'halfway' ? { id: 'rst_half', written: 7, total: 12 } : null,
      undo: empty ? null : { restore: 'rst_1', title: 'before “Swap the rate table”', files: 3 },
      redo: null,
      store: {
        bytes: 212_000_000,
        uniqueBytes: 480_000_000,
        headBytes: 120_000_000,
        historyBytes: HISTORY_BYTES,
        conversationBytes: 0,
        budget: 2_000_000_000
      },
      disk: variant === 'disk-low' ? { free: 120_000_000, low: true } : { free: 84_000_000_000, low: false },
      worktreeMode: 'ask',
      removedWorktrees:
        variant === 'removed-worktree' || variant === 'in-removed-worktree'
          ? [
              {
                id: variant === 'in-removed-worktree' ? SHOP.id : 'ws_fix',
                root: `${HOME}/code/shop-api/.claude/worktrees/fix-auth`,
                name: 'fix-auth',
                worktree: 'fix-auth',
                branch: 'fix-auth',
                removedAt: at(14, 2),
                lost: 57,
                target: 'seq:412'
              }
            ]
          : [],
      worktrees:
        variant === 'worktrees'
          ? [
              { folder: `${HOME}/code/shop-api-fix`, branch: 'fix/tax' },
              { folder: `${HOME}/code/shop-api/.worktrees/orders`, branch: 'orders' }
            ]
          : [],
      branch: variant === 'no-repository' || variant === 'bundle' ? '' : 'main',
      ...(REPOSITORY[variant] ? { repository: REPOSITORY[variant] } : {}),
      lastEditAt: empty ? null : withLive ? Date.now() - 2000 : at(14, 9),
      checkedAt: at(14, 36)
    }
  }
}
