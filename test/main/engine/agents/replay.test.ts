/** The recorded conversations of all six agents give the right runs, turns, declared and inferred edits. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { RunEntry } from '../../../../src/contract/timeline.ts'
import { type Line, PROJECT, recordedEvents, replay, toHookEvent } from '../../../support/agent-replay.ts'
import { type RecordedFolder, recordedFolder } from '../../../support/recorded-folder.ts'

async function runs(folder: RecordedFolder): Promise<RunEntry[]> {
  const { entries } = await folder.engine.call('timeline.list', {
    workspace: folder.workspace,
    limit: 50,
    kinds: ['run']
  })
  return entries as RunEntry[]
}

/** path -> attribution of every file a run changed. */
async function changes(folder: RecordedFolder, run: string): Promise<Record<string, string>> {
  const { files } = await folder.engine.call('diff.files', { workspace: folder.workspace, target: run, scope: 'run' })
  const found: Record<string, string> = {}
  for (const file of files) {
    if (file.kind !== 'dir') found[file.oldPath ? `${file.oldPath} -> ${file.path}` : file.path] = file.attribution
  }
  return found
}

const show = (folder: RecordedFolder, target: string) =>
  folder.engine.call('entry.show', { workspace: folder.workspace, target })

/** Adds the folder, as our opencode plugin does. */
const withDirectory = (lines: readonly Line[], directory: string): Line[] =>
  lines.map((line) => ({ ...line, input: { ...line.input, directory } }))

const BASIC = [
  ['claude', 'claude-code'],
  ['codex', 'codex'],
  ['codex-code-mode', 'codex'],
  ['gemini', 'gemini-cli'],
  ['qwen', 'qwen-code'],
  ['cline', 'cline'],
  ['opencode', 'opencode']
] as const

describe('a whole conversation', () => {
  test.each(BASIC)(
    '%s: one run, one turn; named paths are declared, the command’s edits are inferred',
    async (name, agent) => {
      await using folder = await recordedFolder({ files: PROJECT })
      const lines = withDirectory(recordedEvents(name, folder.root), folder.root)
      await replay(folder, agent, lines)
      const [run, ...others] = await runs(folder)
      expect(others).toEqual([])
      expect(run).toMatchObject({ agent, state: 'ended', turns: 1, incomplete: false, session: expect.any(String) })
      const prompt = agent === 'cline' ? 'cline without a prompt' : '[[script:basic]] do it'
      expect(run!.title.replaceAll('"', '')).toBe(prompt)
      expect(await changes(folder, run!.id)).toEqual({
        'notes.txt': 'declared',
        'app.txt': 'declared',
        'a.txt': 'inferred',
        'b.txt': 'inferred',
        'c.txt': 'inferred',
        'sub/new.txt': 'inferred'
      })
      const detail = await show(folder, run!.id)
      expect(detail.turns.map((turn) => turn.files)).toEqual([6])
      expect(detail.checkpoints.map((checkpoint) => checkpoint.reason)).toEqual(['run_start', 'end_of_turn'])
      expect(detail.calls?.every((call) => call.state === 'done')).toBe(true)
      const { drift } = await folder.engine.call('drift.list', { workspace: folder.workspace, check: true })
      expect(drift).toEqual([])
      // And the whole run can be undone.
      expect((await folder.apply({ kind: 'restore', target: run!.id })).state).toBe('done')
      expect(readFileSync(join(folder.root, 'app.txt'), 'utf8')).toBe(PROJECT['app.txt'])
      expect(Object.keys(folder.tree()).sort()).toEqual(['a.txt', 'app.txt', 'c.txt'])
    }
  )

  test('codex: a patch that edits, moves and deletes declares every path it names', async () => {
    await using folder = await recordedFolder({ files: PROJECT })
    await replay(folder, 'codex', recordedEvents('codex-delete-move', folder.root))
    const [run] = await runs(folder)
    expect(await changes(folder, run!.id)).toEqual({
      'app.txt -> renamed.txt': 'declared',
      'c.txt': 'declared'
    })
  })
})

describe('claude code', () => {
  test('[GW-4] no hook reports an interrupt: the next prompt ends the interrupted run, with its edits', async () => {
    await using folder = await recordedFolder({ files: PROJECT })
    await replay(folder, 'claude-code', recordedEvents('claude-interrupt', folder.root), {
      work: (line) => {
        if (!JSON.stringify(line.input).includes('sleep 20')) return false
        writeFileSync(join(folder.root, 'slow1.txt'), 'start\n')
        return true
      }
    })
    const [last, slow, first] = await runs(folder)
    expect([first!.title, slow!.title, last!.title]).toEqual([
      '[[script:second]] first turn',
      '[[script:slow]] go slow',
      '[[script:overwrite]] after the interrupt'
    ])
    expect([first, slow, last].map((run) => run!.state)).toEqual(['ended', 'ended', 'ended'])
    expect(await changes(folder, slow!.id)).toEqual({ 'slow1.txt': 'inferred' })
    expect(await changes(folder, last!.id)).toEqual({ 'app.txt': 'declared' })
    expect((await show(folder, slow!.id)).calls?.map((call) => call.state)).toEqual(['abandoned'])
  })

  test('[A11] a stop with background work leaves the run open; a task notification continues it; subagents belong to it', async () => {
    await using folder = await recordedFolder({ files: PROJECT })
    const states: string[] = []
    await replay(folder, 'claude-code', recordedEvents('claude-subagent', folder.root), {
      after: async (line) => {
        if (line.event === 'Stop') states.push((await runs(folder))[0]!.state)
      }
    })
    expect(states).toEqual(['live', 'ended'])
    const [run, ...others] = await runs(folder)
    expect(others).toEqual([])
    expect(run).toMatchObject({ turns: 1, title: '[[script:sub]] do it' })
    expect(await changes(folder, run!.id)).toEqual({ 'turn2.txt': 'declared' })
    const { calls } = await show(folder, run!.id)
    expect(calls?.map((call) => [call.name, call.subagent !== null])).toEqual([
      ['Agent', false],
      ['Write', true]
    ])
  })

  const session = 'bg-session'
  const hookLine = (event: string, more: Record<string, unknown>, root: string): Line => ({
    event,
    input: { session_id: session, cwd: root, hook_event_name: event, ...more }
  })
  const shell = (root: string, id: string, command = 'x'): Line =>
    hookLine('PreToolUse', { tool_name: 'Bash', tool_input: { command }, tool_use_id: id }, root)
  const send = (folder: RecordedFolder, line: Line, more = {}) =>
    folder.engine.callUntyped('agent.event', toHookEvent('claude-code', line, more))

  test('a background shell keeps its call open until the agent reports no background work', async () => {
    await using folder = await recordedFolder({ files: PROJECT })
    const { root } = folder
    await send(folder, hookLine('UserPromptSubmit', { prompt: 'start a server', prompt_id: 'p1' }, root))
    await send(folder, shell(root, 't1', 'server &'))
    const response = { tool_response: { backgroundTaskId: 'b1' } }
    await send(
      folder,
      hookLine('PostToolUse', { tool_name: 'Bash', tool_input: {}, tool_use_id: 't1', ...response }, root)
    )
    await send(folder, hookLine('Stop', { background_tasks: [{ id: 'b1' }] }, root))
    writeFileSync(join(root, 'late.txt'), 'late')
    await send(folder, hookLine('UserPromptSubmit', { prompt: 'meanwhile\nmore', prompt_id: 'p2' }, root))
    writeFileSync(join(root, 'later.txt'), 'later')
    await send(folder, hookLine('Stop', { background_tasks: [] }, root))
    const [run, ...others] = await runs(folder)
    expect(others).toEqual([])
    expect(run).toMatchObject({ state: 'ended', turns: 2, title: 'start a server' })
    expect(await changes(folder, run!.id)).toEqual({ 'late.txt': 'inferred', 'later.txt': 'inferred' })
    const detail = await show(folder, run!.id)
    expect(detail.turns.map((turn) => turn.prompt)).toEqual(['start a server', 'meanwhile\nmore'])
    expect(detail.checkpoints.map((checkpoint) => checkpoint.reason)).toEqual([
      'run_start',
      'end_of_turn',
      'pre_write',
      'end_of_turn'
    ])
  })

  test('[DR-1] edits by the user between two tool calls are outside, also while the run is live', async () => {
    await using folder = await recordedFolder({ files: PROJECT })
    const { root } = folder
    await send(folder, hookLine('UserPromptSubmit', { prompt: 'go', prompt_id: 'p1' }, root))
    writeFileSync(join(root, 'mine.txt'), 'a person')
    await send(folder, shell(root, 't1'))
    writeFileSync(join(root, 'theirs.txt'), 'the agent')
    await send(folder, hookLine('PostToolUse', { tool_name: 'Bash', tool_input: {}, tool_use_id: 't1' }, root))
    writeFileSync(join(root, 'mine2.txt'), 'a person')
    await send(folder, hookLine('Stop', { background_tasks: [] }, root))
    const [run] = await runs(folder)
    expect(await changes(folder, run!.id)).toEqual({ 'theirs.txt': 'inferred' })
    const { drift } = await folder.engine.call('drift.list', { workspace: folder.workspace, check: true })
    expect(drift.map((entry) => entry.paths)).toEqual([['mine.txt', 'mine2.txt']])
  })

  test('[A19] [GW-2] [GW-4] two sessions at once: named paths are declared, edits that both may have made are shared', async () => {
    await using folder = await recordedFolder({ files: PROJECT })
    const { root } = folder
    const inOtherSession = (line: Line): Line => ({ ...line, input: { ...line.input, session_id: 'other' } })
    await send(folder, hookLine('UserPromptSubmit', { prompt: 'one', prompt_id: 'p1' }, root))
    await send(folder, inOtherSession(hookLine('UserPromptSubmit', { prompt: 'two', prompt_id: 'p2' }, root)))
    await send(folder, shell(root, 't1'))
    writeFileSync(join(root, 'alone.txt'), '1')
    await send(folder, inOtherSession(shell(root, 't2')))
    const write = { tool_name: 'Write', tool_input: { file_path: join(root, 'named.txt') }, tool_use_id: 't3' }
    await send(folder, inOtherSession(hookLine('PreToolUse', write, root)))
    writeFileSync(join(root, 'named.txt'), '2')
    writeFileSync(join(root, 'both.txt'), '3')
    await send(folder, inOtherSession(hookLine('PostToolUse', write, root)))
    await send(folder, hookLine('PostToolUse', { tool_name: 'Bash', tool_input: {}, tool_use_id: 't1' }, root))
    await send(
      folder,
      inOtherSession(hookLine('PostToolUse', { tool_name: 'Bash', tool_input: {}, tool_use_id: 't2' }, root))
    )
    const [secondRun, firstRun] = await runs(folder)
    expect(await changes(folder, firstRun!.id)).toEqual({ 'alone.txt': 'inferred', 'both.txt': 'shared' })
    expect(await changes(folder, secondRun!.id)).toEqual({ 'named.txt': 'declared', 'both.txt': 'shared' })
  })

  test('[A22] parallel calls are matched by their ids, in any order', async () => {
    await using folder = await recordedFolder({ files: PROJECT })
    const { root } = folder
    const write = (name: string, id: string) => ({
      tool_name: 'Write',
      tool_input: { file_path: join(root, name) },
      tool_use_id: id
    })
    await send(folder, hookLine('UserPromptSubmit', { prompt: 'one', prompt_id: 'p1' }, root))
    for (const [name, id] of [
      ['x.txt', 'a'],
      ['y.txt', 'b']
    ] as const)
      await send(folder, hookLine('PreToolUse', write(name, id), root))
    writeFileSync(join(root, 'y.txt'), 'y')
    await send(folder, hookLine('PostToolUse', write('y.txt', 'b'), root))
    writeFileSync(join(root, 'x.txt'), 'x')
    await send(folder, hookLine('PostToolUseFailure', write('x.txt', 'a'), root))
    await send(folder, hookLine('Stop', { background_tasks: [] }, root))
    const [run] = await runs(folder)
    expect(await changes(folder, run!.id)).toEqual({ 'x.txt': 'declared', 'y.txt': 'declared' })
    expect((await show(folder, run!.id)).calls?.map((call) => call.state)).toEqual(['failed', 'done'])
  })

  test('[CP-1] a named file is captured before the tool runs, even in an ignored folder; undo removes a new one', async () => {
    await using folder = await recordedFolder({
      files: { '.gitignore': 'dist/\n', 'dist/old.js': 'old', 'dist/deep/x.js': 'x', 'src.ts': '1' }
    })
    const { root } = folder
    await send(folder, hookLine('UserPromptSubmit', { prompt: 'one', prompt_id: 'p1' }, root))
    for (const [i, name] of ['dist/old.js', 'dist/new.js', 'dist/deep/x.js', 'dist/made/y.js'].entries()) {
      const write = {
        tool_name: 'Write',
        tool_input: { file_path: join(root, name), content: 'new' },
        tool_use_id: `w${i}`
      }
      await replay(folder, 'claude-code', [hookLine('PreToolUse', write, root), hookLine('PostToolUse', write, root)])
    }
    await send(folder, hookLine('Stop', { background_tasks: [] }, root))
    const [run] = await runs(folder)
    expect(Object.keys(await changes(folder, run!.id)).sort()).toEqual([
      'dist/deep/x.js',
      'dist/made/y.js',
      'dist/new.js',
      'dist/old.js'
    ])
    const undone = await folder.apply({ kind: 'undo-run', run: run!.id })
    expect([undone.state, undone.conflicts]).toEqual(['done', []])
    expect(readFileSync(join(root, 'dist/old.js'), 'utf8')).toBe('old')
    expect(readFileSync(join(root, 'dist/deep/x.js'), 'utf8')).toBe('x')
    expect(
      Object.keys(folder.tree())
        .filter((path) => path.startsWith('dist'))
        .sort()
    ).toEqual(['dist', 'dist/deep', 'dist/deep/x.js', 'dist/old.js'])
  })

  test('an end without a start: its paths are still declared, and the run is marked incomplete', async () => {
    await using folder = await recordedFolder({ files: PROJECT })
    await replay(folder, 'claude-code', recordedEvents('claude', folder.root), {
      before: (line) => {
        if (line.input.tool_name === 'Write' && line.event === 'PreToolUse') {
          writeFileSync(join(folder.root, 'notes.txt'), 'hello\n')
          return false
        }
        return undefined
      }
    })
    const [run] = await runs(folder)
    expect(run!.incomplete).toBe(true)
    expect((await changes(folder, run!.id))['notes.txt']).toBe('declared')
  })

  test('a repeated event changes nothing', async () => {
    await using folder = await recordedFolder({ files: PROJECT })
    const lines = recordedEvents('claude', folder.root)
    const events = lines.map((line) => toHookEvent('claude-code', line))
    await replay(folder, 'claude-code', lines.slice(0, 2))
    for (const event of events) await folder.engine.callUntyped('agent.event', event)
    const before = await runs(folder)
    for (const event of events) await folder.engine.callUntyped('agent.event', event)
    expect(await runs(folder)).toEqual(before)
  })

  test('[GW-3] the run of a dead agent is interrupted and keeps its edits', async () => {
    await using folder = await recordedFolder({ files: PROJECT })
    const { root } = folder
    const dead = { process: { pid: 2 ** 22 - 3, start: '1' } }
    await send(folder, hookLine('UserPromptSubmit', { prompt: 'one', prompt_id: 'p1' }, root), dead)
    await send(folder, shell(root, 't1'), dead)
    writeFileSync(join(root, 'half.txt'), 'half')
    const status = await folder.engine.call('workspace.status', { workspace: folder.workspace, check: true })
    expect(status.activeRuns).toEqual([])
    expect(status.interruptedRuns).toMatchObject([{ session, agent: 'claude-code' }])
    const [run] = await runs(folder)
    expect(run!.state).toBe('interrupted')
    expect(await changes(folder, run!.id)).toEqual({ 'half.txt': 'inferred' })
  })

  test('[RS-8] no restore while an agent is working', async () => {
    await using folder = await recordedFolder({ files: PROJECT })
    const mark = await folder.checkpoint()
    await send(folder, hookLine('UserPromptSubmit', { prompt: 'one', prompt_id: 'p1' }, folder.root))
    await expect(folder.apply({ kind: 'restore', target: mark })).rejects.toMatchObject({ code: 'RunIsLive' })
    await send(folder, hookLine('SessionEnd', {}, folder.root))
    expect((await folder.apply({ kind: 'restore', target: mark })).state).toBe('nothing-to-do')
  })

  test('below `driftline run` the prompts become turns of that run, which ends with the command', async () => {
    await using folder = await recordedFolder({ files: PROJECT })
    const { root, workspace } = folder
    const { run } = await folder.engine.call('run.begin', {
      workspace,
      title: 'claude',
      agent: 'command',
      pid: process.pid,
      pidStart: ''
    })
    await replay(folder, 'claude-code', recordedEvents('claude', root), { more: { run } })
    writeFileSync(join(root, 'own.txt'), 'the command itself')
    await replay(folder, 'claude-code', recordedEvents('claude-interrupt', root).slice(0, 6), { more: { run } })
    await folder.engine.call('run.end', { workspace, run, exitCode: 0 })
    const [only, ...others] = await runs(folder)
    expect(others).toEqual([])
    expect(only).toMatchObject({
      id: run,
      state: 'ended',
      turns: 2,
      title: 'claude',
      agent: 'claude-code',
      exitCode: 0
    })
    expect((await show(folder, run)).turns.map((turn) => turn.prompt)).toEqual([
      '[[script:basic]] do it',
      '[[script:second]] first turn'
    ])
    expect(await changes(folder, run)).toMatchObject({
      'notes.txt': 'declared',
      'own.txt': 'inferred',
      'turn2.txt': 'declared'
    })
  })

  test('invalid session ids and folders that are not recorded are ignored', async () => {
    await using folder = await recordedFolder({ files: PROJECT })
    const { root } = folder
    for (const id of ['../../x', 'a b', '', 'x'.repeat(129)]) {
      const line = hookLine('UserPromptSubmit', { prompt: 'one', session_id: id }, root)
      expect(await send(folder, line)).toEqual({ ingested: false })
    }
    expect(await send(folder, hookLine('UserPromptSubmit', { prompt: 'one' }, '/'))).toEqual({ ingested: false })
    expect(await runs(folder)).toEqual([])
  })
})

test('qwen: prompts that no user typed open no run; gemini: compressing is ignored', async () => {
  await using folder = await recordedFolder({ files: PROJECT })
  const qwen = recordedEvents('qwen', folder.root).filter((line) => line.event === 'UserPromptSubmit')
  expect(qwen.length).toBeGreaterThan(3)
  await replay(folder, 'qwen-code', qwen.slice(1))
  const gemini = recordedEvents('gemini', folder.root).filter((line) => line.event === 'PreCompress')
  await replay(folder, 'gemini-cli', gemini)
  expect(await runs(folder)).toEqual([])
})

test('codex: a command that outlives its turn stays open until the session ends', async () => {
  await using folder = await recordedFolder({ files: PROJECT })
  const lines = recordedEvents('codex', folder.root)
  const last = lines.map((line) => line.event).lastIndexOf('PostToolUse')
  await replay(folder, 'codex', lines, {
    before: (line, index) => {
      if (line.event === 'SessionEnd') writeFileSync(join(folder.root, 'late.txt'), 'late')
      return index !== last
    },
    after: async (line) => {
      if (line.event === 'Stop') expect((await runs(folder))[0]!.state).toBe('live')
    }
  })
  const [run] = await runs(folder)
  expect(run!.state).toBe('ended')
  expect((await changes(folder, run!.id))['late.txt']).toBe('inferred')
})
