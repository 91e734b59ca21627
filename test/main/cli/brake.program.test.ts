/** `driftline run` and its brake, with the real programs: a recorder that is killed, Ctrl+C, and the command line. */
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { readFamily } from '../../../src/main/engine/ports/process-table.ts'
import { readEngineFile } from '../../../src/main/host/engine-file.ts'
import { endProcess, endRecorder } from '../../support/end-recorder.ts'
import { type CliProject, createCliProject, waitForExit, waitForOutput } from './cli-project.ts'

interface Doc {
  readonly stopped: readonly { readonly run: string; readonly deleted: number; readonly pids: readonly number[] }[]
  readonly state: string
  readonly watcher: { readonly state: string }
}

const FILES = 60
let project: CliProject
/** Processes of the test, whatever becomes of those that started them. */
const started: number[] = []

beforeAll(() => {
  project = createCliProject(undefined, { DRIFTLINE_RECORDER: '' })
})
afterAll(async () => {
  await endRecorder(project.data)
  project.remove()
})
/** What a test before deleted is back. */
beforeEach(async () => {
  for (let n = 0; n < FILES; n++) project.write(`src/f${n}.txt`, `${n}\n`)
  await project.call(['add'])
})
afterEach(async () => {
  for (const pid of started.splice(0)) await endProcess(pid)
  for (const { run } of await stopped()) await project.call(['brake', 'end', run])
})

const stopped = async () => (await project.json<Doc>(['brake'])).doc.stopped
const filesLeft = () => readdirSync(join(project.root, 'src'))
/** Of all that `driftline run` started, not its own. */
const statesBelow = ({ pid = 0 }: ChildProcess) =>
  [...(readFamily(pid)?.values() ?? [])].filter((row) => row.pid !== pid).map(({ state }) => state)

/** A run that deletes all files but ten, and then waits for two processes, one in a session of its own. */
async function frozenRun() {
  // Another recorder after a kill.
  await expect.poll(async () => (await project.json<Doc>(['status'])).doc.watcher.state).toBe('live')
  const command = 'for f in src/f??.txt; do rm "$f"; done; setsid sleep 1000 & sleep 1000'
  const child = project.start(['run', '--', 'sh', '-c', command])
  const said = await waitForOutput(child.stderr as NodeJS.ReadableStream, 'Ctrl+C ends it')
  await expect.poll(async () => (await stopped())[0]?.pids.length).toBeGreaterThan(0)
  started.push(...(readFamily(child.pid ?? 0)?.keys() ?? []))
  // One that waits for a core when it gets the signal stops there.
  await expect.poll(() => [...new Set(statesBelow(child))]).toEqual(['T'])
  return { child, said, id: (await stopped())[0]?.run ?? '', ended: waitForExit(child) }
}

describe('[BR-4] a frozen run', { tags: ['linux'] }, () => {
  test('is said where it runs and listed; after a restore the files are back and it continues', async () => {
    const { child, said, id } = await frozenRun()
    expect(said).toMatch(/Stopped: “sh -c .*” deleted 50 files in src\/\. `driftline brake restore run_/)
    const listed = (await project.call(['brake'])).out.toString()
    expect(listed).toMatch(
      /^Stopped .* deleted 50 files in src\/, .* It is frozen until you decide\.\n {2}driftline brake restore run_/
    )
    expect((await project.call(['status'])).out.toString()).toContain(`driftline brake release ${id}`)
    expect((await project.json<Doc>(['brake', 'restore', id])).doc.state).toBe('done')
    expect(filesLeft()).toHaveLength(FILES)
    for (const name of filesLeft()) expect(project.read(`src/${name}`)).toBe(`${name.slice(1, -4)}\n`)
    await expect.poll(() => statesBelow(child).includes('T')).toBe(false)
    expect(await stopped()).toEqual([])
    expect((await project.call(['brake', 'restore', id])).code).toBe(5)
  })

  test('continues when the recorder is killed, and the next recorder still asks', async () => {
    const { child, id } = await frozenRun()
    process.kill(readEngineFile(project.data)!.pid, 'SIGKILL')
    await expect.poll(() => statesBelow(child).includes('T')).toBe(false)
    expect(statesBelow(child).length).toBeGreaterThan(0)
    expect(await stopped()).toMatchObject([{ run: id, deleted: 50, pids: [] }])
    expect((await project.call(['brake', 'release', id])).code).toBe(0)
    expect(await stopped()).toEqual([])
  })

  test('ends with the signal that `driftline run` gets, and is over', async () => {
    const { child, ended } = await frozenRun()
    child.kill('SIGINT')
    expect((await ended).code).toBeGreaterThan(128)
    expect(await stopped()).toEqual([])
    expect(filesLeft()).toHaveLength(FILES - 50)
  })

  test('whose process is killed does not stay in the list as frozen', async () => {
    const { child, id } = await frozenRun()
    const exit = once(child, 'exit')
    child.kill('SIGKILL')
    await exit
    await expect.poll(async () => (await stopped())[0]?.pids).toEqual([])
    expect((await project.call(['brake', 'restore', id])).code).toBe(0)
    expect(filesLeft()).toHaveLength(FILES)
  })
})

test('[BR-6] a run that is not stopped has no decision, and a wrong word is refused', async () => {
  expect((await project.call(['brake'])).out.toString()).toBe('No run is stopped.\n')
  expect((await project.call(['brake', 'release', 'run_none'])).code).toBe(5)
  expect((await project.call(['brake', 'release'])).code).toBe(2)
  expect((await project.call(['brake', 'halt', 'run_none'])).code).toBe(2)
  expect((await project.call(['brake', 'release', 'run_none', '--dry-run'])).code).toBe(2)
})
