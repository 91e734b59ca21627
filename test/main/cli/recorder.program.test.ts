/** The recorder in the background, as commands and hooks start it: real processes, killed and stopped at bad moments. */
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { RecorderEnd } from '../../../src/contract/recorder.ts'
import { PATIENCE, type Patience } from '../../../src/main/cli/open-client.ts'
import { isAlive } from '../../../src/main/engine/ports/processes.ts'
import { PROJECT } from '../../support/agent-replay.ts'
import { endProcess, endRecorder } from '../../support/end-recorder.ts'
import { serveProcess } from '../../support/host.ts'
import { CLI, HOOK } from '../../support/programs.ts'
import { scenario } from '../../support/scenario.ts'
import { type CliProject, createCliProject, waitForExit } from './cli-project.ts'

interface Recorder {
  running: boolean
  answers: boolean
  pid: number
  version: string
  since: number
  why: string
  lastEnd: RecorderEnd | null
}

/** Of a command whose recorder is known to be stopped. */
const IMPATIENT: Patience = { accept: 300, answer: 200, aliveInterval: 200, alive: 1000 }

let project: CliProject
/** Processes that a failed test may leave behind. */
const pids = new Set<number>()

beforeEach(async () => {
  project = createCliProject(undefined, { DRIFTLINE_RECORDER: '' })
  for (const [path, content] of Object.entries(PROJECT)) project.write(path, content)
})
afterEach(async () => {
  for (const pid of pids) await endProcess(pid)
  pids.clear()
  await endRecorder(project.data)
  project.remove()
})

async function recorder(patience = PATIENCE): Promise<Recorder> {
  const { doc } = await project.json<Recorder>(['recorder'], undefined, patience)
  if (doc.running) pids.add(doc.pid)
  return doc
}
const hasEnded = (pid: number) => expect.poll(() => isAlive({ pid, start: '' })).toBe(false)

/** A folder that is recorded, and the process of its recorder. */
async function startedRecorder(): Promise<number> {
  await project.add()
  const { code, doc } = await project.json<Recorder>(['recorder', 'start'])
  expect(code).toBe(0)
  pids.add(doc.pid)
  return doc.pid
}

/** Changes a file of the data folder that holds an object. */
function change(name: string, values: object): void {
  const file = join(project.data, name)
  writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), ...values }), { mode: 0o600 })
}

test('a command beside a recorder loads nothing that starts processes', async () => {
  await startedRecorder()
  const list = join(project.data, 'list.cjs')
  writeFileSync(list, "process.on('exit', () => require('fs').writeSync(2, process.moduleLoadList.join(', ')))")
  const { root, env } = project
  const { stderr } = spawnSync(process.execPath, ['--require', list, CLI, 'status'], {
    cwd: root,
    env,
    encoding: 'utf8'
  })
  const loaded = new Set(stderr.split(', '))
  expect(loaded).toContain('NativeModule net')
  expect(loaded).not.toContain('NativeModule child_process')
})

async function outsideFiles(): Promise<string[]> {
  const { doc } = await project.json<{ drift: { paths: string[] }[] }>(['drift'])
  return doc.drift.flatMap(({ paths }) => paths).toSorted()
}

interface Run {
  readonly title?: string
  readonly state?: string
}
const runs = async () => (await project.json<{ entries: readonly Run[] }>(['log', '--kind', 'run'])).doc.entries

async function callHook(event: object): Promise<{ code: number | null; out: string; err: string }> {
  const child = spawn(process.execPath, [HOOK, 'hook', 'claude-code', 'UserPromptSubmit'], {
    cwd: project.root,
    env: project.env,
    stdio: 'pipe'
  })
  const end = waitForExit(child)
  child.stdin.end(JSON.stringify(event))
  const { code, out, err } = await end
  return { code, out: out.toString('utf8'), err }
}

/** An agent's prompt in the folder. */
const prompt = (session: string) => ({
  session_id: session,
  cwd: project.root,
  hook_event_name: 'UserPromptSubmit',
  prompt: 'add tax'
})

describe('starting', () => {
  test('[RC-1] commands that start at the same moment share one recorder', async () => {
    await project.add()
    const answers = await Promise.all(['status', 'log'].map((name) => project.call([name])))
    expect(answers.map(({ code }) => code)).toEqual([0, 0])
    const { pid } = await recorder()
    const log = readFileSync(join(project.data, 'logs/recorder.log'), 'utf8')
    expect(log.match(/recorder .* started \(background/g)).toHaveLength(1)
    expect(log).toContain(`process ${pid})`)
  })

  test('[RC-1] [GW-1] a hook starts it, prints nothing, and its run is recorded', async () => {
    await project.add()
    expect(await callHook(prompt('s1'))).toEqual({ code: 0, out: '', err: '' })
    // It may still be starting: the hook does not wait for it longer than the agent would.
    await expect.poll(async () => (await recorder()).running).toBe(true)
    await expect
      .poll(async () => (await project.json<{ entries: { title?: string }[] }>(['log'])).doc.entries)
      .toContainEqual(expect.objectContaining({ title: 'add tax' }))
  })

  test('[RC-1] the one that the launcher has started is waited for; if it has ended, the command starts another', async () => {
    await project.add()
    const shown = 'echo "<$DRIFTLINE_STARTED_RECORDER>"'
    for (const gone of [spawnSync('true').pid, 2 ** 22]) {
      const env = { ...project.env, DRIFTLINE_STARTED_RECORDER: `${gone} ${project.data}` }
      const { status, stdout } = spawnSync(process.execPath, [CLI, 'run', '--', 'sh', '-c', shown], {
        cwd: project.root,
        env,
        encoding: 'utf8'
      })
      expect([status, stdout.trim()]).toEqual([0, '<>'])
      expect(await recorder()).toMatchObject({ running: true, answers: true })
      await project.json(['recorder', 'stop'])
    }
  })

  test('[RC-1] DRIFTLINE_RECORDER=off: a command is the recorder while it runs, and the next one waits for its turn', async () => {
    project.env.DRIFTLINE_RECORDER = 'off'
    await project.add()
    const codes = await Promise.all(['a', 'b'].map((label) => project.callProcess(['checkpoint', '-m', label])))
    expect(codes.map(({ code }) => code)).toEqual([0, 0])
    expect((await project.call(['status'])).out.toString('utf8')).toContain('runs and commands only')
    expect((await recorder()).running).toBe(false)
    expect((await project.call(['recorder', 'start'])).code).toBe(3)
  })

  test('[RC-1] without a history that can be opened, the error is that of the history', async () => {
    await project.add()
    writeFileSync(join(project.data, 'app.db'), 'not a database')
    const { code, err } = await project.call(['status'])
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining('is damaged') })
  })
})

scenario('[RC-1] [RC-2] [RC-3] [GW-1] [ST-6] there is always a recorder, and never two', {
  '[RC-1] after a plain `add` the folder is recorded live': async () => {
    await project.call(['add'])
    const { running, why, lastEnd } = await recorder()
    expect({ running, why, lastEnd }).toEqual({
      running: true,
      why: 'The recorder runs in the background.',
      lastEnd: null
    })
    await expect
      .poll(async () => (await project.call(['status'])).out.toString('utf8'))
      .toContain('watching the folder')
    project.write('src/added-later.ts', 'export {}\n')
    await expect.poll(outsideFiles).toEqual(['src/added-later.ts'])
  },
  '[GW-1] what hooks spooled while it was busy is recorded without another event': async () => {
    const { pid } = await recorder()
    const activeRuns = async () => (await project.json<{ activeRuns: object[] }>(['status'])).doc.activeRuns
    project.spool(prompt('s4'))
    await expect.poll(async () => (await runs())[0]).toMatchObject({ title: 'add tax', state: 'live' })
    expect(await activeRuns()).toHaveLength(1)
    project.spool({ session_id: 's4', cwd: project.root, hook_event_name: 'Stop' })
    expect(await activeRuns()).toEqual([])
    expect(await runs()).toEqual([expect.objectContaining({ title: 'add tax', state: 'ended' })])
    expect((await recorder()).pid).toBe(pid)
  },
  '[RC-2] `recorder stop` ends it; the next command starts another and nothing is missed': async () => {
    const { pid } = await recorder()
    const stopped = await project.json<Recorder>(['recorder', 'stop'])
    expect(stopped.doc).toMatchObject({ running: false, lastEnd: { why: 'stopped' } })
    await hasEnded(pid)
    project.write('stopped.txt', 'written without a recorder\n')
    await expect.poll(outsideFiles).toContain('stopped.txt')
    expect((await recorder()).pid).not.toBe(pid)
  },
  '[RC-2] one that was killed is replaced, named as such, and what changed meanwhile is found': async () => {
    const { pid } = await recorder()
    await endProcess(pid)
    project.write('killed.txt', 'written without a recorder\n')
    await expect.poll(outsideFiles).toContain('killed.txt')
    expect(await recorder()).toMatchObject({ running: true, lastEnd: { why: 'unexpected' } })
  },
  '[ST-6] one that was killed and whose list of folders was deleted: the next hook is recorded in the same history':
    async () => {
      const before = await runs()
      const { pid } = await recorder()
      await endProcess(pid)
      // Its log stays: a cleaner may leave it.
      rmSync(join(project.data, 'app.db'))
      expect(await callHook(prompt('s1'))).toEqual({ code: 0, out: '', err: '' })
      await recorder()
      await expect.poll(async () => (await runs()).length).toBe(before.length + 1)
      const status = (await project.call(['status'])).out.toString('utf8')
      expect(status).toContain('was lost and made again: 1 recorded folder. No history is lost.')
      const { code, doc } = await project.json(['doctor', '--quick'])
      expect({ code, doc }).toMatchObject({ code: 1, doc: { problems: [{ code: 'RebuiltList' }] } })
      expect((await project.call(['folders', '--confirm'])).out.toString('utf8')).not.toContain('was lost')
      expect((await project.call(['doctor', '--quick'])).code).toBe(0)
    },
  '[RC-3] one that is older than the command is replaced': async () => {
    const { pid } = await recorder()
    change('engine.json', { version: '0.0.9' })
    expect((await project.call(['status'])).code).toBe(0)
    await hasEnded(pid)
    expect(await recorder()).toMatchObject({ running: true, lastEnd: { why: 'replaced' } })
  },
  '[RC-3] the app takes its place, and when it ends a command starts another': async () => {
    const { pid } = await recorder()
    const served = await serveProcess(project.data, [], { DRIFTLINE_RECORDER: '' })
    await hasEnded(pid)
    expect(await recorder()).toMatchObject({
      pid: served.process.pid,
      why: '`driftline serve` is the recorder.',
      lastEnd: { why: 'taken-over' }
    })
    await served.stop()
    await project.call(['status'])
    expect(await recorder()).toMatchObject({ running: true, why: 'The recorder runs in the background.' })
  }
})

describe('one that does not answer', { tags: ['posix'] }, () => {
  scenario('[RC-2] [RC-3] is waited for a few seconds only, nothing is opened beside it, and nothing is lost', {
    '[RC-3] stopped by a signal: commands fail within seconds, hooks do not notice, and it continues': async () => {
      const pid = await startedRecorder()
      change('engine.json', { startedAt: 1 })
      process.kill(pid, 'SIGSTOP')
      project.write('a.txt', 'written beside a stopped recorder\n')
      const [drift, status] = await Promise.all([project.json(['drift'], undefined, IMPATIENT), recorder(IMPATIENT)])
      expect(drift).toMatchObject({ code: 1, doc: { error: { code: 'NoAnswer' } } })
      expect(status).toMatchObject({ running: true, answers: false, pid })
      expect(await callHook(prompt('s2'))).toMatchObject({ code: 0, out: '', err: '' })
      process.kill(pid, 'SIGCONT')
      await expect.poll(runs).toEqual([expect.objectContaining({ title: 'add tax' })])
      // The run may have taken it over into its baseline: the events of the folder and of the agent come in any order.
      await expect
        .poll(async () => (await project.json<{ versions: object[] }>(['history', 'a.txt'])).doc.versions[0])
        .toMatchObject({ origin: 'outside' })
      expect((await recorder()).pid).toBe(pid)
    },
    '[RC-3] stopped in the middle of a call: the command fails within seconds': async () => {
      const { pid } = await recorder()
      // As one that has just started, it may take longer than these commands wait for an old one.
      change('engine.json', { startedAt: Date.now() })
      const waits =
        "fs.writeFileSync('begun', ''); const t = setInterval(() => fs.existsSync('go') && clearInterval(t), 10)"
      const end = project.json(['run', '--', process.execPath, '-e', waits], undefined, IMPATIENT)
      await expect.poll(() => existsSync(join(project.root, 'begun'))).toBe(true)
      process.kill(pid, 'SIGSTOP')
      project.write('go', '')
      expect(await end).toMatchObject({ code: 0, doc: { error: { code: 'NoAnswer' } } })
    },
    '[RC-3] `recorder stop` ends it, and the next one misses nothing': async () => {
      const { pid } = await recorder(IMPATIENT)
      project.spool({ ...prompt('s3'), prompt: 'remove tax' })
      expect(await project.json(['recorder', 'stop'], undefined, IMPATIENT)).toMatchObject({
        code: 0,
        doc: { running: false, lastEnd: { why: 'stopped' } }
      })
      await hasEnded(pid)
      await expect.poll(runs).toContainEqual(expect.objectContaining({ title: 'remove tax' }))
    },
    // On Windows nobody deletes files that a recorder has open.
    '[RC-2] its successor ends when its data folder is deleted': async () => {
      const { pid } = await recorder()
      rmSync(project.data, { recursive: true, force: true, maxRetries: 5 })
      await hasEnded(pid)
      expect(existsSync(project.data) ? readdirSync(project.data, { recursive: true }) : []).toEqual([])
    }
  })
})

test('[RC-3] a command gives up within seconds', () => {
  const { accept, answer, aliveInterval, alive } = PATIENCE
  expect([accept + answer, aliveInterval + alive]).toEqual([2300, 10_000])
})
