/** A first copy killed in the middle: what was copied is protected, the rest is said to be missing, and the next one goes on. */
import { fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createEngine, type Engine } from '../../src/main/engine/engine.ts'
import { TEST_PROGRAMS } from '../support/programs.ts'
import { tempFolder } from '../support/tmp.ts'
import { readTree, writeFiles } from '../support/tree.ts'

const FILES = 240
/** Every fifth is large and cannot be compressed: copied files are written to the history 16 MB at a time. */
const content = (i: number): string | Buffer =>
  i % 5 === 0 ? randomBytes(500_000) : `content of ${i}\n`.repeat((i * 7) % 300)

interface Place {
  readonly root: string
  readonly dataDir: string
  /** `ingest` takes initial snapshots. */
  open(ingest: string): Promise<Engine>
}

async function largeFolder(work: (place: Place) => Promise<void>): Promise<void> {
  using temp = tempFolder()
  const [root, dataDir] = [join(temp.path, 'project'), join(temp.path, 'data')]
  writeFiles(root, Object.fromEntries(Array.from({ length: FILES }, (_, i) => [`d${i % 20}/f${i}`, content(i)])))
  mkdirSync(dataDir)
  const engines: Engine[] = []
  const open = async (ingest: string): Promise<Engine> => {
    const engine = await createEngine({ dataDir, host: 'cli', watch: false, programs: { ingest } })
    engines.push(engine)
    return engine
  }
  try {
    await work({ root, dataDir, open })
  } finally {
    await Promise.all(engines.map((engine) => engine.close()))
  }
}

/** The only workspace, of which some files were copied and others were not. */
async function partlyCopied(engine: Engine): Promise<string> {
  const { workspaces } = await engine.call('workspaces.list', {})
  const workspace = workspaces[0]?.id as string
  expect((await engine.call('workspace.status', { workspace, check: false })).coverage).toBe('partial')
  const { covered } = await engine.call('coverage.list', { workspace })
  expect(covered.files).toBeGreaterThan(0)
  expect(covered.files).toBeLessThan(FILES)
  // Compares all that is stored with its hash.
  expect((await engine.call('doctor.run', { deep: true })).problems).toEqual([])
  return workspace
}

/** Some folders come back after they were deleted; what is stored of all others is read and compared with its hash. */
async function protects(engine: Engine, workspace: string, root: string): Promise<void> {
  const before = readTree(root)
  const { run } = await engine.call('run.begin', {
    workspace,
    title: 'wreck',
    agent: 'test',
    pid: process.pid,
    pidStart: ''
  })
  for (const [n, name] of readdirSync(root).entries()) if (n % 7 === 0) rmSync(join(root, name), { recursive: true })
  await engine.call('run.end', { workspace, run, exitCode: 0 })
  const result = await engine.call('restore.apply', { workspace, request: { kind: 'undo-run', run } })
  expect(result.state).toBe('done')
  expect(readTree(root)).toEqual(before)
  expect((await engine.call('doctor.run', { deep: true })).problems).toEqual([])
}

test('[CP-3] if the copying process is killed, the snapshot ends as partial with a reason, and adding again completes it', async () => {
  await largeFolder(async ({ root, open }) => {
    const killed = await open(TEST_PROGRAMS['killed-copier'])
    await expect(killed.call('workspaces.add', { folder: root, wait: true })).rejects.toMatchObject({
      message: expect.stringContaining('ended early (SIGKILL)')
    })
    const workspace = await partlyCopied(killed)
    const begun = await killed.call('run.begin', { workspace, title: 't', agent: 'x', pid: process.pid, pidStart: '' })
    expect(begun.incomplete).toBe(true)
    await killed.call('run.end', { workspace, run: begun.run, exitCode: 0 })
    await killed.close()
    const engine = await open(TEST_PROGRAMS.copier)
    const added = await engine.call('workspaces.add', { folder: root, wait: true })
    expect([added.complete, added.covered.files]).toEqual([true, FILES])
    await protects(engine, workspace, root)
  })
})

test('[CP-3] if the program is killed during the initial snapshot, the next start reports and completes it', async () => {
  await largeFolder(async ({ root, dataDir, open }) => {
    const adder = fork(TEST_PROGRAMS['crash-add'], [dataDir, root], {
      execArgv: [],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc']
    })
    adder.stderr?.pipe(process.stderr, { end: false })
    // Both processes have its stderr: it closes once both are gone.
    const [, signal] = await once(adder, 'close')
    expect(signal).toBe('SIGKILL')
    const engine = await open(TEST_PROGRAMS.copier)
    const workspace = await partlyCopied(engine)
    writeFiles(root, { 'd0/f0': 'changed while nothing ran', 'new/file': 'n' })
    const added = await engine.call('workspaces.add', { folder: root, wait: true })
    expect([added.complete, added.covered.files]).toEqual([true, FILES + 1])
    const kept = await engine.call('file.cat', { workspace, target: 'now', path: 'd0/f0' })
    expect(Buffer.from(kept.base64, 'base64').toString()).toBe('changed while nothing ran')
    // How it is restored does not depend on who was killed.
    expect((await engine.call('doctor.run', { deep: true })).problems).toEqual([])
  })
})
