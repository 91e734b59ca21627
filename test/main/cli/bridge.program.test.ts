/** `driftline bridge` between real processes: killed, read slowly, and while its recorder is replaced. */
import type { ChildProcessWithoutNullStreams } from 'node:child_process'
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { Duplex } from 'node:stream'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Client } from '../../../src/contract/api.ts'
import { createEventOrder } from '../../../src/contract/event-order.ts'
import { createClient, type EventFrame } from '../../../src/contract/wire.ts'
import { isAlive } from '../../../src/main/engine/ports/processes.ts'
import { readEngineFile } from '../../../src/main/host/engine-file.ts'
import { socketChannel } from '../../../src/main/host/socket-channel.ts'
import { endProcess, endRecorder } from '../../support/end-recorder.ts'
import { CLI } from '../../support/programs.ts'
import { LONG } from '../../support/scale.ts'
import { type CallResult, type CliProject, createCliProject, waitForExit } from './cli-project.ts'

/** How many bridges are killed one after another. */
const KILLED = LONG ? 12 : 4
/** In the content of one of two answers: together they are more than the bridge may keep. */
const ANSWER_BYTES = LONG ? 24_000_000 : 10_000_000

let project: CliProject
const bridges: ChildProcessWithoutNullStreams[] = []

beforeEach(() => {
  project = createCliProject(undefined, { DRIFTLINE_RECORDER: '' })
  project.write('a.txt', 'a\n')
})
afterEach(async () => {
  for (const bridge of bridges.splice(0)) if (bridge.pid !== undefined) await endProcess(bridge.pid)
  await endRecorder(project.data)
  project.remove()
})

function startBridge(): ChildProcessWithoutNullStreams {
  const bridge = spawn(process.execPath, [CLI, 'bridge'], { cwd: project.root, env: project.env, stdio: 'pipe' })
  // EPIPE, once it was killed.
  bridge.stdin.on('error', () => {})
  bridges.push(bridge)
  return bridge
}

const frame = (id: number, method: string, params: object): string => `${JSON.stringify({ id, method, params })}\n`

/** A bridge that answers calls, with how it ends. */
async function talkingBridge() {
  const child = startBridge()
  const ended = waitForExit(child)
  const answers = new Map<number, (frame: { result: unknown }) => void>()
  createInterface({ input: child.stdout }).on('line', (line) => {
    const answer = JSON.parse(line) as { id?: number; result: unknown }
    answers.get(answer.id ?? 0)?.(answer)
  })
  let last = 0
  const call = async <T>(method: string, params: object): Promise<T> => {
    const id = ++last
    const answered = new Promise<{ result: unknown }>((resolve) => answers.set(id, resolve))
    child.stdin.write(frame(id, method, params))
    return (await answered).result as T
  }
  const info = await call<{ pid: number; dataDir: string }>('app.info', {})
  return { child, ended, call, info }
}

const outcome = ({ code, signal, err }: CallResult) => ({ code, signal, err })

test('[RH-8] it starts the recorder, carries its frames and nothing else, and ends with its caller', async () => {
  const child = startBridge()
  const ended = waitForExit(child)
  child.stdin.write(frame(7, 'app.info', {}))
  const [line] = (await new Promise<Buffer>((resolve) => child.stdout.once('data', resolve))).toString().split('\n')
  const pid = readEngineFile(project.data)!.pid
  expect(JSON.parse(line!)).toMatchObject({ id: 7, result: { dataDir: project.data, pid } })
  child.stdin.end()
  expect(await ended).toMatchObject({ code: 0, err: '', out: Buffer.from(`${line}\n`) })
  // A reader that goes away is a caller that ended.
  const second = startBridge()
  const gone = waitForExit(second)
  second.stdout.destroy()
  second.stdin.write(frame(1, 'app.info', {}))
  expect(outcome(await gone)).toEqual({ code: 0, signal: null, err: '' })
  expect(isAlive({ pid, start: '' })).toBe(true)
})

test('[RH-8] what answers in megabytes arrives whole at a reader that pauses, and the bridge keeps little of it', {
  tags: ['linux']
}, async () => {
  const content = randomBytes(ANSWER_BYTES)
  project.write('large.bin', content)
  await project.add()
  const { workspace } = (await project.json<{ workspace: { id: string } }>(['status'])).doc
  const child = startBridge()
  const calls = [1, 2].map((id) =>
    frame(id, 'file.cat', { workspace: workspace.id, target: 'seq:0', path: 'large.bin' })
  )
  child.stdin.write(calls.join(''))
  child.stdout.pause()
  // The first bytes have come; those of the recorder's answers that nobody reads wait there.
  await new Promise((resolve) => child.stdout.once('readable', resolve))
  const lines = createInterface({ input: child.stdout })
  let read = 0
  for await (const line of lines) {
    const { result } = JSON.parse(line) as { result?: { base64: string } }
    if (result === undefined) continue
    expect(Buffer.from(result.base64, 'base64').equals(content)).toBe(true)
    if (++read === 2) break
  }
  const peak = Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1])
  expect(peak).toBeLessThan(LONG ? 160_000 : 90_000)
})

test('[RH-8] a bridge that is killed in the middle of a call leaves the call and the recorder alone', async () => {
  await project.add()
  const { child, call, info } = await talkingBridge()
  const { workspace } = await call<{ workspace: { id: string } }>('workspaces.find', { folder: project.root })
  child.stdin.write(frame(99, 'checkpoint.create', { workspace: workspace.id, label: 'sent before the kill' }))
  // The answer to a later call proves that the recorder has the earlier one.
  await call('app.info', {})
  child.kill('SIGKILL')
  const labels = async () =>
    (await project.json<{ checkpoints: { label: string }[] }>(['checkpoints'])).doc.checkpoints.map(
      ({ label }) => label
    )
  await expect.poll(labels).toContain('sent before the kill')
  expect(readEngineFile(project.data)!.pid).toBe(info.pid)
})

test('[RH-8] when the recorder ends or is killed, it ends with an error, and the next one finds the next recorder', async () => {
  const first = await talkingBridge()
  expect((await project.call(['recorder', 'stop'])).code).toBe(0)
  const lost = { code: 1, signal: null, err: expect.stringContaining('The recorder ended') }
  expect(outcome(await first.ended)).toEqual(lost)
  const second = await talkingBridge()
  expect(second.info.pid).not.toBe(first.info.pid)
  process.kill(second.info.pid, 'SIGKILL')
  expect(outcome(await second.ended)).toEqual(lost)
  expect((await talkingBridge()).info.dataDir).toBe(project.data)
})

test('[RH-8] where no recorder may be started it says so on stderr, with exit code 3', async () => {
  project.env.DRIFTLINE_RECORDER = 'off'
  const { code, out, err } = await waitForExit(startBridge())
  expect({ code, out: out.toString(), err }).toEqual({
    code: 3,
    out: '',
    err: expect.stringContaining('DRIFTLINE_RECORDER=off')
  })
})

/** A client of a bridge; `receive` gets its events. */
function bridgeClient(receive: (frame: EventFrame) => void) {
  const child = startBridge()
  const channel = socketChannel(Duplex.from({ readable: child.stdout, writable: child.stdin }))
  return { child, client: createClient(channel, { onEvent: receive }) }
}

test('[WR-4] bridges that are killed at any moment: each event of the recorder arrives once, in order', async () => {
  await project.add()
  const all: number[] = []
  const numberOf = ({ n }: EventFrame): number[] => (n === undefined ? [] : [n])
  const watching = bridgeClient((frame) => all.push(...numberOf(frame)))
  const { workspace } = await watching.client.call('workspaces.find', { folder: project.root })
  const arrived: number[] = []
  const order = createEventOrder((frame) => arrived.push(...numberOf(frame)))
  const connect = async () => {
    const { child, client } = bridgeClient(order.receive)
    const last = order.position()
    if (last) order.hold()
    if (last) expect(order.resume(await client.call('app.resume', last))).toBe(true)
    return { child, client }
  }
  const pin = (client: Client) => client.call('checkpoint.create', { workspace: workspace.id, label: '' })
  for (let n = 0; n < KILLED; n++) {
    const { child, client } = await connect()
    const calls = Array.from({ length: 1 + (n % 4) }, () => pin(client))
    // The first one is answered; the others are cut off somewhere between here and there.
    await calls[0]
    child.kill('SIGKILL')
    await Promise.allSettled(calls)
  }
  await pin((await connect()).client)
  await expect.poll(() => arrived.length > KILLED && arrived.at(-1) === all.at(-1)).toBe(true)
  expect(arrived).toEqual(all.slice(-arrived.length))
  expect(all).toEqual(all.map((_, index) => (all[0] ?? 0) + index))
})
