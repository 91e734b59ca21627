/** `driftline events`, followed by a real process while recorders come and go. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { NAMED_EVENTS, type NamedEvent } from '../../../src/contract/events.ts'
import { readEngineFile } from '../../../src/main/host/engine-file.ts'
import { endProcess, endRecorder } from '../../support/end-recorder.ts'
import { type CliProject, createCliProject, waitForExit, waitForOutput } from './cli-project.ts'

let project: CliProject

beforeEach(async () => {
  project = createCliProject(undefined, { DRIFTLINE_RECORDER: '' })
  project.write('a.txt', 'a\n')
  await project.add()
})
afterEach(async () => {
  await endRecorder(project.data)
  project.remove()
})

const pin = (label: string) => project.call(['checkpoint', '-m', label])

const linesOf = (out: Buffer): NamedEvent[] => {
  const events = out.toString('utf8').trimEnd().split('\n')
  return events.map((line) => JSON.parse(line) as NamedEvent)
}

test('[EV-2] a follower continues with the next recorder where it was, and ends with 0 on Ctrl+C', async () => {
  await pin('before')
  const child = project.start(['events', '--follow', '--since', '0', '--json'])
  const ended = waitForExit(child)
  await waitForOutput(child.stdout!, '"before"')
  const first = readEngineFile(project.data)!.pid
  await endProcess(first)
  project.write('b.txt', 'b\n')
  await pin('after')
  await waitForOutput(child.stdout!, '"after"')
  child.kill('SIGINT')
  const { code, out, err } = await ended
  // On Windows a process that is sent a signal just ends; Ctrl+C in a console is none.
  expect([code, err]).toEqual([process.platform === 'win32' ? null : 0, ''])
  const followed = linesOf(out)
  for (const event of followed) expect(NAMED_EVENTS[event.event].parse(event)).toEqual(event)
  expect(followed.map(({ event }) => event)).toEqual(['checkpoint.created', 'drift.found', 'checkpoint.created'])
  expect(linesOf((await project.call(['events', '--json'])).out)).toEqual(followed)
})

test('[EV-2] a follower ends with 0 when its reader closes the pipe', async () => {
  const child = project.start(['events', '--follow', '--since', '0'])
  const ended = waitForExit(child)
  await pin('read')
  await waitForOutput(child.stdout!, 'read')
  child.stdout!.destroy()
  await pin('not read')
  const { code, err } = await ended
  expect([code, err]).toEqual([0, ''])
})

test('a position that is no number is wrong usage, one beyond the log is unknown, and following needs a recorder', async () => {
  project.env.DRIFTLINE_RECORDER = 'off'
  expect((await project.call(['events', '--since', 'x'])).code).toBe(2)
  expect((await project.json<{ error: { code: string } }>(['events', '--since', '9'])).doc.error.code).toBe(
    'UnknownTarget'
  )
  const refused = await project.call(['events', '--follow'])
  expect([refused.code, refused.err]).toEqual([3, expect.stringContaining('nothing to follow')])
})
