import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { type CallToolResult, Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { endProcess } from '../../support/end-recorder.ts'
import { CLI } from '../../support/programs.ts'
import { readTree } from '../../support/tree.ts'
import { type CliProject, createCliProject } from './cli-project.ts'

async function recordedProject(): Promise<CliProject> {
  const project = createCliProject()
  project.write('src/app.ts', 'export function total(items) {\r\n  return items.length\r\n}\r\n')
  project.write('notes.md', 'It’s “quoted”\n')
  project.write('.env', 'API_KEY=verysecretvalue\n')
  project.write('old/a.txt', 'a\n')
  await project.add()
  return project
}

interface Connected extends AsyncDisposable {
  readonly client: Client
  readonly transport: StdioClientTransport
  readonly errors: string[]
  use(name: string, args: Record<string, unknown>): Promise<CallToolResult>
  data<T = Record<string, unknown>>(name: string, args: Record<string, unknown>): Promise<T>
}

async function connected(
  project: CliProject,
  name = 'test-client',
  cwd = project.root,
  mode: 'auto' | 'legacy' = 'legacy'
): Promise<Connected> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [CLI, 'mcp'],
    cwd,
    env: project.env as Record<string, string>,
    stderr: 'pipe'
  })
  const errors: string[] = []
  transport.stderr?.on('data', (chunk: Buffer) => errors.push(chunk.toString()))
  const client = new Client({ name, version: '1.0.0' }, { versionNegotiation: { mode } })
  await client.connect(transport)
  const use = (tool: string, args: Record<string, unknown>): Promise<CallToolResult> =>
    client.callTool({ name: tool, arguments: args }) as Promise<CallToolResult>
  return {
    client,
    transport,
    errors,
    use,
    data: async <T>(tool: string, args: Record<string, unknown>) => {
      const answer = await use(tool, args)
      if (answer.isError) throw new Error(JSON.stringify(answer))
      return answer.structuredContent as T
    },
    [Symbol.asyncDispose]: () => client.close()
  }
}

function textOf(answer: CallToolResult): string {
  return answer.content.map((part) => (part.type === 'text' ? part.text : '')).join('\n')
}

interface Changed {
  paths: string[]
  bytes: number
  overwritten: boolean
  noop: boolean
  run: string
  edits: number[]
  found?: { by: string }
}

/** Tests that write only files of their own. They share clients, because a process takes longer than a test. */
describe('on one folder', () => {
  let project: CliProject
  let reader: Connected
  let one: Connected
  let two: Connected

  beforeAll(async () => {
    project = await recordedProject()
    const clients = ['reader', 'one', 'two'].map((name) => connected(project, name))
    ;[reader, one, two] = (await Promise.all(clients)) as [Connected, Connected, Connected]
  })
  afterAll(async () => {
    await Promise.all([reader, one, two].map(({ client }) => client.close()))
    project.remove()
  })

  test('every tool has input and output schemas and a read-only hint; none restores', async () => {
    const { tools } = await reader.client.listTools()
    expect(tools.map((tool) => tool.name)).toEqual([
      'read_file',
      'write_file',
      'edit_file',
      'copy_file',
      'move_file',
      'delete_file',
      'create_dir',
      'remove_dir',
      'list_runs',
      'run_diff',
      'file_history',
      'restore_preview',
      'review_notes',
      'checkpoint'
    ])
    for (const tool of tools) {
      expect(tool.inputSchema.type).toBe('object')
      expect(tool.outputSchema?.type).toBe('object')
      expect(tool.description).toBeTruthy()
      expect(tool.annotations?.title).toBe(tool.title)
    }
    const readOnly = tools.filter((tool) => tool.annotations?.readOnlyHint).map((tool) => tool.name)
    expect(readOnly).toEqual(['read_file', 'list_runs', 'run_diff', 'file_history', 'restore_preview'])
    const destructive = tools.filter((tool) => tool.annotations?.destructiveHint).map((tool) => tool.name)
    expect(destructive).toEqual(['write_file', 'edit_file', 'copy_file', 'move_file', 'delete_file', 'remove_dir'])
    expect(reader.client.getServerVersion()).toMatchObject({ name: 'driftline' })
  })

  test('a key that a tool does not know is refused by its name, and nothing is written', async () => {
    const path = 'src/mistyped.ts'
    const refused = await reader.use('write_file', { path, content: 'x', overwite: true })
    expect([refused.isError, JSON.stringify(refused.content)]).toEqual([true, expect.stringContaining('overwite')])
    expect(existsSync(join(project.root, path))).toBe(false)
  })

  test('are answers with a message, a code and a reason, and record nothing', async () => {
    const before = readTree(project.root)
    const outside = await reader.use('write_file', { path: '../x', content: '' })
    expect(outside).toMatchObject({
      isError: true,
      _meta: { 'driftline/error': { code: 'PathOutsideWorkspace', reason: 'outside' } }
    })
    const several = await reader.use('edit_file', { path: 'src/app.ts', old_string: 'items', new_string: 'x' })
    expect(several._meta?.['driftline/error']).toMatchObject({ reason: 'ambiguous', count: 2, lines: [1, 2] })
    expect(textOf(several)).toContain('2 places')
    const itself = await reader.use('copy_file', { source: 'notes.md', destination: 'notes.md', overwrite: true })
    expect(itself._meta?.['driftline/error']).toMatchObject({ reason: 'same-file', noop: true })
    expect(readTree(project.root)).toEqual(before)
  })

  test('arguments that violate the schema are reported to the client', async () => {
    const wrong = await reader.use('write_file', { path: 'x' })
    expect([wrong.isError, textOf(wrong)]).toEqual([true, expect.stringContaining('content: Invalid input')])
  })

  test('a file that may contain credentials shows only path and counts, in every tool', {
    tags: ['links']
  }, async () => {
    const answers: string[] = []
    const ask = async (name: string, args: Record<string, unknown>): Promise<Record<string, unknown>> => {
      const answer = await two.use(name, args)
      answers.push(JSON.stringify(answer))
      return (answer.structuredContent ?? {}) as Record<string, unknown>
    }
    expect(await ask('read_file', { path: '.env' })).toMatchObject({ secret: true, bytes: 24 })
    symlinkSync('.env', join(project.root, 'plain.txt'))
    expect(await ask('read_file', { path: 'plain.txt' })).toMatchObject({ secret: true })
    await ask('edit_file', { path: '.env', old_string: 'API_KEY=verysecretvalues', new_string: 'x' })
    const { run } = (await ask('edit_file', { path: '.env', old_string: 'API_KEY=', new_string: 'KEY=' })) as {
      run: string
    }
    await ask('write_file', { path: 'open.txt', content: 'open\n' })
    const diff = await ask('run_diff', { run })
    expect(diff.files).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ path: '.env', secret: true, added: 1, deleted: 1 }),
        expect.objectContaining({ path: 'open.txt', secret: false })
      ])
    )
    expect(diff.patch).toContain('+open')
    await ask('file_history', { path: '.env' })
    await ask('restore_preview', { target: run })
    expect(answers.join('\n')).not.toContain('verysecret')
  })

  test('runs of other sessions are listed without their titles, own runs with them', async () => {
    await project.run('the secret plan', () => project.write('r.txt', 'r'))
    const mine = await one.data<Changed>('write_file', { path: 'mine.txt', content: 'mine\n' })
    const theirs = await two.data<Changed>('write_file', { path: 'theirs.txt', content: 'theirs\n' })
    const { runs } = await one.data<{ runs: { id: string; own: boolean; title: string; agent: string }[] }>(
      'list_runs',
      {}
    )
    expect(runs.find(({ id }) => id === theirs.run)).toMatchObject({ own: false, title: '', agent: 'two over MCP' })
    expect(runs.find(({ id }) => id === mine.run)).toMatchObject({
      own: true,
      title: expect.stringMatching(/\.txt$/)
    })
    const text = JSON.stringify([
      await one.use('list_runs', {}),
      await one.use('run_diff', { run: 'latest' }),
      await one.use('file_history', { path: 'r.txt' }),
      await one.use('restore_preview', { target: 'seq:0' })
    ])
    expect(text).not.toContain('secret plan')
    expect(text).not.toContain('Write theirs')
  })

  test('a preview writes nothing, and a checkpoint can be restored from the command line', async () => {
    project.write('preview.txt', 'old\n')
    const { checkpoint } = await reader.data<{ checkpoint: string }>('checkpoint', { label: 'before the change' })
    const tree = readTree(project.root)
    const { run } = await reader.data<Changed>('write_file', { path: 'preview.txt', content: 'new\n' })
    const changed = readTree(project.root)
    expect(await reader.data('restore_preview', { target: run })).toMatchObject({
      items: [{ path: 'preview.txt', action: 'write' }],
      conflicts: []
    })
    expect(await reader.data('restore_preview', { target: checkpoint })).toMatchObject({
      items: [{ path: 'preview.txt' }]
    })
    expect(readTree(project.root)).toEqual(changed)
    expect((await project.call(['restore', checkpoint, 'preview.txt', '--yes'])).code).toBe(0)
    expect(readTree(project.root)).toEqual(tree)
  })

  test('two clients editing one file have separate runs', async () => {
    project.write('shared.txt', `${Array.from({ length: 10 }, (_, n) => `number ${n} here`).join('\n')}\n`)
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        (n % 2 ? one : two).data<Changed>('edit_file', {
          path: 'shared.txt',
          old_string: `number ${n} here`,
          new_string: `done ${n}`
        })
      )
    )
    expect(new Set(answers.map((answer) => answer.run)).size).toBe(2)
    expect(project.read('shared.txt')).toBe(`${Array.from({ length: 10 }, (_, n) => `done ${n}`).join('\n')}\n`)
  })
})

test('edits, moves and deletes are one run of a client of the newest protocol, and undo-run restores every byte', async () => {
  using project = await recordedProject()
  const before = readTree(project.root)
  let run = ''
  {
    await using mcp = await connected(project, 'some-chat', project.root, 'auto')
    expect((await mcp.client.listTools()).tools).toHaveLength(14)
    const edit = await mcp.data<Changed>('edit_file', {
      path: 'src/app.ts',
      old_string: 'export function total(items) {\n    return items.length\n}',
      new_string: 'export function total(items) {\n    if (!items) return 0\n    return items.length\n}'
    })
    expect(edit).toMatchObject({ paths: ['src/app.ts'], overwritten: true, noop: false, found: { by: 'indentation' } })
    expect(project.read('src/app.ts')).toBe(
      'export function total(items) {\r\n  if (!items) return 0\r\n  return items.length\r\n}\r\n'
    )
    run = edit.run
    const quoted = await mcp.data<Changed>('edit_file', {
      path: 'notes.md',
      old_string: 'It\'s "quoted"',
      new_string: 'plain'
    })
    expect(quoted).toMatchObject({ run, found: { by: 'unicode' } })
    const moved = await mcp.data<Changed>('move_file', { source: 'old/a.txt', destination: 'new/deep/b.txt' })
    expect(moved).toMatchObject({ run, paths: ['old/a.txt', 'new/deep/b.txt'], bytes: 2, overwritten: false })
    expect(moved.edits.length).toBeGreaterThanOrEqual(2)
    await mcp.data('delete_file', { path: 'notes.md' })
    await mcp.data('remove_dir', { path: 'old' })
    const again = await mcp.use('delete_file', { path: 'notes.md' })
    expect(again.structuredContent).toMatchObject({ noop: true, run: null, edits: [] })
    expect(textOf(again)).toContain('Nothing was changed')
    expect(mcp.errors).toEqual([])
  }
  const { doc } = await project.json<{ entries: Record<string, unknown>[] }>(['log', '--kind', 'run'])
  expect(doc.entries[0]).toMatchObject({
    id: run,
    agent: 'some-chat over MCP',
    state: 'ended',
    title: 'Edit src/app.ts',
    files: 3
  })
  const diff = await project.json<{ files: { attribution: string }[] }>(['diff', run])
  expect(new Set(diff.doc.files.map((file) => file.attribution))).toEqual(new Set(['declared']))
  const status = await project.json<{ drift: unknown[]; activeRuns: { run: string }[] }>(['status'])
  expect(status.doc.drift).toEqual([])
  expect(status.doc.activeRuns.map((active) => active.run)).not.toContain(run)
  expect((await project.call(['undo-run', run, '--yes'])).code).toBe(0)
  expect(readTree(project.root)).toEqual(before)
})

test('an unrecorded folder answers how to record it, and works once recorded', async () => {
  using project = await recordedProject()
  const cwd = join(project.root, '..', 'elsewhere')
  mkdirSync(cwd, { recursive: true })
  await using mcp = await connected(project, 'c', cwd)
  const refused = await mcp.use('write_file', { path: 'a.txt', content: 'a\n' })
  expect([refused.isError, textOf(refused)]).toEqual([true, expect.stringContaining('driftline add')])
  expect(existsSync(join(cwd, 'a.txt'))).toBe(false)
  await project.call(['add', cwd])
  expect((await mcp.data<Changed>('write_file', { path: 'a.txt', content: 'a\n' })).noop).toBe(false)
})

test('with a host its engine is used, and calls continue when the host exits', async () => {
  using project = await recordedProject()
  const host: ChildProcess = spawn(process.execPath, [CLI, 'serve', '--no-open', '--stay'], {
    cwd: project.root,
    env: project.env,
    stdio: ['ignore', 'pipe', 'inherit']
  })
  await once(host.stdout as NodeJS.ReadableStream, 'data')
  await using mcp = await connected(project, 'hosted')
  expect((await mcp.data<Changed>('write_file', { path: 'hosted.txt', content: 'one\n' })).noop).toBe(false)
  const status = await project.json<{ recording: boolean; activeRuns: unknown[]; drift: { paths: string[] }[] }>([
    'status'
  ])
  expect(status.doc.drift.flatMap(({ paths }) => paths)).not.toContain('hosted.txt')
  expect(status.doc.recording).toBe(true)
  expect(status.doc.activeRuns).toContainEqual(expect.objectContaining({ agent: 'hosted over MCP' }))
  host.kill('SIGTERM')
  await once(host, 'exit')
  const answer = await mcp.data<Changed>('edit_file', { path: 'hosted.txt', old_string: 'one', new_string: 'two' })
  expect(answer).toMatchObject({ noop: false, paths: ['hosted.txt'] })
  expect(readFileSync(join(project.root, 'hosted.txt'), 'utf8')).toBe('two\n')
})

test('stdout carries only the protocol, and the end of stdin ends the server with code 0', async () => {
  using project = await recordedProject()
  const child = spawn(process.execPath, [CLI, 'mcp'], {
    cwd: project.root,
    env: project.env,
    stdio: ['pipe', 'pipe', 'inherit']
  })
  const exit = once(child, 'exit')
  const send = (message: object): void => {
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  }
  // A client of the older protocol most clients still speak.
  send({
    id: 0,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'old', version: '1' } }
  })
  send({ method: 'notifications/initialized' })
  send({
    id: 1,
    method: 'tools/call',
    params: { name: 'write_file', arguments: { path: 'old.txt', content: 'old\n' } }
  })
  send({ id: 2, method: 'tools/call', params: { name: 'run_diff', arguments: { run: 'latest' } } })
  const lines: string[] = []
  for await (const line of createInterface({ input: child.stdout })) {
    lines.push(line)
    if (lines.length === 3) child.stdin.end()
  }
  const answers = lines.map((line) => JSON.parse(line) as { id: number; result: Record<string, unknown> })
  expect(answers.map(({ id }) => id).sort()).toEqual([0, 1, 2])
  expect(answers.find(({ id }) => id === 0)?.result.protocolVersion).toBe('2025-06-18')
  expect(await exit).toEqual([0, null])
  const { doc } = await project.json<{ entries: Record<string, unknown>[] }>(['log', '--kind', 'run', '--limit', '1'])
  expect(doc.entries[0]).toMatchObject({ agent: 'old over MCP', state: 'ended' })
})

test('a killed client leaves an ended run with its edits', async () => {
  using project = await recordedProject()
  await using mcp = await connected(project, 'killed')
  const { run } = await mcp.data<Changed>('write_file', { path: 'killed.txt', content: 'k\n' })
  await endProcess(mcp.transport.pid as number)
  await project.json(['status'])
  const { doc } = await project.json<Record<string, unknown>>(['show', run])
  expect(doc).toMatchObject({ state: 'ended', files: 1 })
})

test('connect --mcp shows the change, writes it with a backup, and disconnect restores the settings', async () => {
  using project = await recordedProject()
  const file = join(project.env.HOME ?? '', '.codex/config.toml')
  mkdirSync(dirname(file), { recursive: true })
  const text = '# mine\nmodel = "x"\n'
  writeFileSync(file, text)
  project.write('open.txt', 'open\n')
  const preview = await project.json<{ change: string; applied: boolean }>(['connect', 'codex', '--mcp', '--dry-run'])
  expect(preview.doc).toMatchObject({
    file,
    applied: false,
    change: expect.stringContaining('+[mcp_servers.driftline]')
  })
  expect(readFileSync(file, 'utf8')).toBe(text)
  const done = await project.json<{ backup: string }>(['connect', 'codex', '--mcp'])
  expect(done.doc).toMatchObject({ agent: 'codex', applied: true })
  expect(readFileSync(done.doc.backup, 'utf8')).toBe(text)
  const program = /^command = (.+)$/m.exec(readFileSync(file, 'utf8'))?.[1] ?? ''
  // What an agent starts is what answers here.
  const transport = new StdioClientTransport({
    command: JSON.parse(program) as string,
    args: ['mcp'],
    cwd: project.root,
    env: { PATH: process.env.PATH ?? '', HOME: project.env.HOME ?? '', DRIFTLINE_RECORDER: 'off' }
  })
  const client = new Client({ name: 'launched', version: '1' })
  await client.connect(transport)
  const answer = await client.callTool({ name: 'read_file', arguments: { path: 'open.txt' } })
  expect(answer.structuredContent).toMatchObject({ content: 'open\n' })
  await client.close()
  expect((await project.call(['disconnect', 'codex', '--mcp'])).code).toBe(0)
  expect(readFileSync(file, 'utf8')).toBe(text)
  const unknown = await project.json<{ error: { code: string } }>(['connect', 'cline', '--mcp'])
  expect([unknown.code, unknown.doc.error.code]).toEqual([3, 'Refused'])
})
