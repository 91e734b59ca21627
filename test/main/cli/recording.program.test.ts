import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { finished, makePlace, type Place } from './place.ts'

let place: Place
let runId = ''

const SCRIPT = [
  "const fs = require('node:fs')",
  "fs.writeFileSync('src/a.txt', 'one\\ntwo changed\\nthree\\n')",
  "fs.writeFileSync('src/new.txt', 'new\\n')",
  "fs.rmSync('old.txt')",
  "console.log('said by the command')"
].join(';')

beforeAll(() => {
  place = makePlace()
  place.write('src/a.txt', 'one\ntwo\nthree\n')
  place.write('old.txt', 'old\n')
  place.write('bytes.bin', Buffer.from([0, 255, 10, 13, 0, 128]))
  mkdirSync(join(place.root, 'empty'))
})
afterAll(() => place.remove())

test('commands in a folder that is not recorded exit 5 and say how to record it', async () => {
  const { code, doc } = await place.json<{ error: { code: string } }>(['status'])
  expect([code, doc.error.code]).toEqual([5, 'NotAWorkspace'])
})

test('add registers the folder and waits for the first copy', async () => {
  const { code, doc } = await place.json(['add', '.'])
  expect(code).toBe(0)
  expect(doc).toMatchObject({
    workspace: { id: expect.any(String), root: place.root },
    covered: { files: 3, bytes: expect.any(Number) },
    notCovered: [],
    head: expect.any(Number)
  })
  expect((await place.call(['add', place.root], '/')).code).toBe(0)
  const missing = await place.json<{ error: { code: string } }>(['add', join(place.root, 'src/a.txt')])
  expect([missing.code, missing.doc.error.code]).toEqual([2, 'NotAFolder'])
})

test('a whole home folder is recorded only when somebody says so', async () => {
  const { code, doc } = await place.json<{ error: { code: string } }>(['add', join(place.root, '..')])
  expect([code, doc.error.code]).toEqual([3, 'NeedsConfirmation'])
})

test('status answers every key of the contract', async () => {
  const { code, doc } = await place.json(['status'])
  expect(code).toBe(0)
  expect(doc).toMatchObject({
    workspace: { root: place.root },
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
  const human = await place.call(['status'], join(place.root, 'src'))
  expect([human.code, human.out.toString()]).toEqual([0, expect.stringContaining('3 files')])
})

test('run records a command, keeps its stdout out of the document and exits with its code', async () => {
  const child = await place.call(['run', '--title', 'first', '--json', '--', process.execPath, '-e', SCRIPT])
  expect([child.code, child.err]).toEqual([0, expect.stringContaining('said by the command')])
  const doc = JSON.parse(child.out.toString()) as { run: string; checkpointId: string; files: { path: string }[] }
  runId = doc.run
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

test('log lists the timeline newest first, by kind and by limit', async () => {
  const { doc } = await place.json<{ entries: Record<string, unknown>[] }>(['log', '--kind', 'run'])
  expect(doc.entries[0]).toMatchObject({
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
  })
  expect((await place.json<{ entries: unknown[] }>(['log', '--limit', '1'])).doc.entries).toHaveLength(1)
  expect((await place.call(['log'])).out.toString()).toContain('first')
})

test('show gives the entry with its checkpoints and turns, also for a shortened id and latest', async () => {
  for (const target of [runId, runId.slice(0, -3), 'latest']) {
    const { code, doc } = await place.json(['show', target])
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
  expect((await place.json(['show', 'run_nope'])).code).toBe(5)
})

test('diff prints a patch that git apply takes both ways', async () => {
  const { out, code } = await place.call(['diff', 'latest'])
  expect(code).toBe(0)
  const patch = join(place.data, 'run.patch')
  writeFileSync(patch, out)
  execFileSync('git', ['apply', '--check', '-R', patch], { cwd: place.root })
  const one = await place.json<{ patch: string; files: { path: string }[] }>(
    ['diff', runId, 'a.txt'],
    join(place.root, 'src')
  )
  expect(one.doc.files.map((file) => file.path)).toEqual(['src/a.txt'])
  expect(one.doc).toMatchObject({
    prevCheckpointId: expect.stringMatching(/^cp_/),
    toCheckpointId: expect.any(String),
    workspaceDrifted: false,
    warning: expect.any(String),
    patch: expect.stringContaining('+two changed')
  })
  expect((await place.json<{ error: { code: string } }>(['diff', 'latest', '../x'])).doc.error.code).toBe(
    'PathOutsideWorkspace'
  )
})

test('a reader that goes away ends the printing quietly', async () => {
  const lines = "require('node:fs').writeFileSync('lines.txt', 'line\\n'.repeat(500000))"
  await place.call(['run', '--', process.execPath, '-e', lines])
  const child = place.start(['diff', 'latest'])
  const end = finished(child)
  child.stdout!.once('data', () => child.stdout!.destroy())
  expect(await end).toMatchObject({ code: 0, err: '' })
  expect((await place.json<{ state: string }>(['undo-run', 'latest', '--yes'])).doc.state).toBe('done')
})

test('diff --to now compares with the disk', async () => {
  place.write('src/new.txt', 'new\nand more\n')
  const { doc } = await place.json<{ files: { path: string }[]; patch: string }>([
    'diff',
    `${runId}:end`,
    '--to',
    'now'
  ])
  expect([doc.files.map((file) => file.path), doc.patch]).toEqual([
    ['src/new.txt'],
    expect.stringContaining('+and more')
  ])
  place.write('src/new.txt', 'new\n')
})

test('cat prints the exact bytes a path had at a target', async () => {
  expect((await place.call(['cat', `${runId}:start`, 'old.txt'])).out.toString()).toBe('old\n')
  expect([...(await place.call(['cat', runId, '../bytes.bin'], join(place.root, 'src'))).out]).toEqual([
    0, 255, 10, 13, 0, 128
  ])
})

test('history lists every version of a path with its run', async () => {
  const { doc } = await place.json<{ versions: Record<string, unknown>[] }>(['history', 'src/a.txt'])
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

test('checkpoint pins the present and checkpoints lists it', async () => {
  const made = await place.json<{ checkpoint: string; seq: number }>(['checkpoint', '-m', 'before lunch'])
  expect(made.doc).toMatchObject({ checkpoint: expect.stringMatching(/^cp_/), seq: expect.any(Number) })
  const { doc } = await place.json<{ checkpoints: Record<string, unknown>[] }>(['checkpoints', '--all'])
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
  const ofRun = await place.json<{ checkpoints: { run: string }[] }>(['checkpoints', '--run', runId])
  expect(new Set(ofRun.doc.checkpoints.map((checkpoint) => checkpoint.run))).toEqual(new Set([runId]))
})

test('export writes report and patch where it is told, and overwrites nothing by itself', async () => {
  const file = join(place.data, 'run.md')
  const { doc } = await place.json<{ path: string }>(['export', runId, '-o', file])
  expect(doc.path).toBe(file)
  expect(readFileSync(file, 'utf8')).toContain('+two changed')
  const json = join(place.data, 'run.json')
  await place.json(['export', runId, '-o', json])
  expect(JSON.parse(readFileSync(json, 'utf8'))).toMatchObject({ patch: expect.stringContaining('diff --git') })
  const elsewhere = join(place.data, '..')
  expect((await place.call(['export', runId, '--folder', place.root], elsewhere)).code).toBe(0)
  expect((await place.call(['export', runId, '--folder', place.root], elsewhere)).code).toBe(3)
})

test('doctor finds everything in order and gc --dry-run says what it would free', async () => {
  const doctor = await place.json(['doctor'])
  expect(doctor).toEqual({ code: 0, doc: { ok: true, problems: [] } })
  const gc = await place.json(['gc', '--dry-run'])
  expect(gc.doc).toMatchObject({ freedBytes: expect.any(Number), pruned: expect.any(Array) })
})

test('two command lines at a time both record, neither is refused', async () => {
  const write = (name: string) => [
    '-e',
    `require('node:fs').writeFileSync(${JSON.stringify(name)}, ${JSON.stringify(name)})`
  ]
  const codes = await Promise.all(
    ['p1.txt', 'p2.txt'].map((name) =>
      place.json<{ exitCode: number }>(['run', '--', process.execPath, ...write(name)])
    )
  )
  expect(codes.map(({ code }) => code)).toEqual([0, 0])
  const { doc } = await place.json<{ head: number; drift: unknown[] }>(['status'])
  expect(doc).toMatchObject({ drift: [], activeRuns: [], interruptedRuns: [] })
  // The newest position: the run that ended first may have seen the other one's file half written.
  for (const name of ['p1.txt', 'p2.txt'])
    expect((await place.call(['cat', `seq:${doc.head}`, name])).out.toString()).toBe(name)
})
