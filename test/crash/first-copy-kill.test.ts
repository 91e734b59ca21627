/** A first copy killed in the middle: what was copied is protected, the rest is said to be missing, and the next one goes on. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createEngine, type Engine } from '../../src/main/engine/engine.ts'
import { isAlive } from '../../src/main/engine/ports/processes.ts'
import { INGEST_PROGRAM, TEST_PROGRAMS } from '../support/programs.ts'
import { tempFolder } from '../support/tmp.ts'
import { readTree, writeFiles } from '../support/tree.ts'

const FILES = 1500
const content = (i: number): string => `content of ${i}\n`.repeat((i * 7) % 300)

async function largeFolder(
  work: (place: { root: string; dataDir: string; open(): Promise<Engine> }) => Promise<void>
): Promise<void> {
  using temp = tempFolder()
  const [root, dataDir] = [join(temp.path, 'project'), join(temp.path, 'data')]
  writeFiles(
    root,
    Object.fromEntries(Array.from({ length: FILES }, (_, i) => [`d${i % 60}/e${i % 7}/f${i}`, content(i)]))
  )
  mkdirSync(dataDir)
  const engines: Engine[] = []
  const open = async (): Promise<Engine> => {
    const engine = await createEngine({ dataDir, host: 'cli', watch: false, programs: { ingest: INGEST_PROGRAM } })
    engines.push(engine)
    return engine
  }
  try {
    await work({ root, dataDir, open })
  } finally {
    await Promise.all(engines.map((engine) => engine.close()))
  }
}

/** Every twentieth folder comes back after it was deleted; what is stored of all others is read and compared with its hash. */
async function protects(engine: Engine, workspace: string, root: string): Promise<void> {
  const before = readTree(root)
  const { run } = await engine.call('run.begin', {
    workspace,
    title: 'wreck',
    agent: 'test',
    pid: process.pid,
    pidStart: ''
  })
  for (const [n, name] of readdirSync(root).entries()) if (n % 20 === 0) rmSync(join(root, name), { recursive: true })
  await engine.call('run.end', { workspace, run, exitCode: 0 })
  const result = await engine.call('restore.apply', { workspace, request: { kind: 'undo-run', run } })
  expect(result.state).toBe('done')
  expect(readTree(root)).toEqual(before)
  expect((await engine.call('doctor.run', { deep: true })).problems).toEqual([])
}

test('[CP-3] if the copying process is killed, the snapshot ends as partial with a reason, and adding again completes it', async () => {
  await largeFolder(async ({ root, open }) => {
    const engine = await open()
    let workspace = ''
    let killed = false
    engine.on('coverage.changed', ({ copy }) => {
      if (killed || !copy || copy.files < 100) return
      killed = true
      process.kill(childOf(process.pid), 'SIGKILL')
    })
    await expect(engine.call('workspaces.add', { folder: root, wait: true })).rejects.toMatchObject({
      message: expect.stringContaining('ended early')
    })
    expect(killed).toBe(true)
    workspace = (await engine.call('workspaces.list', {})).workspaces[0]?.id as string
    const status = await engine.call('workspace.status', { workspace, check: false })
    expect(status.coverage).toBe('partial')
    expect((await engine.call('doctor.run', { deep: true })).problems).toEqual([])
    const begun = await engine.call('run.begin', { workspace, title: 't', agent: 'x', pid: process.pid, pidStart: '' })
    expect(begun.incomplete).toBe(true)
    await engine.call('run.end', { workspace, run: begun.run, exitCode: 0 })
    const added = await engine.call('workspaces.add', { folder: root, wait: true })
    expect([added.complete, added.covered.files]).toEqual([true, FILES])
    await protects(engine, workspace, root)
  })
}, 60_000)

test('[CP-3] if the program is killed during the initial snapshot, the next start reports and completes it', async () => {
  await largeFolder(async ({ root, dataDir, open }) => {
    const adder = fork(TEST_PROGRAMS['crash-add'], [dataDir, root], {
      execArgv: [],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc']
    })
    const [message] = (await once(adder, 'message')) as [{ copier: number }]
    adder.kill('SIGKILL')
    await once(adder, 'exit')
    process.kill(message.copier, 'SIGKILL')
    while (isAlive({ pid: message.copier, start: '' })) await new Promise((resolve) => setImmediate(resolve))
    const engine = await open()
    const [listed] = (await engine.call('workspaces.list', {})).workspaces
    const workspace = listed?.id as string
    const status = await engine.call('workspace.status', { workspace, check: true })
    expect(['partial', 'complete']).toContain(status.coverage)
    expect((await engine.call('doctor.run', { deep: true })).problems).toEqual([])
    writeFiles(root, { 'd0/e0/f0': 'changed while nothing ran', 'new/file': 'n' })
    const added = await engine.call('workspaces.add', { folder: root, wait: true })
    expect([added.complete, added.covered.files]).toEqual([true, FILES + 1])
    expect(readFileSync(join(root, 'd0/e0/f0'), 'utf8')).toBe('changed while nothing ran')
    const kept = await engine.call('file.cat', { workspace, target: 'now', path: 'd0/e0/f0' })
    expect(Buffer.from(kept.base64, 'base64').toString()).toBe('changed while nothing ran')
    // Compares all that is stored with its hash; how it is restored does not depend on who was killed.
    expect((await engine.call('doctor.run', { deep: true })).problems).toEqual([])
  })
}, 60_000)

/** The one child of a process, found where the system lists it. */
function childOf(pid: number): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number)
  const copier = children.find((child) => {
    const command = readFileSync(`/proc/${child}/cmdline`, 'utf8')
    return command.includes('ingest-child')
  })
  if (!copier) throw new Error('no copier is running')
  return copier
}
