/** An engine without a disk: answers the contract from a scene, to show every screen in every state. */

import { structuredPatch } from 'diff'
import type { Method, Params, Result } from '../../src/contract/api.ts'
import type { BisectSearch } from '../../src/contract/bisect.ts'
import type { FileDiff, TextHunk } from '../../src/contract/diff.ts'
import { DriftlineError, toErrorShape } from '../../src/contract/errors.ts'
import type { Finding } from '../../src/contract/findings.ts'
import type { GitChange, GitPlanItem } from '../../src/contract/git.ts'
import type { FileVersion } from '../../src/contract/log.ts'
import { PROTOCOL } from '../../src/contract/protocol.ts'
import type { ReplayMoment } from '../../src/contract/replay.ts'
import type { RestorePlan, RestoreRequest } from '../../src/contract/restore.ts'
import type { Comment, ReviewDraft } from '../../src/contract/review.ts'
import type { Channel, Frame } from '../../src/contract/wire.ts'
import type { ChannelEvents } from '../../src/renderer/client/platform.ts'
import { failToAdd, HOST_ANSWERS, hostsOf } from './hosts-scene.ts'
import { replayOf } from './replay-scene.ts'
import { at, HOME, type Scene, SHOP, sceneOf, type Variant } from './scene.ts'
import { searchOf } from './search-scene.ts'
import { SETTINGS_ANSWERS, UNCONNECTED } from './settings-scene.ts'
import { conversationOf, hitsOf, POINTS, pageOf } from './shop-conversation.ts'
import { README } from './shop-files.ts'
import { blameOf, VERSIONS } from './shop-history.ts'
import { TOTAL_AFTER, TOTAL_BEFORE } from './total-file.ts'

type Handlers = { readonly [M in Method]?: (params: Params<M>) => Result<M> }

const LATENCY_MS = 12
const ENV_BEFORE = '# Payments\nSTRIPE_KEY=old-example-of-a-key\nPORT=8080\n'
const ENV_AFTER = '# Payments\nSTRIPE_KEY=new-example-of-a-key\nTAX_API_TOKEN=example-of-a-token\nPORT=8080\n'
/** The disconnected variant closes its channel once this was answered: a diff is shown. */
const LAST_ANSWER: Method = 'diff.file'

/** Of the gallery's run: on the whole of a file, on lines that are gone, and on an answer. */
const COMMENTS: readonly Comment[] = [
  {
    id: 'cm_1',
    at: at(14, 20),
    editedAt: null,
    text: 'Can this be **one** function?',
    state: 'open',
    run: 'run_tax',
    session: 's-run_tax',
    message: null,
    call: null,
    path: 'src/cart/total.ts',
    line: null,
    endLine: null,
    moved: false,
    lines: 'same',
    quote: '',
    replyTo: null,
    review: null
  },
  {
    id: 'cm_2',
    at: at(14, 21),
    editedAt: null,
    text: 'Keep a test of this.',
    state: 'sent',
    run: 'run_tax',
    session: 's-run_tax',
    message: null,
    call: null,
    path: 'src/cart/index.ts',
    line: null,
    endLine: null,
    moved: false,
    lines: 'gone',
    quote: "export { total } from './total'",
    replyTo: null,
    review: 'rev_1'
  },
  {
    id: 'cm_4',
    at: at(14, 23),
    editedAt: null,
    text: 'Export the rates, too.',
    state: 'queued',
    run: 'run_tax',
    session: 's-run_tax',
    message: null,
    call: null,
    path: 'src/cart/index.ts',
    line: null,
    endLine: null,
    moved: false,
    lines: 'same',
    quote: '',
    replyTo: null,
    review: 'rev_2'
  },
  {
    id: 'cm_3',
    at: at(14, 22),
    editedAt: null,
    text: 'One line per rate is *too long* for a receipt.',
    state: 'open',
    run: 'run_tax',
    session: 's-run_tax',
    message: { seq: 4, role: 'assistant', undone: false },
    call: null,
    path: null,
    line: null,
    endLine: null,
    moved: false,
    lines: 'same',
    quote: 'The totals live in `src/cart/total.ts`. I will compute one line per rate:',
    replyTo: null,
    review: null
  }
]

const SENT = { id: 'rev_1', route: 'prompt', sentAt: at(14, 9), message: 'Please round half to even.' } as const

const REVIEW: ReviewDraft = {
  session: 's-run_tax',
  run: null,
  agent: 'claude-code',
  title: 'Add tax to the cart totals, one line per rate',
  comments: COMMENTS.filter(({ state }) => state === 'open'),
  decisions: [],
  message: [
    'The user reviewed your changes:',
    '',
    '- `src/cart/total.ts`: Can this be **one** function?',
    '- On your answer: One line per rate is *too long* for a receipt.',
    ''
  ].join('\n'),
  queued: null
}

const FINDINGS: readonly Finding[] = [
  { kind: 'test-deleted', path: 'test/cart/sum.test.ts', line: null, side: 'after', text: '', count: 1, version: null },
  {
    kind: 'check-removed',
    path: 'src/cart/total.ts',
    line: 21,
    side: 'before',
    text: 'const off = item.discount ? Math.round(price * item.discount) : 0',
    count: 2,
    version: null
  }
]

/** A connect function for `createConnection`; `signal` ends what goes on by itself. */
export function fakeConnect(variant: Variant, signal: AbortSignal): (events: ChannelEvents) => Channel {
  const scene = sceneOf(variant)
  let opened = 0
  return (events) => {
    let onFrame = (_frame: string) => {}
    let onClose = () => {}
    opened++
    const refuse = variant === 'unreachable' || (variant === 'disconnected' && opened > 1)
    const emit = (event: string, payload: unknown) => onFrame(JSON.stringify({ event, payload }))
    const close = () => {
      onClose()
      events.closed()
    }
    if (refuse) setTimeout(close, LATENCY_MS)
    else queueMicrotask(events.opened)
    const handlers = handlersOf(scene, emit, signal)
    return {
      send: (text) => {
        if (refuse) return
        const frame = JSON.parse(text) as Extract<Frame, { method: string }>
        setTimeout(() => {
          onFrame(JSON.stringify(answer(frame, handlers)))
          if (variant === 'disconnected' && frame.method === LAST_ANSWER) close()
        }, LATENCY_MS)
      },
      onFrame: (listener) => {
        onFrame = listener
      },
      onClose: (listener) => {
        onClose = listener
      }
    }
  }
}

function answer(frame: Extract<Frame, { method: string }>, handlers: Handlers): Frame {
  try {
    const handler = handlers[frame.method as Method] as ((params: unknown) => unknown) | undefined
    if (!handler) throw new DriftlineError('Bug', `The gallery's engine does not know ${frame.method}.`)
    return { id: frame.id, result: handler(frame.params) }
  } catch (error) {
    return { id: frame.id, error: toErrorShape(error) }
  }
}

/** The list of folders was lost. */
const REBUILT_LIST: Handlers = {
  'host.state': () => ({
    watching: 'on',
    lastEnd: 'clean',
    rebuiltList: { why: 'lost', at: at(13, 0), folders: 3, removed: 1 }
  }),
  'workspaces.confirmList': () => {
    throw new DriftlineError('DiskFull', 'The disk is full, so nothing was changed.')
  }
}

function handlersOf(scene: Scene, emit: (event: string, payload: unknown) => void, signal: AbortSignal): Handlers {
  let rev = 900
  let search: BisectSearch | null = null
  const changed = (...kinds: string[]) =>
    queueMicrotask(() => emit('workspace.changed', { workspace: SHOP.id, rev: ++rev, kinds, paths: [] }))
  const filesOf = (target: string) => {
    if (target.startsWith('run_explain')) return []
    const entry = scene.entries.find(({ id }) => target === id)
    if (entry?.kind === 'drift') return [README, ...scene.files].filter(({ path }) => entry.paths.includes(path))
    return target.startsWith('turn_2') ? scene.files.slice(5, 8) : scene.files
  }
  if (scene.variant === 'first-copy') {
    let files = 6204
    const copying = setInterval(() => {
      files = Math.min(9870, files + 37)
      const copy = { files, filesTotal: 9870, bytes: 148_000_000, counted: true }
      emit('coverage.changed', { workspace: SHOP.id, coverage: 'copying', copy })
    }, 1000)
    signal.addEventListener('abort', () => clearInterval(copying))
  }
  return {
    'app.info': () => ({
      version: '0.1',
      protocol: PROTOCOL,
      platform: 'linux',
      host: 'server',
      pid: 1,
      dataDir: '/data',
      home: HOME
    }),
    'bisect.state': () => ({ search }),
    'bisect.start': ({ command }) => {
      search = searchOf(command)
      changed('searches')
      return { search }
    },
    'app.command': () => ({ command: 'driftline' }),
    'editor.find': () => ({ editor: 'code' }),
    ...HOST_ANSWERS,
    'hosts.list': () => ({ hosts: hostsOf(scene.variant, scene.workspaces) }),
    'hosts.add': (params) => failToAdd(params, emit),
    'workspaces.list': () => ({ workspaces: scene.workspaces, bundles: scene.bundles, left: [] }),
    'workspaces.suggest': ({ name }) => ({
      folders: name === 'shop-api' ? [`${HOME}/code/shop-api`, `${HOME}/old/shop-api`] : []
    }),
    'workspaces.complete': ({ prefix }) => ({
      folders: [`${HOME}/code/shop-api`, `${HOME}/code/ledger`, `${HOME}/notes`].filter((folder) =>
        prefix === '' ? !folder.endsWith('shop-api') : folder.startsWith(prefix.replace(/^~/, HOME))
      )
    }),
    'workspaces.add': ({ folder, confirmed }) => {
      if (folder === HOME || folder === '~') {
        if (!confirmed) {
          throw new DriftlineError(
            'NeedsConfirmation',
            'This is your home folder. Choose a project folder inside it, or confirm to record everything. Nothing was recorded yet.'
          )
        }
      } else if (!folder.includes('shop-api')) {
        const parent = folder.slice(0, folder.lastIndexOf('/'))
        throw new DriftlineError('NotAFolder', 'That is a file. Choose the folder that contains it.', { parent })
      }
      return {
        workspace: SHOP,
        covered: { files: 9870, bytes: 148_000_000 },
        notCovered: [
          { path: 'node_modules', reason: 'ignored' },
          { path: 'dist', reason: 'ignored' },
          ...scene.status.notCovered
        ],
        head: 0,
        worktrees: [],
        complete: scene.variant !== 'first-copy'
      }
    },
    'workspaces.stopCopy': () => ({}),
    'workspaces.remove': () => ({}),
    'workspaces.locate': () => ({ workspace: SHOP }),
    'workspace.status': () => scene.status,
    'coverage.list': () => ({
      covered: scene.status.covered,
      notCovered: [
        { path: 'node_modules', reason: 'ignored' },
        { path: 'dist', reason: 'ignored' },
        ...scene.status.notCovered
      ]
    }),
    'timeline.list': ({ limit, before, oldest, text, kinds, agent, since = 0, undecided, path = '' }) => {
      if (scene.variant === 'error') {
        throw new DriftlineError(
          'StoreDamaged',
          'The recorded data could not be read. Your files are untouched; run "driftline doctor".'
        )
      }
      const all = scene.entries.filter(
        (entry) =>
          (!kinds || kinds.includes(entry.kind)) &&
          (!agent || (entry.kind === 'run' && entry.agent === agent)) &&
          (!undecided || (entry.kind === 'drift' && entry.state === 'open')) &&
          (!path || (entry.kind === 'drift' && entry.paths.includes(path))) &&
          entry.at >= since &&
          (!text || entry.title.toLowerCase().includes(text.toLowerCase()))
      )
      const from = before ? all.findIndex(({ id }) => id === before) + 1 : 0
      const entries = oldest ? all.slice(-limit) : all.slice(from, from + limit)
      return { entries, more: from + limit < all.length, total: all.length }
    },
    'entry.show': ({ target }) => {
      const entry = scene.entries.find(({ id }) => id === target)
      if (!entry) throw new DriftlineError('UnknownTarget', `${target} is not in the timeline.`)
      const turns =
        entry.id === 'run_tax' ? scene.turns : scene.turns.map((turn) => ({ ...turn, id: `${turn.id}_${entry.id}` }))
      const session = entry.kind === 'run' && entry.session !== null ? conversationOf(entry.session, false) : null
      const own = session?.turns.filter(({ run }) => run === entry.id) ?? []
      return {
        entry,
        checkpoints: entry.id === 'run_tax' ? POINTS : [],
        turns: own.length > 0 ? own : entry.kind === 'run' && entry.turns > 1 ? turns : [],
        calls: session?.calls ?? [],
        todos: session?.todos ?? [],
        reviews: entry.id === 'run_tax' ? [{ id: SENT.id, turn: 'turn_2', route: SENT.route, sentAt: SENT.sentAt }] : []
      }
    },
    'sessions.show': ({ session }) => conversationOf(session, scene.variant === 'huge'),
    'sessions.messages': ({ session, ...cursor }) => pageOf(conversationOf(session, scene.variant === 'huge'), cursor),
    'sessions.find': ({ session, text }) => ({
      seqs: conversationOf(session, scene.variant === 'huge')
        .messages.filter((message) => message.text.toLowerCase().includes(text.toLowerCase()))
        .map(({ seq }) => seq),
      more: false
    }),
    'search.run': ({ text }) => ({ hits: hitsOf(text), more: false, searched: null }),
    'diff.files': ({ target, to }) => ({
      prevCheckpointId: 'cp_0',
      toCheckpointId: 'cp_9',
      fromSeq: 300,
      toSeq: to === 'now' ? null : 404,
      workspaceDrifted: false,
      warnings: [],
      files: filesOf(target)
    }),
    'diff.patch': () => {
      throw new DriftlineError('Bug', 'The gallery has no patches.')
    },
    'diff.file': ({ path, target, to }) => {
      const { hunks, ...diff } = { hunks: undefined, ...fileDiff(scene, path) }
      // Only changes of a run are undone one by one, not those between two versions.
      if (hunks && !target.startsWith('seq:')) return { ...diff, hunks } as FileDiff
      return target === to && diff.view === 'text' ? { ...diff, beforeText: diff.afterText } : diff
    },
    'comments.list': ({ onMessages, session }) => ({
      comments: COMMENTS.filter(
        (comment) => (!onMessages || comment.message) && (session ?? comment.session) === comment.session
      )
    }),
    'comments.counts': () => ({ runs: { run_tax: 3 } }),
    'git.changes': ({ run }) => ({ changes: run === 'run_tax' ? GIT_CHANGES : [] }),
    'review.findings': ({ run }) => ({ run, findings: run === 'run_tax' ? FINDINGS : [], more: 0 }),
    'review.get': ({ session }) => (session === 's-run_tax' ? REVIEW : { ...REVIEW, comments: [], message: '' }),
    'review.list': () => ({ reviews: [{ ...SENT, session: 's-run_tax', state: 'sent', at: at(14, 8) }] }),
    'replay.edits': ({ after }) => {
      const page = replayOf(scene.files.map(({ path }) => path))
      return after === undefined ? page : { ...page, paths: [], calls: [], edits: [] }
    },
    'replay.file': ({ path }) => {
      const { hunks, ...diff } = { hunks: undefined, ...fileDiff(scene, path) }
      return { diff, blocks: hunks?.flatMap(({ blocks }) => blocks) ?? null, edited: [] } as ReplayMoment
    },
    'restore.plan': ({ request }) => planOf(scene, request),
    'restore.preview': ({ path }) => {
      const { hunks, ...diff } = { hunks: undefined, ...fileDiff(scene, path) }
      return { ...(diff as FileDiff), counts: { added: 8, deleted: 23 } }
    },
    'restore.apply': ({ request }) => {
      const plan = planOf(scene, request)
      changed('restores', 'edits')
      const isPartial = scene.variant === 'partial'
      return {
        restore: 'rst_new',
        state: isPartial ? 'partial' : 'done',
        guard: 'cp_gn',
        items: plan.items.map((item) =>
          isPartial && item.path === 'src/cart/tax.ts'
            ? { ...item, result: 'failed' as const, reason: { code: 'in-use' as const } }
            : { ...item, result: 'done' as const }
        ),
        conflicts: [],
        warnings: [],
        refusal: '',
        git: [],
        conversation:
          plan.conversation && plan.mode !== 'files'
            ? {
                session: plan.conversation.session,
                revision: 2,
                superseded: 14,
                broughtBack: 0,
                prompt: plan.conversation.prompt,
                resume: {
                  command: 'claude --resume 6f2c9e1a-0d3b-4f57-9d56-2b8f1f7a9c10',
                  argv: [],
                  cwd: SHOP.root,
                  forkedFrom: 's-run_tax',
                  prompt: plan.conversation.prompt,
                  note: null
                },
                failure: null
              }
            : null
      }
    },
    'run.describe': ({ run, label = '', userNote = '' }) => ({
      run,
      label,
      userNote,
      former: { label: '', userNote: '' }
    }),
    'bundle.make': ({ secrets }) => ({
      bundle: 'bundle_1',
      title: 'Add tax',
      bytes: 48_213,
      files: 12,
      edits: 48,
      messages: 14,
      comments: 3,
      ...(secrets
        ? { maskedLines: 0, hiddenFiles: 0, hidden: [] }
        : { maskedLines: 7, hiddenFiles: 2, hidden: ['.env', 'config/prod.pem'] })
    }),
    'bundle.drop': () => ({}),
    'checkpoint.create': ({ label }) => {
      const id = `cp_${Date.now()}`
      scene.entries = [
        { kind: 'checkpoint', id, seq: 420, at: Date.now(), title: label, reason: 'manual', session: null },
        ...scene.entries
      ]
      changed('checkpoints')
      return { checkpoint: id, seq: 420 }
    },
    'drift.accept': ({ drift }) => {
      const found = scene.status.drift.find(({ id }) => id === drift)
      if (!found) throw new DriftlineError('UnknownTarget', 'This outside change is not open any more.')
      return { drift: { ...found, state: 'accepted' } }
    },
    'file.history': () => ({ versions: VERSIONS, secret: false }),
    'file.blame': () => {
      const lines = blameOf(TOTAL_AFTER)
      return { lines, total: lines.length, next: null, secret: false }
    },
    ...SETTINGS_ANSWERS,
    ...(scene.variant === 'rebuilt' ? REBUILT_LIST : {}),
    ...(scene.workspaces.length === 0 ? { 'agents.list': () => ({ agents: UNCONNECTED }) } : {}),
    'settings.get': () => ({ values: {} }),
    'settings.set': () => ({})
  }
}

function side(kind: FileVersion['kind'], size: number): FileVersion {
  return { kind, size, mode: 0o644, hash: kind === 'file' ? `c0de19${size}` : null, target: null, notStored: null }
}

function fileDiff(scene: Scene, path: string): FileDiff {
  const change = scene.files.find((file) => file.path === path)
  const base = {
    path,
    ...(change?.oldPath ? { oldPath: change.oldPath } : {}),
    change: change?.change ?? ('modified' as const),
    before: change?.change === 'added' ? side('absent', 0) : side('file', 1800),
    after: change?.change === 'deleted' ? side('absent', 0) : side('file', 2200),
    secret: change?.secret ?? false
  }
  if (change?.notStored) {
    const left = { hash: null, notStored: change.notStored }
    return {
      ...base,
      before: { ...base.before, ...left },
      after: { ...base.after, ...left },
      view: 'not-kept',
      reason: change.notStored
    }
  }
  if (change?.kind === 'binary') return { ...base, view: 'opaque', type: 'PNG image' }
  const lines = (n: number, from: string) =>
    Array.from({ length: n }, (_, i) => `export const ${from}${i} = ${i * 3} // ${path}`).join('\n')
  const texts: readonly [string, string] =
    path === 'src/cart/total.ts'
      ? [TOTAL_BEFORE, TOTAL_AFTER]
      : path === '.env'
        ? [ENV_BEFORE, ENV_AFTER]
        : change?.change === 'added'
          ? ['', `${lines(change.added, 'value')}\n`]
          : change?.change === 'deleted'
            ? [`${lines(change.deleted, 'value')}\n`, '']
            : [`${lines(40, 'value')}\n`, `${lines(40, 'value')}\n${lines(change?.added ?? 3, 'extra')}\n`]
  return {
    ...base,
    view: 'text',
    ...(base.change === 'modified' ? { hunks: hunksOf(...texts) } : {}),
    beforeText: texts[0],
    afterText: texts[1],
    encodings: { before: 'utf8', after: 'utf8' },
    hidden: false,
    eolOnly: null
  }
}

function hunksOf(before: string, after: string): TextHunk[] {
  return structuredPatch('', '', before, after, '', '', { context: 0 }).hunks.map((hunk, index) => {
    const [oldFrom, newFrom] = [hunk.oldStart - 1, hunk.newStart - 1]
    const block = { oldFrom, oldTo: oldFrom + hunk.oldLines, newFrom, newTo: newFrom + hunk.newLines }
    return { ...block, n: index + 1, blocks: [block], undoneBy: null, undoneLines: [] }
  })
}

const GIT_CHANGES: readonly GitChange[] = [
  { kind: 'branch-deleted', name: 'spike/redis', commits: 14 },
  { kind: 'branch-back', name: 'main', commits: 3 },
  { kind: 'stashes-dropped', commits: 2 }
]

function gitItems(selected: readonly string[]): GitPlanItem[] {
  const [spike, main] = ['4f1c20b7aa93', 'c03de1f29b55']
  const items: Omit<GitPlanItem, 'chosen'>[] = [
    { item: 'heads/main', kind: 'branch', name: 'main', from: spike, to: main, lost: false },
    { item: 'heads/spike/redis', kind: 'branch', name: 'spike/redis', from: '', to: spike, lost: true },
    { item: `stash@${main}`, kind: 'stash', name: 'On main: wip tax rates', from: '', to: main, lost: true },
    {
      item: 'HEAD',
      kind: 'head',
      name: 'HEAD',
      from: 'ref: refs/heads/main',
      to: 'ref: refs/heads/spike/redis',
      lost: false
    },
    { item: 'index', kind: 'index', name: 'index', from: '', to: '', lost: false }
  ]
  return items.map((item) => ({
    ...item,
    chosen: selected.includes(item.item) || (item.lost && selected.includes('lost'))
  }))
}

function planOf(scene: Scene, act: RestoreRequest): RestorePlan {
  const { kind } = act
  const talks = act.kind === 'restore' && act.target.startsWith('turn_')
  const mode = act.kind === 'restore' ? (act.mode ?? (talks ? 'both' : 'files')) : 'files'
  const possible = scene.variant !== 'drift'
  const why = possible ? null : ('message-missing' as const)
  const small = kind === 'undo' || kind === 'redo'
  const items = (mode === 'conversation' ? [] : small ? scene.files.slice(0, 3) : scene.files).map((file) => ({
    path: file.path,
    action:
      file.change === 'added'
        ? ('delete' as const)
        : file.change === 'deleted'
          ? ('create' as const)
          : ('write' as const),
    note: null,
    before: side('file', 1800),
    after: side('file', 1800)
  }))
  return {
    plan: 'plan_1',
    act: kind,
    target: 'run_tax:start',
    title: 'start of “Add tax to the cart totals”',
    targetAt: at(14, 2),
    items,
    conflicts:
      small || mode === 'conversation'
        ? []
        : [
            {
              path: 'src/cart/total.ts',
              cause: 'outside-after-target',
              unstorable: null,
              by: [{ who: 'outside', title: '', at: at(14, 31) }],
              choices: ['keep', 'merge', 'replace'],
              choice: 'merge',
              mergeable: true,
              deletes: false
            }
          ],
    warnings: [],
    git: act.kind === 'restore' && !talks ? gitItems(act.git ?? []) : [],
    unchanged: 12,
    live: [],
    mode: possible ? mode : 'files',
    modes: (['files', 'conversation', 'both'] as const).map((mode) => ({
      mode,
      possible: mode === 'files' || possible,
      why: mode === 'files' ? null : why
    })),
    conversation: talks
      ? {
          session: 's-run_tax',
          agent: 'claude-code',
          title: 'Add tax to the cart totals',
          revision: 7,
          toRevision: 2,
          supersedes: 14,
          bringsBack: 0,
          prompt: 'Add tax to the cart totals, one line per rate',
          resumable: possible,
          why
        }
      : null
  }
}
