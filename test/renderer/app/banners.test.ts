/** Banners, the recording pill, run notices, palette matching, and formatting. */
import { describe, expect, test } from 'vitest'
import type { WorkspaceStatus } from '../../../src/contract/status.ts'
import type { Drift, EntryDetail, RunEntry } from '../../../src/contract/timeline.ts'
import { plural } from '../../../src/contract/words/numbers.ts'
import { shortPath } from '../../../src/contract/words/paths.ts'
import { runNotices } from '../../../src/contract/words/run-notices.ts'
import { elapsed } from '../../../src/contract/words/times.ts'
import { DISK_FULL_TEXT, unwatchedText } from '../../../src/contract/words/watching.ts'
import { type BannerInput, bannersOf } from '../../../src/renderer/features/banners/banners.ts'
import { marked, matches } from '../../../src/renderer/features/palette/palette-items.ts'
import { recordingIndicator } from '../../../src/renderer/features/status/recording-pill.tsx'
import { cleanPath, folderOf } from '../../../src/renderer/features/welcome/drop.ts'
import { NOON, run } from '../model/make.ts'

const DRIFT: Drift = {
  id: 'dr_1',
  state: 'open',
  cause: 'edits',
  paths: ['a.ts'],
  count: 1,
  foundAt: 0,
  seq: 3,
  branches: null,
  since: ''
}

function status(more: Partial<WorkspaceStatus> = {}): WorkspaceStatus {
  return {
    workspace: { id: 'w', root: '/p', name: 'p' },
    folder: 'present',
    deletedBy: null,
    head: 0,
    rev: 0,
    recording: true,
    host: { watching: 'on', lastEnd: 'clean' },
    watcher: { state: 'live', why: null, handles: 'chokidar' },
    coverage: 'complete',
    copy: null,
    covered: { files: 1, bytes: 1 },
    notCovered: [],
    drift: [],
    activeRuns: [],
    stopped: [],
    interruptedRuns: [],
    interruptedRestore: null,
    queuedRestores: [],
    undo: null,
    redo: null,
    store: { bytes: 0, uniqueBytes: 0, headBytes: 0, historyBytes: 0, conversationBytes: 0, budget: 0 },
    disk: { free: 9e9, low: false },
    worktrees: [],
    worktreeMode: 'ask',
    removedWorktrees: [],
    branch: '',
    lastEditAt: null,
    checkedAt: null,
    ...more
  }
}

function facts(more: Partial<BannerInput> = {}): BannerInput {
  return {
    status: status(),
    folder: '~/p',
    downSince: null,
    lastContact: null,
    now: 60_000,
    inBrowser: false,
    ...more
  }
}

describe('banners', () => {
  test('a healthy workspace has no banner', () => {
    expect(bannersOf(facts())).toEqual([])
  })

  test('[RS-19] a folder that a run deleted offers to undo that run', () => {
    const deletedBy = { run: 'run_1', title: 'clean up' }
    const [banner] = bannersOf(facts({ status: status({ folder: 'missing', deletedBy }) }))
    expect([`${banner?.lead}${banner?.rest}`, banner?.actions[0]]).toEqual([
      'Folder ~/p was deleted during “clean up”.',
      { label: 'Undo run…', action: { do: 'preview', request: { kind: 'undo-run', run: 'run_1' } } }
    ])
  })

  test('[DR-1] a folder whose disk is not mounted is out of reach, and nothing offers to create it again', () => {
    const watcher = { state: 'off', why: { code: 'unmounted' }, handles: null } as const
    const [banner] = bannersOf(facts({ status: status({ folder: 'missing', watcher }) }))
    expect([banner?.lead, banner?.detail]).toEqual([
      'Folder ~/p is out of reach.',
      'The folder is empty, and the disk it was on is not mounted. The recorded history is safe. Recording resumes when the folder is back.'
    ])
  })

  test('the most serious comes first: connection, folder, interrupted restore, outside changes, coverage', () => {
    const all = bannersOf(
      facts({
        downSince: 10_000,
        status: status({
          folder: 'missing',
          interruptedRestore: { id: 'rst_1', written: 7, total: 12 },
          drift: [DRIFT],
          coverage: 'partial',
          notCovered: [{ path: 'big.bin', reason: 'too-large', size: 84_000_000 }]
        })
      })
    )
    expect(all.map(({ key }) => key)).toEqual([
      'disconnected',
      'missing',
      'restore-rst_1',
      'drift-dr_1-1',
      'partial',
      'uncovered-1'
    ])
    expect(all.filter(({ canDismiss }) => !canDismiss)).toHaveLength(3)
  })

  test('a nearly full disk shows in banner and pill that nothing is recorded, and cannot be dismissed', () => {
    const low = status({ disk: { free: 120_000_000, low: true }, recording: false })
    expect(bannersOf(facts({ status: low }))).toMatchObject([
      { key: 'disk-low', tone: 'danger', rest: ' (120 MB free).', canDismiss: false }
    ])
    expect(recordingIndicator(low, { phase: 'open', generation: 1, downSince: null, lastContact: 0 }, 0)).toMatchObject(
      {
        text: 'Not recording',
        explanation: DISK_FULL_TEXT
      }
    )
  })

  test('outside changes whose paths are not all known count those that are not named', () => {
    const [drift] = bannersOf(facts({ status: status({ drift: [{ ...DRIFT, paths: ['a.ts', 'b.ts'], count: 12 }] }) }))
    expect(drift?.detail).toContain('a.ts, b.ts and 10 more')
  })

  test('unrecorded worktrees can be recorded with one action', () => {
    const offered = status({ worktrees: [{ folder: '/code/shop-fix', branch: 'fix/tax' }] })
    const [banner] = bannersOf(facts({ status: offered }))
    expect(banner).toMatchObject({
      tone: 'info',
      lead: '1 worktree of this repository is not recorded.',
      actions: [
        { label: 'Record it', action: { do: 'record', folders: ['/code/shop-fix'] } },
        { label: 'Always record', action: { do: 'worktrees', mode: 'on' } },
        { label: 'Never', action: { do: 'worktrees', mode: 'off' } }
      ],
      canDismiss: true
    })
    expect(banner?.detail).toContain('shop-fix (fix/tax)')
  })

  test('[GT-10] a repository that is gone, or was replaced by an empty one, can be restored', () => {
    const leads = (['missing', 'replaced'] as const).map((repository) => {
      const [banner] = bannersOf(facts({ status: status({ repository }) }))
      expect(banner).toMatchObject({ actions: [{ action: { do: 'restore-repository' } }], canDismiss: true })
      return banner?.lead
    })
    expect(leads).toEqual([
      'The git repository of this folder is gone.',
      'The git repository of this folder was replaced by an empty one.'
    ])
    expect(bannersOf(facts({ status: status({}) }))).toEqual([])
    const below = status({ lostBelow: [{ folder: 'libs/api', state: 'missing' }] })
    expect(bannersOf(facts({ status: below }))).toMatchObject([
      {
        lead: 'The git repository in libs/api is gone.',
        actions: [{ action: { do: 'restore-repository', name: 'libs/api/.git' } }]
      }
    ])
  })

  test('[WT-3] a removed worktree is offered in the main folder, and where it was', () => {
    const removed = {
      ...{ id: 'ws_fix', root: '/code/shop/.claude/worktrees/fix', name: 'fix', worktree: 'fix', branch: 'fix' },
      ...{ removedAt: 40_000, lost: 57, target: 'seq:4' }
    }
    const [offered] = bannersOf(facts({ status: status({ removedWorktrees: [removed] }) }))
    expect(offered).toMatchObject({
      lead: 'Worktree fix was removed with 57 files that are nowhere else.',
      actions: [
        { action: { do: 'preview', request: { kind: 'worktree', worktree: 'ws_fix' } } },
        { action: { do: 'switch', workspace: 'ws_fix' } }
      ]
    })
    const own = { id: 'ws_fix', root: removed.root, name: 'fix' }
    const there = status({ folder: 'missing', workspace: own, removedWorktrees: [removed] })
    expect(bannersOf(facts({ status: there }))).toMatchObject([
      { actions: [{ action: { do: 'preview', request: { kind: 'restore', target: 'seq:4' } } }, {}] }
    ])
  })

  test('a connection lost for less than 10 s has no banner', () => {
    expect(bannersOf(facts({ downSince: 51_000 }))).toEqual([])
  })

  test('a dismissed banner returns with new information', () => {
    const [before] = bannersOf(facts({ status: status({ drift: [DRIFT] }) }))
    const [after] = bannersOf(facts({ status: status({ drift: [{ ...DRIFT, count: 2 }] }) }))
    expect(before?.key).not.toBe(after?.key)
  })

  test('accepted outside changes and files excluded on purpose have no banner', () => {
    const quiet = status({
      drift: [{ ...DRIFT, state: 'accepted' }],
      notCovered: [{ path: 'node_modules', reason: 'ignored' }]
    })
    expect(bannersOf(facts({ status: quiet }))).toEqual([])
  })
})

describe('the recording pill', () => {
  const link = { phase: 'open', generation: 1, downSince: null, lastContact: 0 } as const

  test('never shows Recording while nothing watches', () => {
    const off = status({ watcher: { state: 'off', why: { code: 'folder-limit' }, handles: null } })
    expect(recordingIndicator(off, link, 0)).toMatchObject({
      text: 'Not watching',
      explanation: unwatchedText({ code: 'folder-limit' })
    })
    expect(recordingIndicator(status({ folder: 'missing' }), link, 0).text).toBe('Not recording')
    expect(recordingIndicator(status({ recording: false }), link, 0).text).toBe('Not watching')
    const host = { watching: 'paused', lastEnd: 'clean' } as const
    expect(recordingIndicator(status({ recording: false, host }), link, 0).text).toBe('Paused')
    expect(recordingIndicator(status(), link, 0).text).toBe('Recording')
  })

  test('shows a lost connection after a second', () => {
    const down = { ...link, phase: 'waiting', downSince: 1000 } as const
    expect(recordingIndicator(status(), down, 1500).text).toBe('Recording')
    expect(recordingIndicator(status(), down, 2000).text).toBe('Reconnecting…')
  })

  test('names the working agent', () => {
    const live = status({
      activeRuns: [{ run: 'r', title: 'Add tax', agent: 'codex', startedAt: 0, mayWrite: true, quietSince: null }]
    })
    expect(recordingIndicator(live, link, 61_000)).toMatchObject({
      text: 'Codex is working',
      explanation: '“Add tax” for 1:01.'
    })
    const stopped = { run: 'r', agent: 'codex', title: 'Add tax', deleted: 412, folder: 'src', since: 0, pids: [7] }
    expect(recordingIndicator({ ...live, stopped: [{ ...stopped, live: true, from: 1 }] }, link, 61_000)).toMatchObject(
      { tone: 'warn', text: 'Codex is stopped' }
    )
  })
})

describe('an interrupted run', () => {
  const cut = {
    run: 'run_1',
    session: 's1',
    agent: 'claude-code',
    turn: 't1',
    phase: 'execute',
    toolCall: 'c1',
    resume: { command: 'claude --resume s1', cwd: '/p' },
    title: 'add tax',
    at: 0,
    doing: 'Bash: npm test',
    openCall: { name: 'Bash', summary: 'npm test' },
    files: 4
  } as const

  test('the banner says what it was doing and what it changed, and offers to resume, review and undo', () => {
    const [banner] = bannersOf(facts({ status: status({ interruptedRuns: [cut], drift: [DRIFT] }) }))
    expect(`${banner?.lead}${banner?.rest}`).toBe(
      'Claude Code was interrupted during “add tax” while running “npm test”; it changed 4 files.'
    )
    expect(banner?.actions).toEqual([
      { label: 'Copy resume command', action: { do: 'copy-text', text: 'claude --resume s1' } },
      { label: 'Review', action: { do: 'review', entry: 'run_1' } },
      { label: 'Undo this run…', action: { do: 'preview', request: { kind: 'undo-run', run: 'run_1' } } }
    ])
    expect(banner?.canDismiss).toBe(true)
  })

  test('a tool other than a shell is named', () => {
    const [banner] = bannersOf(
      facts({ status: status({ interruptedRuns: [{ ...cut, openCall: { name: 'Edit', summary: 'a.ts' } }] }) })
    )
    expect(banner?.rest).toBe(' in “Edit: a.ts”; it changed 4 files.')
  })

  test('unavailable actions are not offered', () => {
    const [banner] = bannersOf(
      facts({ status: status({ interruptedRuns: [{ ...cut, resume: null, files: 0, openCall: null }] }) })
    )
    expect(`${banner?.lead}${banner?.rest}`).toBe('Claude Code was interrupted during “add tax”; it changed no files.')
    expect(banner?.actions.map(({ label }) => label)).toEqual(['Review'])
  })

  test('[BR-7] a stopped run comes first, with three choices while it is live and a restore once it has ended', () => {
    const stopped = {
      ...{ run: 'run_1', agent: 'claude-code', title: 'tidy up', deleted: 412, folder: 'src', since: 0, from: 1 },
      ...{ pids: [7], live: true }
    }
    const of = (more: Partial<typeof stopped>) =>
      bannersOf(facts({ status: status({ stopped: [{ ...stopped, ...more }], drift: [DRIFT] }) }))[0]
    expect(`${of({})?.lead}${of({})?.rest}`).toBe(
      'Claude Code deleted 412 files in src/. It is frozen until you decide.'
    )
    expect(of({})?.actions.map(({ label }) => label)).toEqual(['Restore and continue', 'Let it continue', 'End it'])
    expect(of({ pids: [] })?.rest).toBe(' Its tools may not change files until you decide.')
    const command = of({ agent: 'command', folder: '', pids: [] })
    expect(`${command?.lead}${command?.rest}`).toBe(
      '“tidy up” deleted 412 files. It could not be frozen, and may still run.'
    )
    expect(of({ live: false, pids: [] })?.actions.map(({ label }) => label)).toEqual([
      'Restore',
      'Leave deleted',
      'Review'
    ])
    expect(of({})?.canDismiss).toBe(false)
  })

  test('a crashed host and a host that does not watch have banners; only the first can be dismissed', () => {
    const of = (host: WorkspaceStatus['host']) => bannersOf(facts({ status: status({ host }) }))
    expect(of({ watching: 'on', lastEnd: 'clean' })).toEqual([])
    expect(of({ watching: 'on', lastEnd: 'unexpected' })).toMatchObject([
      { lead: 'Driftline ended unexpectedly last time.', canDismiss: true }
    ])
    expect(of({ watching: 'on', lastEnd: 'restarted' })).toMatchObject([
      { lead: 'The recorder crashed and restarted.', canDismiss: true }
    ])
    for (const watching of ['safe-mode', 'paused'] as const)
      expect(of({ watching, lastEnd: 'unexpected' })).toMatchObject([
        { key: watching, canDismiss: false, actions: [{ action: { do: 'watch' } }] }
      ])
  })

  test('[ST-6] a list of folders that was made again is a notice with OK, which names the settings', () => {
    const rebuiltList = { why: 'lost', at: 5, folders: 3, removed: 1 } as const
    const [banner] = bannersOf(facts({ status: status({ host: { watching: 'on', lastEnd: 'clean', rebuiltList } }) }))
    expect(banner).toMatchObject({
      rest: ' 3 recorded folders and 1 removed folder. No history is lost.',
      detail: expect.stringContaining('back to their defaults'),
      actions: [{ label: 'OK', action: { do: 'confirm-list' } }]
    })
  })

  test('what a run cannot restore is shown in the wording of the engine', () => {
    const entry = run('run_1', 1, { incomplete: true })
    const warnings = [{ code: 'not-stored-before', paths: ['a.bin'], count: 1 } as const]
    const detail = { entry, checkpoints: [], turns: [], warnings }
    expect(runNotices(entry, detail, null, 0).map(({ text }) => text)).toEqual([
      'Content from before the run is not stored: a.bin.'
    ])
  })

  test('[RN-2] the header of a run says that every change in its time is its own, or names those outside its calls', () => {
    const of = (warnings: EntryDetail['warnings'] = []) => {
      const entry = run('run_1', 1)
      return runNotices(entry, { entry, checkpoints: [], turns: [], warnings }, null, 0)
    }
    expect(of([{ code: 'all-changes' }])).toMatchObject([
      { tone: 'info', text: expect.stringContaining('every change in the folder during it counts as its own') }
    ])
    expect(of([{ code: 'no-call', paths: ['a.ts'], count: 1 }])).toMatchObject([
      { tone: 'warn', text: expect.stringContaining('counted as its own because of the time: a.ts.') }
    ])
    expect(of()).toEqual([])
  })

  test('a notice says that files change while the agent is silent', () => {
    const live = run('run_1', 1, { state: 'live' })
    const notices = (lastEditAt: number, now: number, quietSince: number | null = NOON) => {
      const active = { run: 'run_1', title: '', agent: 'codex', startedAt: NOON, mayWrite: true, quietSince }
      return runNotices(live, null, status({ activeRuns: [active], lastEditAt }), now).map(({ text }) => text)
    }
    expect(notices(NOON + 30_000, NOON + 41_000)).toEqual([
      'Files are changing, but Claude Code has not reported anything since 12:00:00. Changes are recorded from the folder.'
    ])
    expect(notices(NOON + 30_000, NOON + 39_000), 'an event may still arrive').toEqual([])
    expect(notices(NOON + 500, NOON + 60_000), 'nothing changes').toEqual([])
    expect(notices(NOON + 30_000, NOON + 60_000, null), 'a tool call is open').toEqual([])
  })

  test('[UI-46] the notice of an interrupted run says only what neither its header nor the banner in front says', () => {
    const interrupted = run('run_1', 1, { state: 'interrupted' })
    const of = (openCall: typeof cut.openCall | null, inBanner: boolean) =>
      runNotices(interrupted, null, status({ interruptedRuns: [{ ...cut, openCall }] }), 0, inBanner)
    expect(of(cut.openCall, false)).toMatchObject([
      { text: 'Interrupted while running “npm test”.', command: 'claude --resume s1' }
    ])
    expect(of(null, false)).toEqual([])
    expect(of(cut.openCall, true)).toEqual([])
  })

  test('notices show the limits of the recording of a run', () => {
    const of = (more: Partial<RunEntry>) =>
      runNotices(run('run_1', 1, more), null, status({ interruptedRuns: [cut] }), 0).map(({ text }) => text)
    expect(of({})).toEqual([])
    expect(of({ notes: [{ code: 'remembers' }] })).toEqual(['The agent still remembers what was undone.'])
    expect(of({ state: 'interrupted', incomplete: true })).toEqual([
      'Interrupted while running “npm test”.',
      'Some originals may be missing: these files changed before they were covered. A restore lists what cannot be restored.'
    ])
  })
})

describe('text', () => {
  test('the palette matches every typed word in any order and marks it', () => {
    expect(matches('Undo last restore', 'rest und')).toBe(true)
    expect(matches('Undo last restore', 'rest open')).toBe(false)
    expect(marked('a.ts (b)', '(b')).toEqual([
      { text: 'a.ts ', hit: false },
      { text: '(b', hit: true },
      { text: ')', hit: false }
    ])
  })

  test('a pasted path may be quoted or a file address', () => {
    expect(cleanPath(' "/a b/c" ')).toBe('/a b/c')
    expect(cleanPath('file:///a%20b')).toBe('/a b')
    expect(folderOf('/a/b.ts')).toBe('/a')
  })

  test('counts, durations and paths are short', () => {
    expect(plural(1, 'file')).toBe('1 file')
    expect(plural(9870, 'file')).toBe('9,870 files')
    expect(elapsed(3_729_000)).toBe('1:02:09')
    expect(shortPath('/home/kim/code', '/home/kim')).toBe('~/code')
    expect(shortPath('/home/kimberly', '/home/kim')).toBe('/home/kimberly')
  })
})
