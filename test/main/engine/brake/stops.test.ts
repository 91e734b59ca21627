/** Stopping real runs: their processes, their agents, and what a person decides. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdirSync, openSync, readdirSync, renameSync, rmSync, truncateSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readProcess, readProcesses } from '../../../../src/main/engine/ports/process-table.ts'
import { ownProcess, processStart } from '../../../../src/main/engine/ports/processes.ts'
import { type Line, PROJECT, recordedEvents, toHookEvent } from '../../../support/agent-replay.ts'
import { runGit } from '../../../support/git.ts'
import { readEvents } from '../../../support/named-events.ts'
import { type RecordedFolder, type RecordedOptions, recordedFolder } from '../../../support/recorded-folder.ts'
import { LONG } from '../../../support/scale.ts'
import { toolUser } from '../../../support/tool-client.ts'
import { writeFiles } from '../../../support/tree.ts'

const MANY = 60
const OLD = Object.fromEntries(Array.from({ length: MANY }, (_, n) => [`src/old/f${n}.ts`, `export const n = ${n}\n`]))
/** Half of the files of the folder. */
const LIMIT = 50

const withOld = (options: RecordedOptions = {}) =>
  recordedFolder({ files: { ...OLD, 'README.md': 'read\n' }, ...options })
const stoppedIn = async ({ engine, workspace }: RecordedFolder) =>
  (await engine.call('workspace.status', { workspace, check: false })).stopped

/** A command of `driftline run`: `shell` stands for `driftline run` itself, which starts the command. */
async function commandRun(folder: RecordedFolder, command: string) {
  const { engine, workspace, root } = folder
  const shell = spawn('sh', ['-c', `read go; sh -c '${command}; sleep 1000'; :`], {
    cwd: root,
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore']
  })
  const pid = shell.pid as number
  const { run } = await engine.call('run.begin', {
    workspace,
    title: command,
    agent: 'command',
    pid,
    pidStart: processStart(pid)
  })
  return {
    run,
    shell,
    go: () => void shell.stdin.end('go\n'),
    children: () => [...readProcesses().values()].filter(({ parent }) => parent === pid).map((row) => row.pid),
    [Symbol.dispose]: () => void kill(shell)
  }
}

function kill({ pid }: ChildProcess): void {
  try {
    process.kill(-(pid as number), 'SIGKILL')
  } catch {
    // It has ended.
  }
}

const stateOf = (pid: number): string => readProcess(pid)?.state ?? 'gone'

describe('a command that deletes many files', () => {
  test('[BR-4] [BR-6] is frozen; after a restore every byte is back, and it continues unharmed', {
    tags: ['linux']
  }, async () => {
    await using folder = await withOld({ watch: true })
    const before = folder.tree()
    using command = await commandRun(folder, 'rm -rf src/old')
    command.go()
    await expect.poll(() => stoppedIn(folder)).toMatchObject([{ run: command.run, agent: 'command', live: true }])
    const [stopped] = await stoppedIn(folder)
    expect(stopped?.folder).toBe('src/old')
    expect(stopped?.deleted).toBeGreaterThanOrEqual(LIMIT)
    const [child] = command.children()
    await expect.poll(async () => (await stoppedIn(folder))[0]?.pids).toContain(child)
    expect(stateOf(child as number)).toBe('T')

    const left = folder.tree()
    const { result } = await folder.engine.call('brake.restore', {
      workspace: folder.workspace,
      run: command.run,
      dryRun: false
    })
    expect(result?.state).toBe('done')
    // What was not deleted yet is deleted now or not, as the command goes on: the others are back.
    const restored = result?.items.filter(({ action }) => action !== 'mkdir').map(({ path }) => path) ?? []
    expect(restored.length).toBeGreaterThanOrEqual(LIMIT)
    expect([...new Set([...Object.keys(left), ...restored])].filter((path) => path.endsWith('.ts'))).toHaveLength(MANY)
    await expect.poll(() => stateOf(child as number)).toBe('S')
    expect((await folder.plan({ kind: 'undo' })).items.length).toBeGreaterThan(0)
    expect(Object.keys(before)).toContain('src/old/f0.ts')
  })

  test('[BR-6] once released it continues, and is not stopped again', { tags: ['linux'] }, async () => {
    await using folder = await withOld({ watch: true })
    const { engine, workspace } = folder
    using command = await commandRun(folder, 'rm -rf src/old')
    command.go()
    await expect.poll(() => stoppedIn(folder)).toHaveLength(1)
    await engine.call('brake.decide', { workspace, run: command.run, decision: 'release' })
    await expect.poll(() => Object.keys(folder.tree())).toEqual(['README.md', 'src'])
    await folder.check()
    expect(await stoppedIn(folder)).toEqual([])
    await expect(
      engine.call('brake.decide', { workspace, run: command.run, decision: 'release' })
    ).rejects.toMatchObject({ code: 'UnknownTarget' })
  })

  test('[BR-6] a person can end it, while it is frozen', { tags: ['linux'] }, async () => {
    await using folder = await withOld({ watch: true })
    using command = await commandRun(folder, 'rm -rf src/old')
    const ended = once(command.shell, 'exit')
    command.go()
    await expect.poll(() => stoppedIn(folder)).toHaveLength(1)
    await folder.engine.call('brake.decide', { workspace: folder.workspace, run: command.run, decision: 'end' })
    await ended
    expect(await stoppedIn(folder)).toEqual([])
  })

  test('[BR-4] when the engine closes, nothing stays frozen', { tags: ['linux'] }, async () => {
    await using folder = await withOld({ watch: true })
    using command = await commandRun(folder, 'rm -rf src/old')
    command.go()
    await expect.poll(async () => (await stoppedIn(folder))[0]?.pids.length).toBeGreaterThan(0)
    const [child] = command.children()
    await folder.reopen({ watch: true })
    await expect.poll(() => stateOf(child as number)).toBe('S')
    // The stop is stored, and waits still; nothing is frozen any more.
    expect(await stoppedIn(folder)).toMatchObject([{ run: command.run, pids: [] }])
  })

  test('[BR-1] not once the brake is off, for this folder or all', async () => {
    await using folder = await withOld()
    const { engine, workspace } = folder
    for (const key of ['brake', `brake/${workspace}`]) {
      await engine.call('settings.set', { key, value: 'off' })
      await folder.run('rm', () => rmSync(join(folder.root, 'src/old'), { recursive: true }))
      expect(await stoppedIn(folder)).toEqual([])
      await folder.apply({ kind: 'undo-run', run: 'latest' })
      await engine.call('settings.set', { key, value: '' })
    }
    await engine.call('settings.set', { key: `brake.files/${workspace}`, value: String(MANY + 1) })
    await folder.run('rm', () => rmSync(join(folder.root, 'src/old'), { recursive: true }))
    expect(await stoppedIn(folder)).toEqual([])
  })
})

describe('[BR-1] what was recorded without an event stops a run, too: files that are', () => {
  const paths = Object.keys(OLD)
  test.each<[string, (root: string) => void]>([
    ['deleted', (root) => rmSync(join(root, 'src/old'), { recursive: true })],
    [
      'emptied',
      (root) => {
        for (const path of paths) truncateSync(join(root, path))
      }
    ],
    ['moved away', (root) => renameSync(join(root, 'src/old'), join(root, '../taken'))]
  ])('%s', async (_, work) => {
    await using folder = await withOld()
    const { engine, workspace } = folder
    const before = folder.tree()
    const run = await folder.run('work', () => work(folder.root))
    expect(await stoppedIn(folder)).toMatchObject([{ run, deleted: MANY, folder: 'src/old', live: false, pids: [] }])
    // It has ended: a restore is offered all the same, and nothing else is written.
    await engine.call('brake.restore', { workspace, run, dryRun: false })
    expect(folder.tree()).toEqual(before)
    expect(await stoppedIn(folder)).toEqual([])
    await folder.apply({ kind: 'undo' })
    expect(folder.tree()).not.toEqual(before)
  })
})

test('[BR-2] files that a person made while the run worked count, unlike those that it made itself', async () => {
  await using folder = await recordedFolder({ files: { 'README.md': 'read\n' } })
  const { engine, root } = folder
  const send = async (event: string, more: object): Promise<void> => {
    const input = { session_id: 's', cwd: root, hook_event_name: event, ...more }
    await engine.callUntyped('agent.event', toHookEvent('claude-code', { event, input }, { project: root }))
  }
  await engine.call('settings.set', { key: 'brake.files', value: String(LIMIT) })
  const call = (id: string) => ({ tool_name: 'Bash', tool_input: { command: 'make' }, tool_use_id: id })
  await send('UserPromptSubmit', { prompt: 'tidy up' })
  await send('PreToolUse', call('a'))
  writeFiles(root, OLD)
  await folder.check()
  rmSync(join(root, 'src'), { recursive: true })
  await send('PostToolUse', call('a'))
  expect(await stoppedIn(folder)).toEqual([])
  const other = Object.entries(OLD).map(([path, text]) => [path, `// mine\n${text}`])
  writeFiles(join(root, 'mine'), Object.fromEntries(other))
  await folder.check()
  await send('PreToolUse', call('b'))
  rmSync(join(root, 'mine'), { recursive: true })
  await send('PostToolUse', call('b'))
  expect(await stoppedIn(folder)).toMatchObject([{ deleted: MANY, folder: 'mine/src/old' }])
})

test('[BR-3] a lock of the index that git has open delays the stop; one that it left does not', {
  tags: ['git', 'linux']
}, async () => {
  await using folder = await withOld({ make: (root) => runGit(root, 'init', '-q') })
  const lock = join(folder.root, '.git/index.lock')
  const descriptor = openSync(lock, 'w')
  const aMinuteAgo = Date.now() / 1000 - 60
  utimesSync(lock, aMinuteAgo, aMinuteAgo)
  const git = spawn('git', ['cat-file', '--batch'], {
    cwd: folder.root,
    stdio: ['pipe', 'ignore', 'ignore', descriptor]
  })
  closeSync(descriptor)
  await once(git, 'spawn')
  const run = await folder.run('delete', () => rmSync(join(folder.root, 'src/old'), { recursive: true }))
  expect(await stoppedIn(folder)).toEqual([])
  git.kill()
  await once(git, 'exit')
  await expect.poll(() => stoppedIn(folder)).toMatchObject([{ run }])
})

test('[BR-7] a stop is a checkpoint and a named event, and a dry run of the restore writes nothing', async () => {
  await using folder = await withOld()
  const { engine, workspace } = folder
  const run = await folder.run('tidy up', () => rmSync(join(folder.root, 'src'), { recursive: true }))
  const events = await readEvents(folder, { since: 0 })
  const stops = events.filter(({ event }) => event === 'brake.stopped')
  expect(stops).toMatchObject([{ run, agent: 'test', title: 'tidy up', deleted: MANY }])
  const { checkpoints } = await engine.call('checkpoint.list', { workspace, all: true })
  expect(checkpoints.filter(({ reason }) => reason === 'run_stopped')).toMatchObject([{ run, label: String(MANY) }])
  const { plan, result } = await engine.call('brake.restore', { workspace, run: run.slice(0, 10), dryRun: true })
  expect(result).toBe(null)
  expect(plan.items.filter(({ action }) => action !== 'mkdir')).toHaveLength(MANY)
  expect(readdirSync(folder.root)).toEqual(['README.md'])
})

test('[BR-6] a restore during which another window lets the run continue is reported as it ends', async () => {
  await using folder = await withOld()
  const { engine, workspace } = folder
  const run = await folder.run('tidy up', () => rmSync(join(folder.root, 'src'), { recursive: true }))
  const decided: Promise<unknown>[] = []
  const stop = engine.on('restore.progress', () => {
    if (decided.length === 0) decided.push(engine.call('brake.decide', { workspace, run, decision: 'release' }))
  })
  const { result } = await engine.call('brake.restore', { workspace, run, dryRun: false })
  stop()
  expect(result?.state).toBe('done')
  expect(await Promise.all(decided)).toEqual([{ run }])
  expect(readdirSync(join(folder.root, 'src/old'))).toHaveLength(MANY)
})

/** The reason in the form in which an agent takes it. */
function reasonIn(answer: string | undefined): string {
  const { contextModification, refused, reason, hookSpecificOutput } = JSON.parse(answer ?? '{}')
  return contextModification ?? refused ?? reason ?? hookSpecificOutput?.permissionDecisionReason ?? ''
}

describe('[BR-5] an agent that deleted too much may change no files until a person decides', () => {
  const agents: readonly (readonly [agent: string, fixture: string])[] = [
    ['claude-code', 'claude'],
    ['gemini-cli', 'gemini'],
    ['opencode', 'opencode'],
    ['cline', 'cline']
  ]
  /** Their answers have the form of Claude Code's. */
  const alike: typeof agents = [
    ['codex', 'codex'],
    ['qwen-code', 'qwen']
  ]
  test.each(LONG ? [...agents, ...alike] : agents)('%s', async (agent, fixture) => {
    await using folder = await recordedFolder({ files: { ...PROJECT, ...OLD } })
    const { workspace, engine } = folder
    const lines = recordedEvents(fixture, folder.root).map((line) =>
      agent === 'opencode' ? { ...line, input: { ...line.input, directory: folder.root } } : line
    )
    const send = async (line: Line) => (await engine.call('agent.event', toHookEvent(agent, line))).answer
    const isStart = ({ event }: Line) => ['PreToolUse', 'BeforeTool', 'tool.execute.before'].includes(event)
    const isCommand = (line: Line) =>
      isStart(line) && /"(?:Bash|bash|run_shell_command|run_commands)"/.test(JSON.stringify(line))
    const write = lines.find(
      (line) => isStart(line) && !isCommand(line) && JSON.stringify(line).includes('notes.txt')
    ) as Line
    const at = lines.findIndex(isCommand)
    for (const line of lines.slice(0, at + 1)) expect(await send(line)).toBe(undefined)
    rmSync(join(folder.root, 'src/old'), { recursive: true })
    await send(lines[at + 1] as Line)
    const [stopped] = await stoppedIn(folder)
    expect(stopped).toMatchObject({ agent, deleted: MANY, folder: 'src/old', live: true })

    for (const line of [write, lines[at] as Line])
      expect(reasonIn(await send(line))).toMatch(
        /^Driftline stopped this run because it deleted 60 files in src\/old\//
      )
    await engine.call('brake.decide', { workspace, run: stopped!.run, decision: 'end' })
    expect(reasonIn(await send(write))).toContain('the user ended it')
    expect(await stoppedIn(folder)).toEqual([])
    mkdirSync(join(folder.root, 'kept'))
    // A new prompt begins another run, which nothing stops.
    for (const line of lines.slice(0, at + 1))
      if (!isStart(line)) await send({ ...line, input: { ...line.input, prompt_id: 'next' } })
  })

  test('it may continue once its run was released', async () => {
    await using folder = await recordedFolder({ files: { ...PROJECT, ...OLD } })
    const { workspace, engine } = folder
    const lines = recordedEvents('claude', folder.root)
    const send = async (line: Line) => (await engine.call('agent.event', toHookEvent('claude-code', line))).answer
    const at = lines.findIndex((line) => line.event === 'PreToolUse' && line.input.tool_name === 'Bash')
    for (const line of lines.slice(0, at + 1)) await send(line)
    rmSync(join(folder.root, 'src/old'), { recursive: true })
    await send(lines[at + 1] as Line)
    const [stopped] = await stoppedIn(folder)
    expect(await send(lines[at] as Line)).toBeDefined()
    await engine.call('brake.decide', { workspace, run: stopped!.run, decision: 'release' })
    expect(await send(lines[at] as Line)).toBe(undefined)
  })
})

describe('[BR-5] a client of the file tools that deleted too much may change no files until a person decides', () => {
  test('its next change is refused with the reason and leaves no trace; it may read, and continue once released', async () => {
    await using folder = await withOld()
    const { engine, workspace, root } = folder
    const user = toolUser(folder)
    await user.use({ tool: 'remove_dir', path: 'src/old', force: true })
    const [stopped] = await stoppedIn(folder)
    expect(stopped).toMatchObject({ deleted: MANY, folder: 'src/old', live: true })
    const write = { tool: 'write_file', path: 'notes.txt', content: 'new\n' } as const
    expect(await user.refused(write)).toMatchObject({
      reason: 'stopped',
      message: expect.stringMatching(/^Driftline stopped this run because it deleted 60 files in src\/old\//)
    })
    expect(readdirSync(root)).not.toContain('notes.txt')
    expect(await user.use({ tool: 'read_file', path: 'README.md' })).toMatchObject({ noop: false })
    await engine.call('brake.decide', { workspace, run: stopped!.run, decision: 'release' })
    expect(await user.use(write)).toMatchObject({ run: stopped?.run })
  })

  test('also where the run of its agent was stopped by what a hook reported', async () => {
    await using folder = await withOld()
    const { engine, workspace, root } = folder
    const self = ownProcess()
    const { run } = await engine.call('run.begin', {
      workspace,
      title: 'x',
      agent: 'x',
      pid: self.pid,
      pidStart: self.start
    })
    rmSync(join(root, 'src'), { recursive: true })
    await folder.check()
    expect(await stoppedIn(folder)).toMatchObject([{ run }])
    const write = { tool: 'write_file', path: 'notes.txt', content: 'new\n' } as const
    expect((await toolUser(folder).refused(write)).reason).toBe('stopped')
    await engine.call('brake.decide', { workspace, run, decision: 'end' })
    expect((await toolUser(folder).refused(write)).message).toContain('the user ended it')
  })
})
