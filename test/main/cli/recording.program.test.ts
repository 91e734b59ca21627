import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { remove } from '../../support/tree.ts'
import { type CliProject, createCliProject, waitForExit } from './cli-project.ts'

const BYTES = [0, 255, 10, 13, 0, 128]

/** Three files and an empty folder, not recorded. */
function unrecordedProject(): CliProject {
  const project = createCliProject()
  project.write('src/a.txt', 'one\ntwo\nthree\n')
  project.write('old.txt', 'old\n')
  project.write('bytes.bin', Buffer.from(BYTES))
  mkdirSync(join(project.root, 'empty'))
  return project
}

async function recordedProject(): Promise<CliProject> {
  const project = unrecordedProject()
  await project.add()
  return project
}

function changeFiles(project: CliProject): void {
  project.write('src/a.txt', 'one\ntwo changed\nthree\n')
  project.write('src/new.txt', 'new\n')
  remove(project.root, 'old.txt')
}

test('commands in an unrecorded folder exit 5 and explain how to record it', async () => {
  using project = unrecordedProject()
  const { code, doc } = await project.json<{ error: { code: string } }>(['status'])
  expect([code, doc.error.code]).toEqual([5, 'NotAWorkspace'])
})

test('add registers the folder and waits for the initial snapshot', async () => {
  using project = unrecordedProject()
  const { code, doc } = await project.json(['add', '.'])
  expect(code).toBe(0)
  expect(doc).toMatchObject({
    workspace: { id: expect.any(String), root: project.root },
    covered: { files: 3, bytes: expect.any(Number) },
    notCovered: [],
    head: expect.any(Number)
  })
  expect((await project.call(['add', project.root], '/')).code).toBe(0)
})

test('add refuses a file, and a home folder until it is confirmed', async () => {
  using project = unrecordedProject()
  const file = await project.json<{ error: { code: string } }>(['add', join(project.root, 'src/a.txt')])
  expect([file.code, file.doc.error.code]).toEqual([2, 'NotAFolder'])
  const home = await project.json<{ error: { code: string } }>(['add', join(project.root, '..')])
  expect([home.code, home.doc.error.code]).toEqual([3, 'NeedsConfirmation'])
})

test('status has every key of the contract', async () => {
  using project = await recordedProject()
  const { code, doc } = await project.json(['status'])
  expect(code).toBe(0)
  expect(doc).toMatchObject({
    workspace: { root: project.root },
    head: expect.any(Number),
    recording: false,
    covered: { files: 3 },
    notCovered: [],
    drift: [],
    activeRuns: [],
    interruptedRuns: [],
    interruptedRestore: null,
    store: { bytes: expect.any(Number), uniqueBytes: expect.any(Number), budget: expect.any(Number) }
  })
  const human = await project.call(['status'], join(project.root, 'src'))
  expect([human.code, human.out.toString()]).toEqual([0, expect.stringContaining('3 files')])
})

test('run records a command, keeps its stdout out of the document and exits with its code', async () => {
  using project = await recordedProject()
  const script = [
    "fs.writeFileSync('src/a.txt', 'one\\ntwo changed\\nthree\\n')",
    "fs.writeFileSync('src/new.txt', 'new\\n')",
    "fs.rmSync('old.txt')",
    "console.log('said by the command')"
  ].join(';')
  const child = await project.callProcess(['run', '--title', 'first', '--json', '--', process.execPath, '-e', script])
  expect([child.code, child.err]).toEqual([0, expect.stringContaining('said by the command')])
  const doc = JSON.parse(child.out.toString()) as { files: { path: string }[] }
  expect(doc).toMatchObject({
    run: expect.stringMatching(/^run_/),
    prevCheckpointId: expect.stringMatching(/^cp_/),
    checkpointId: expect.stringMatching(/^cp_/),
    exitCode: 0,
    workspaceDrifted: false
  })
  expect(doc.files.map((file) => file.path)).toEqual(['old.txt', 'src/a.txt', 'src/new.txt'])
  expect(doc.files[1]).toMatchObject({
    change: 'modified',
    kind: 'text',
    added: 1,
    deleted: 1,
    hunks: 1,
    attribution: expect.stringMatching(/^(declared|inferred|shared)$/),
    interleaved: false,
    secret: false
  })
})

/** These read the folder and its history, and change neither but for a checkpoint. */
describe('a recorded run', () => {
  let project: CliProject
  let runId: string

  beforeAll(async () => {
    project = await recordedProject()
    runId = await project.run('first', () => changeFiles(project))
  })
  afterAll(() => project.remove())

  test('log lists the timeline newest first, by kind and by limit', async () => {
    const { doc } = await project.json<{ entries: Record<string, unknown>[] }>(['log', '--kind', 'run'])
    expect(doc.entries).toMatchObject([
      {
        kind: 'run',
        id: runId,
        seq: expect.any(Number),
        at: expect.any(Number),
        title: 'first',
        agent: expect.any(String),
        session: null,
        state: 'ended',
        turns: expect.any(Number),
        files: 3,
        added: expect.any(Number),
        deleted: expect.any(Number)
      }
    ])
    expect((await project.json<{ entries: unknown[] }>(['log', '--limit', '1'])).doc.entries).toHaveLength(1)
    expect((await project.call(['log'])).out.toString()).toContain('first')
  })

  test('show prints an entry with its checkpoints and turns, also for a shortened id and latest', async () => {
    for (const target of [runId, runId.slice(0, -3), 'latest']) {
      const { code, doc } = await project.json(['show', target])
      expect([target, code]).toEqual([target, 0])
      expect(doc).toMatchObject({ kind: 'run', id: runId, checkpoints: expect.any(Array), turns: expect.any(Array) })
      expect((doc.checkpoints as unknown[])[0]).toMatchObject({
        id: expect.stringMatching(/^cp_/),
        reason: 'run_start',
        seq: expect.any(Number),
        status: 'available',
        at: expect.any(Number),
        label: expect.any(String),
        files: expect.any(Number)
      })
    }
    expect((await project.json(['show', 'run_nope'])).code).toBe(5)
  })

  test('diff prints a patch that git apply applies and reverts', { tags: ['git'] }, async () => {
    const { out, code } = await project.call(['diff', 'latest'])
    expect(code).toBe(0)
    const patch = join(project.data, 'run.patch')
    writeFileSync(patch, out)
    execFileSync('git', ['apply', '--check', '-R', patch], { cwd: project.root })
    const one = await project.json<{ patch: string; files: { path: string }[] }>(
      ['diff', runId, 'a.txt'],
      join(project.root, 'src')
    )
    expect(one.doc.files.map((file) => file.path)).toEqual(['src/a.txt'])
    expect(one.doc).toMatchObject({
      prevCheckpointId: expect.stringMatching(/^cp_/),
      toCheckpointId: expect.any(String),
      workspaceDrifted: false,
      warning: expect.any(String),
      patch: expect.stringContaining('+two changed')
    })
    expect((await project.json<{ error: { code: string } }>(['diff', 'latest', '../x'])).doc.error.code).toBe(
      'PathOutsideWorkspace'
    )
  })

  test('cat prints the exact bytes of a path at a target', async () => {
    expect((await project.call(['cat', `${runId}:start`, 'old.txt'])).out.toString()).toBe('old\n')
    const { out } = await project.call(['cat', runId, '../bytes.bin'], join(project.root, 'src'))
    expect([...out]).toEqual(BYTES)
  })

  test('history lists every version of a path with its run', async () => {
    const { doc } = await project.json<{ versions: Record<string, unknown>[] }>(['history', 'src/a.txt'])
    expect(doc.versions).toHaveLength(2)
    for (const version of doc.versions) {
      expect(version).toMatchObject({
        seq: expect.any(Number),
        origin: expect.any(String),
        at: expect.any(Number),
        kind: 'file',
        size: expect.any(Number),
        hash: expect.stringMatching(/^[0-9a-f]{64}$/),
        stored: true
      })
      expect(version).toHaveProperty('prompt')
    }
    expect(doc.versions.some((version) => version.run === runId)).toBe(true)
  })

  test('checkpoint pins the current versions and checkpoints lists the pin', async () => {
    const made = await project.json<{ checkpoint: string; seq: number }>(['checkpoint', '-m', 'before lunch'])
    expect(made.doc).toMatchObject({ checkpoint: expect.stringMatching(/^cp_/), seq: expect.any(Number) })
    const { doc } = await project.json<{ checkpoints: Record<string, unknown>[] }>(['checkpoints', '--all'])
    expect(doc.checkpoints.find((checkpoint) => checkpoint.id === made.doc.checkpoint)).toMatchObject({
      reason: 'manual',
      seq: made.doc.seq,
      status: 'available',
      restorable: true,
      why: '',
      run: null,
      session: null,
      turn: null,
      label: 'before lunch',
      at: expect.any(Number)
    })
    const ofRun = await project.json<{ checkpoints: { run: string }[] }>(['checkpoints', '--run', runId])
    expect(new Set(ofRun.doc.checkpoints.map((checkpoint) => checkpoint.run))).toEqual(new Set([runId]))
  })

  test('export writes report and patch to the given file, and overwrites nothing without -o', async () => {
    const file = join(project.data, 'run.md')
    const { doc } = await project.json<{ path: string }>(['export', runId, '-o', file])
    expect(doc.path).toBe(file)
    expect(readFileSync(file, 'utf8')).toContain('+two changed')
    const json = join(project.data, 'run.json')
    await project.json(['export', runId, '-o', json])
    expect(JSON.parse(readFileSync(json, 'utf8'))).toMatchObject({ patch: expect.stringContaining('diff --git') })
    const elsewhere = join(project.data, '..')
    expect((await project.call(['export', runId, '--folder', project.root], elsewhere)).code).toBe(0)
    expect((await project.call(['export', runId, '--folder', project.root], elsewhere)).code).toBe(3)
  })

  test('doctor finds no problems and gc --dry-run reports what it would free', async () => {
    const doctor = await project.json(['doctor'])
    expect(doctor).toEqual({ code: 0, doc: { ok: true, problems: [] } })
    const gc = await project.json(['gc', '--dry-run'])
    expect(gc.doc).toMatchObject({ freedBytes: expect.any(Number), pruned: expect.any(Array) })
  })
})

test('a reader that closes the pipe ends the output without an error', async () => {
  using project = await recordedProject()
  await project.run('long', () => project.write('lines.txt', 'line\n'.repeat(100_000)))
  const child = project.start(['diff', 'latest'])
  const end = waitForExit(child)
  child.stdout!.once('data', () => child.stdout!.destroy())
  expect(await end).toMatchObject({ code: 0, err: '' })
})

test('diff --to now compares with the disk', async () => {
  using project = await recordedProject()
  const run = await project.run('first', () => changeFiles(project))
  project.write('src/new.txt', 'new\nand more\n')
  const { doc } = await project.json<{ files: { path: string }[]; patch: string }>([
    'diff',
    `${run}:end`,
    '--to',
    'now'
  ])
  expect([doc.files.map((file) => file.path), doc.patch]).toEqual([
    ['src/new.txt'],
    expect.stringContaining('+and more')
  ])
})

test('attribution of a commit is read with git', { tags: ['git'] }, async () => {
  using project = await recordedProject()
  const run = await project.run('first', () => changeFiles(project))
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args], { cwd: project.root, stdio: 'ignore' })
  git('init')
  git('add', 'src')
  git('commit', '-m', 'one')
  const { code, out } = await project.callProcess(['export', run, '--format', 'git-ai'])
  expect([code, out.toString()]).toEqual([0, expect.stringContaining('authorship/3.0.0')])
})

test('two commands at the same time both record', async () => {
  using project = await recordedProject()
  const names = ['p1.txt', 'p2.txt']
  const write = (name: string) => [process.execPath, '-e', `fs.writeFileSync('${name}', '${name}')`]
  const called = await Promise.all(names.map((name) => project.callProcess(['run', '--', ...write(name)])))
  expect(called.map(({ code }) => code)).toEqual([0, 0])
  const { doc } = await project.json<{ head: number; drift: unknown[] }>(['status'])
  expect(doc).toMatchObject({ drift: [], activeRuns: [], interruptedRuns: [] })
  // The newest position: the run that ended first may have seen the other one's file half written.
  for (const name of names) expect((await project.call(['cat', `seq:${doc.head}`, name])).out.toString()).toBe(name)
})

test('show of outside changes lists the first paths and counts the rest', async () => {
  using project = await recordedProject()
  for (let i = 1; i <= 7; i++) project.write(`outside/${i}.txt`, `${i}\n`)
  const { doc } = await project.json<{ drift: { id: string }[] }>(['status'])
  const id = doc.drift[0]?.id ?? ''
  const text = (await project.call(['show', id])).out.toString()
  expect(text).toContain('  outside/5.txt\n')
  expect(text).toContain(`  and 2 more: \`driftline diff ${id}\` shows all changes\n`)
})
