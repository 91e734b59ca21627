import { chmodSync, lstatSync, mkdirSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { spoolEvent } from '../../../../src/main/engine/agents/spool-event.ts'
import { createEngine } from '../../../../src/main/engine/engine.ts'
import { toHookEvent } from '../../../support/agent-replay.ts'
import { INGEST_PROGRAM } from '../../../support/programs.ts'
import { recordedFolder } from '../../../support/recorded-folder.ts'
import { toolUser } from '../../../support/tool-client.ts'

const FILES = {
  'src/app.ts': 'const colour = “red”\r\nstart()\r\n',
  'src/deep/note.txt': 'one\ntwo\nthree\n',
  'data.bin': Buffer.from([0, 255, 1, 2]),
  '.env': 'TOKEN=abc\n'
}

describe('a change by a tool', () => {
  test.each([
    ['exact', 'start()', 'stop()'],
    ['whitespace', '\n\nstart()  \n', '\n\nstop()\n'],
    ['indentation', '    start( )', '    stop()'],
    ['unicode', 'const colour = "red"\nstart()', 'const colour = "blue"\nstart()'],
    ['similar', 'const couler = "red"\nstart()', 'const couler = "red"\nstop()']
  ])('is declared, and undone to the original bytes when the passage matched as %s', async (rung, old, made) => {
    await using folder = await recordedFolder({ files: FILES })
    const before = folder.tree()
    const user = toolUser(folder)
    const answer = await user.use({ tool: 'edit_file', path: 'src/app.ts', old, new: made })
    expect(answer).toMatchObject({
      noop: false,
      found: { rung },
      paths: ['src/app.ts'],
      run: expect.stringMatching(/^run_/)
    })
    expect(answer.edits).toHaveLength(1)
    await user.leave()
    const diff = await folder.engine.call('diff.files', {
      workspace: folder.workspace,
      target: answer.run!,
      scope: 'run'
    })
    expect(diff.files).toMatchObject([
      { path: 'src/app.ts', change: 'modified', attribution: 'declared', interleaved: false }
    ])
    const { drift } = await folder.engine.call('drift.list', { workspace: folder.workspace, check: true })
    expect(drift).toEqual([])
    const done = await folder.apply({ kind: 'undo-run', run: answer.run! })
    expect(done.state).toBe('done')
    expect(folder.tree()).toEqual(before)
  })

  test('of every kind belongs to one run of the session, and is undone byte for byte', async () => {
    await using folder = await recordedFolder({ files: FILES })
    chmodSync(join(folder.root, 'src/deep/note.txt'), 0o640)
    await folder.check()
    const before = folder.tree()
    const user = toolUser(folder)
    const runs = new Set<string | null>()
    const use = async (...args: Parameters<typeof user.use>): Promise<void> => {
      const answer = await user.use(...args)
      expect(answer.noop).toBe(false)
      expect(answer.edits.length).toBeGreaterThan(0)
      runs.add(answer.run)
    }
    await use({ tool: 'write_file', path: 'new/inner/a.txt', content: 'a\n' })
    await use({ tool: 'write_file', path: 'data.bin', content: 'text now\n' })
    await use({ tool: 'copy_file', source: 'src/deep/note.txt', destination: 'copy.txt' })
    await use({ tool: 'move_file', source: 'src/deep/note.txt', destination: 'moved/note.txt' })
    await use({ tool: 'edit_file', path: 'moved/note.txt', old: 'two', new: 'TWO' })
    await use({ tool: 'delete_file', path: 'src/app.ts' })
    await use({ tool: 'create_dir', path: 'empty/one' })
    await use({ tool: 'remove_dir', path: 'src', force: true })
    expect(lstatSync(join(folder.root, 'moved/note.txt')).mode & 0o777).toBe(0o640)
    expect(lstatSync(join(folder.root, 'copy.txt')).mode & 0o777).toBe(0o640)
    expect(runs.size).toBe(1)
    const [run] = [...runs] as string[]
    const { calls, entry } = await folder.engine.call('entry.show', { workspace: folder.workspace, target: run! })
    expect(entry).toMatchObject({ agent: 'test over MCP', state: 'live', title: 'Write new/inner/a.txt' })
    expect(calls?.map((call) => [call.name, call.state])).toEqual(
      [
        'write_file',
        'write_file',
        'copy_file',
        'move_file',
        'edit_file',
        'delete_file',
        'create_dir',
        'remove_dir'
      ].map((name) => [name, 'done'])
    )
    // The client is still connected. It writes only during its calls, so the restore need not wait.
    const done = await folder.apply({ kind: 'undo-run', run: run! })
    expect(done.state).toBe('done')
    expect(folder.tree()).toEqual(before)
    await folder.apply({ kind: 'undo' })
    expect(readFileSync(join(folder.root, 'moved/note.txt'), 'utf8')).toBe('one\nTWO\nthree\n')
    await folder.apply({ kind: 'redo' })
    expect(folder.tree()).toEqual(before)
  })

  test('outside edits in between are not attributed to the run, and undo keeps them', async () => {
    await using folder = await recordedFolder({ files: FILES })
    const user = toolUser(folder)
    const file = join(folder.root, 'src/deep/note.txt')
    const { run } = await user.use({ tool: 'edit_file', path: 'src/deep/note.txt', old: 'one', new: 'ONE' })
    writeFileSync(file, 'ONE\ntwo\nthree by hand\n')
    await user.use({ tool: 'edit_file', path: 'src/deep/note.txt', old: 'ONE', new: 'Uno' })
    await user.leave()
    await folder.apply({ kind: 'undo-run', run: run!, onConflict: 'merge' })
    expect(readFileSync(file, 'utf8')).toBe('one\ntwo\nthree by hand\n')
  })

  test('in an ignored file, and in a folder that is not covered, is undone, too', async () => {
    await using folder = await recordedFolder({
      files: { '.gitignore': 'build/\n*.log\n', 'build/out.js': 'old\n', 'a.log': 'log\n' }
    })
    const before = folder.tree()
    const user = toolUser(folder)
    await user.use({ tool: 'edit_file', path: 'build/out.js', old: 'old', new: 'new' })
    await user.use({ tool: 'write_file', path: 'build/more.js', content: 'more\n' })
    const { run } = await user.use({ tool: 'delete_file', path: 'a.log' })
    await user.leave()
    await folder.apply({ kind: 'undo-run', run: run! })
    expect(folder.tree()).toEqual(before)
  })

  test('of a whole folder, with ignored, nested, linked and empty entries, is undone, too', {
    tags: ['links']
  }, async () => {
    await using folder = await recordedFolder({
      files: {
        '.gitignore': 'build/\nbare/\n',
        'build/a/one.js': 'one\n',
        'build/a/b/two.bin': Buffer.from([0, 1, 255]),
        'kept/x.txt': 'x\n'
      }
    })
    mkdirSync(join(folder.root, 'build/empty'))
    mkdirSync(join(folder.root, 'bare'))
    mkdirSync(join(folder.root, 'kept/empty'))
    symlinkSync('../kept', join(folder.root, 'build/link'))
    chmodSync(join(folder.root, 'build/a'), 0o750)
    chmodSync(join(folder.root, 'build'), 0o700)
    await folder.check()
    const before = folder.tree()
    const user = toolUser(folder)
    const { run } = await user.use({ tool: 'remove_dir', path: 'build', force: true })
    await user.use({ tool: 'remove_dir', path: 'kept', force: true })
    await user.use({ tool: 'remove_dir', path: 'bare' })
    expect(Object.keys(folder.tree())).toEqual(['.gitignore'])
    await folder.apply({ kind: 'undo-run', run: run! })
    expect(folder.tree()).toEqual(before)
  })

  test('can be undone in the middle of a run, which continues and can be undone again', async () => {
    await using folder = await recordedFolder({ files: FILES })
    const before = folder.tree()
    const user = toolUser(folder)
    const { run } = await user.use({ tool: 'edit_file', path: 'src/deep/note.txt', old: 'one', new: '1' })
    await folder.apply({ kind: 'undo-run', run: run! })
    expect((await user.use({ tool: 'edit_file', path: 'src/deep/note.txt', old: 'two', new: '2' })).run).toBe(run)
    await user.use({ tool: 'write_file', path: 'new.txt', content: 'new\n' })
    expect((await folder.apply({ kind: 'undo-run', run: run! })).state).toBe('done')
    expect(folder.tree()).toEqual(before)
  })

  test('keeps mode, encoding, byte order mark and line ends; a link stays a link', { tags: ['links'] }, async () => {
    await using folder = await recordedFolder({
      files: {
        'mark.txt': Buffer.from('\ufeffone\r\ntwo\r\n', 'utf8'),
        'wide.txt': Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('añ\r\nb\r\n', 'utf16le')]),
        'latin.txt': Buffer.from('caf\u00e9\nplain\n', 'latin1'),
        'run.sh': '#!/bin/sh\necho a\n'
      }
    })
    chmodSync(join(folder.root, 'run.sh'), 0o750)
    symlinkSync('run.sh', join(folder.root, 'link.sh'))
    const user = toolUser(folder)
    await user.use({ tool: 'edit_file', path: 'mark.txt', old: 'two\n', new: 'two\nthree\n' })
    await user.use({ tool: 'edit_file', path: 'wide.txt', old: 'b', new: 'ü' })
    await user.use({ tool: 'edit_file', path: 'latin.txt', old: 'plain', new: 'changed' })
    await user.use({ tool: 'edit_file', path: 'link.sh', old: 'echo a', new: 'echo b' })
    const read = (name: string): Buffer => readFileSync(join(folder.root, name))
    expect(read('mark.txt')).toEqual(Buffer.from('\ufeffone\r\ntwo\r\nthree\r\n', 'utf8'))
    expect(read('wide.txt')).toEqual(Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('añ\r\nü\r\n', 'utf16le')]))
    expect(read('latin.txt')).toEqual(Buffer.from('caf\u00e9\nchanged\n', 'latin1'))
    expect(read('run.sh').toString()).toBe('#!/bin/sh\necho b\n')
    expect(lstatSync(join(folder.root, 'run.sh')).mode & 0o777).toBe(0o750)
    expect(readlinkSync(join(folder.root, 'link.sh'))).toBe('run.sh')
    expect((await user.refused({ tool: 'edit_file', path: 'latin.txt', old: 'changed', new: 'é' })).reason).toBe(
      'encoding'
    )
  })
})

describe('a repeated use', () => {
  test('of an edit applies it once, also at the same time and from two processes', async () => {
    await using folder = await recordedFolder({ files: FILES })
    const engine = await createEngine({
      dataDir: folder.dataDir,
      home: folder.home,
      host: 'cli',
      watch: false,
      programs: { ingest: INGEST_PROGRAM }
    })
    const one = toolUser(folder)
    const two = toolUser({ ...folder, engine: engine })
    const use = { tool: 'edit_file', path: 'src/deep/note.txt', old: 'two\n', new: 'two and a half\n' } as const
    const answers = await Promise.all([one.use(use), one.use(use), two.use(use)])
    expect(answers.map((answer) => answer.noop).sort()).toEqual([false, true, true])
    expect(readFileSync(join(folder.root, 'src/deep/note.txt'), 'utf8')).toBe('one\ntwo and a half\nthree\n')
    await engine.close()
  })

  test.each([
    ['two', '2'],
    ['  two\n  three', '  2\n  three'],
    ['one\n\ntwo', 'one\n\ntwo again'],
    ['“two”'.slice(1, 4), ''],
    ['one\ntwo', 'one\nand a half\ntwo']
  ])('after another applies the edit once: %j to %j', async (old, made) => {
    await using folder = await recordedFolder({ files: FILES })
    const user = toolUser(folder)
    const use = { tool: 'edit_file', path: 'src/deep/note.txt', old, new: made } as const
    expect(await user.use(use)).toMatchObject({ noop: false })
    const once = folder.tree()
    expect(await user.use(use)).toMatchObject({ noop: true, run: null, outcome: { code: 'edited-before' } })
    expect(folder.tree()).toEqual(once)
  })

  test('of an undone edit applies it again', async () => {
    await using folder = await recordedFolder({ files: FILES })
    const user = toolUser(folder)
    const use = { tool: 'edit_file', path: 'src/deep/note.txt', old: 'two', new: '2' } as const
    const { run } = await user.use(use)
    await folder.apply({ kind: 'undo-run', run: run! })
    expect(await user.use(use)).toMatchObject({ noop: false })
  })

  test('that has nothing to change changes nothing and opens no run', async () => {
    await using folder = await recordedFolder({ files: FILES })
    const user = toolUser(folder)
    for (const use of [
      { tool: 'write_file', path: 'src/deep/note.txt', content: 'one\ntwo\nthree\n' },
      { tool: 'delete_file', path: 'gone.txt' },
      { tool: 'create_dir', path: 'src/deep' },
      { tool: 'remove_dir', path: 'nowhere' },
      { tool: 'edit_file', path: 'src/deep/note.txt', old: 'two', new: 'two' }
    ] as const)
      expect(await user.use(use)).toMatchObject({ noop: true, run: null, edits: [] })
    expect((await folder.engine.call('timeline.list', { workspace: folder.workspace, limit: 5 })).entries).toEqual([])
  })

  test('is refused when the new text only occurs elsewhere', async () => {
    await using folder = await recordedFolder({ files: FILES })
    const user = toolUser(folder)
    const { reason } = await user.refused({ tool: 'edit_file', path: 'src/deep/note.txt', old: 'four', new: 'two' })
    expect(reason).toBe('not-found')
  })
})

describe('at the same time', () => {
  test('all edits of one file from two processes are applied', async () => {
    const lines = Array.from({ length: 12 }, (_, n) => `line ${n} of the file`)
    await using folder = await recordedFolder({ files: { 'list.txt': `${lines.join('\n')}\n` } })
    const engine = await createEngine({
      dataDir: folder.dataDir,
      home: folder.home,
      host: 'cli',
      watch: false,
      programs: { ingest: INGEST_PROGRAM }
    })
    const users = [toolUser(folder, 'one'), toolUser({ ...folder, engine: engine }, 'two')]
    const answers = await Promise.all(
      lines.map((line, n) =>
        users[n % 2]!.use({ tool: 'edit_file', path: 'list.txt', old: `${line}\n`, new: `changed ${n}\n` })
      )
    )
    expect(answers.every((answer) => answer.edits.length === 1)).toBe(true)
    expect(readFileSync(join(folder.root, 'list.txt'), 'utf8')).toBe(
      `${lines.map((_, n) => `changed ${n}`).join('\n')}\n`
    )
    const runs = [...new Set(answers.map((answer) => answer.run!))]
    expect(runs).toHaveLength(2)
    for (const run of runs) {
      const { files } = await folder.engine.call('diff.files', {
        workspace: folder.workspace,
        target: run,
        scope: 'run'
      })
      expect(files).toMatchObject([{ path: 'list.txt', attribution: 'declared' }])
    }
    await engine.close()
  })
})

describe('beside a connected agent', () => {
  test.each([
    ['reported', false],
    ['spooled, because no recorder had started yet', true]
  ])('a use that its hooks have %s belongs to that run, and no other run is opened', async (_, isSpooled) => {
    await using folder = await recordedFolder({ files: FILES })
    const tell = async (event: string, more: Record<string, unknown>): Promise<void> => {
      const input = { session_id: 'claude-1', cwd: folder.root, hook_event_name: event, ...more }
      const hookEvent = toHookEvent('claude-code', { event, input })
      if (isSpooled) spoolEvent(folder.dataDir, hookEvent)
      else await folder.engine.callUntyped('agent.event', hookEvent)
    }
    const args = { path: 'src/deep/note.txt', old_string: 'two', new_string: '2' }
    const tool = { tool_name: 'mcp__driftline__edit_file', tool_input: args, tool_use_id: 'toolu_1' }
    await tell('UserPromptSubmit', { prompt: 'make it two' })
    await tell('PreToolUse', tool)
    const user = toolUser(folder)
    const answer = await user.use({ tool: 'edit_file', path: args.path, old: 'two', new: '2' }, { call: 'toolu_1' })
    await tell('PostToolUse', { ...tool, tool_response: {} })
    await tell('Stop', {})
    await user.leave()
    const { entries } = await folder.engine.call('timeline.list', {
      workspace: folder.workspace,
      limit: 9,
      kinds: ['run']
    })
    expect(entries).toMatchObject([{ id: answer.run, agent: 'claude-code', title: 'make it two', files: 1 }])
    const { files } = await folder.engine.call('diff.files', {
      workspace: folder.workspace,
      target: answer.run!,
      scope: 'run'
    })
    expect(files).toMatchObject([{ path: args.path, attribution: 'declared' }])
  })

  test('inside `driftline run` the change is attributed to that run', async () => {
    await using folder = await recordedFolder({ files: FILES })
    const me = toolUser(folder).client.process
    const { run } = await folder.engine.call('run.begin', {
      workspace: folder.workspace,
      title: 'outer',
      agent: 'command',
      pid: me.pid,
      pidStart: me.start
    })
    const user = toolUser(folder)
    const answer = await user.use({ tool: 'delete_file', path: 'data.bin' }, { run })
    expect(answer.run).toBe(run)
    await user.leave()
    const ended = await folder.engine.call('run.end', { workspace: folder.workspace, run, exitCode: 0 })
    expect(ended.files).toMatchObject([{ path: 'data.bin', change: 'deleted', attribution: 'declared' }])
  })
})
