import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { CLI } from '../../support/programs.ts'
import { LONG } from '../../support/scale.ts'
import { type CliProject, createCliProject, waitForExit, waitForOutput } from './cli-project.ts'

interface RunDoc {
  run: string
  exitCode: number
  joined?: boolean
  files: { path: string }[]
  activeRuns: { run: string }[]
  interruptedRuns: { run: string }[]
  entries: { id: string; state: string; title: string; exitCode: number | null }[]
}

let project: CliProject
const node = process.execPath

beforeAll(async () => {
  project = createCliProject()
  project.write('a.txt', 'a\n')
  await project.add()
})
afterAll(() => project.remove())

const newest = async () => (await project.json<RunDoc>(['log', '--kind', 'run', '--limit', '1'])).doc.entries[0]!

test('stdout and the exit code belong to the command; messages go to stderr, and the run is closed with it', async () => {
  const script = 'process.stdout.write("exactly this"); process.exitCode = 9'
  const called = await project.callProcess(['run', '--', node, '-e', script])
  expect([called.code, called.out.toString()]).toEqual([9, 'exactly this'])
  expect(called.err).toContain('driftline: recorded run_')
  expect(await newest()).toMatchObject({ state: 'ended', exitCode: 9 })
})

test('[RN-2] a run without hooks says that every change in its time is its own, and so does the plan that undoes it', async () => {
  const script = "require('node:fs').writeFileSync('made.txt', 'x')"
  const called = await project.call(['run', '--', node, '-e', script])
  expect(called.err).toContain('every change in the folder during it counts as its own')
  const recorded = await newest()
  expect(recorded).toMatchObject({ attributed: 'all-changes' })
  expect((await project.json<{ warnings: string[] }>(['show', recorded.id])).doc.warnings.join()).toContain(
    'every change'
  )
  const plan = await project.call(['undo-run', recorded.id, '--dry-run'])
  expect(plan.out.toString()).toContain('changes of other programs during it count as its own')
  expect((await project.call(['run', '--', node, '-e', '0'])).err).not.toContain('every change')
})

test('[GW-4] a run beside another names the changes of either and offers no undo of them', async () => {
  const write = "require('node:fs').writeFileSync('either.txt', 'x')"
  const inner = `delete process.env.DRIFTLINE_RUN; require('node:child_process').spawnSync(process.execPath,
    ${JSON.stringify([CLI, 'run', '--', node, '-e', write])}, { stdio: 'inherit' })`
  const { err } = await project.callProcess(['run', '--', node, '-e', inner])
  expect(err.match(/driftline: recorded run_\w+: 1 file changed, \+1 -0\.\n/g)).toHaveLength(2)
  const unknown = 'Changed while several runs were active, so it is not known by which: either.txt.'
  expect(err.split(unknown)).toHaveLength(3)
  expect(err).not.toMatch(/undo-run|counts as its own/)
})

test('a command that cannot start exits with 127 or 126 and its run is closed', async () => {
  const missing = await project.json<RunDoc>(['run', '--', 'driftline-no-such-program'])
  expect([missing.code, missing.doc.exitCode]).toEqual([127, 127])
  expect(await newest()).toMatchObject({ id: missing.doc.run, state: 'ended', title: 'driftline-no-such-program' })
  expect((await project.call(['run', '--', join(project.root, 'a.txt')])).code).toBe(126)
})

test('without a recorded folder the command is not started', async () => {
  const ran = join(project.root, '../ran')
  const script = `require('node:fs').writeFileSync(${JSON.stringify(ran)}, '')`
  expect((await project.call(['run', '--', node, '-e', script], '/')).code).toBe(5)
  expect(existsSync(ran)).toBe(false)
})

test('a nested run joins the outer run', async () => {
  const inner = [node, CLI, 'run', '--json', '--', node, '-e', "require('node:fs').writeFileSync('in.txt', 'x')"]
  const outer = await project.callProcess(['run', '--', ...inner])
  const innerDoc = JSON.parse(outer.out.toString()) as RunDoc
  const entry = await newest()
  expect(innerDoc).toMatchObject({ run: entry.id, joined: true, exitCode: 0 })
  expect((await project.json<RunDoc>(['diff', entry.id])).doc.files.map((file) => file.path)).toEqual(['in.txt'])
})

// On Windows a process that is sent a signal just ends.
test.each(LONG ? (['SIGTERM', 'SIGHUP', 'SIGINT'] as const) : (['SIGINT'] as const))(
  '%s reaches the command, and the run is closed',
  {
    tags: ['posix']
  },
  async (signal) => {
    const script = `process.on(${JSON.stringify(signal)}, () => { require('node:fs').writeFileSync('last-${signal}', 'x'); process.exit(5) }); console.log('ready'); setInterval(() => {}, 1000)`
    const child = project.start(['run', '--', node, '-e', script])
    const end = waitForExit(child)
    await waitForOutput(child.stdout!, 'ready')
    child.kill(signal)
    expect((await end).code).toBe(5)
    const entry = await newest()
    expect(entry).toMatchObject({ state: 'ended', exitCode: 5 })
    expect((await project.json<RunDoc>(['diff', entry.id])).doc.files.map((file) => file.path)).toEqual([
      `last-${signal}`
    ])
  }
)

test('a command ended by signal n exits with 128+n', { tags: ['posix'] }, async () => {
  expect((await project.call(['run', '--', node, '-e', 'process.kill(process.pid, "SIGKILL")'])).code).toBe(137)
})

test('[RS-8] restore is refused while a run is live, and works right after', async () => {
  const wait =
    "const fs = require('node:fs'); fs.writeFileSync('a.txt', 'live'); console.log(process.pid); setInterval(() => {}, 1000)"
  const child = project.start(['run', '--', node, '-e', wait])
  const end = waitForExit(child)
  const pid = Number(await waitForOutput(child.stdout!, '\n'))
  const refused = await project.json<{ state: string; error: { code: string } }>(['restore', 'latest', '--yes'])
  expect([refused.code, refused.doc.state, refused.doc.error.code]).toEqual([3, 'refused', 'RunIsLive'])
  expect((await project.json(['restore', 'latest', '--dry-run'])).code).toBe(0)
  process.kill(pid, 'SIGTERM')
  expect((await end).code).toBe(process.platform === 'win32' ? 1 : 143)
  expect((await project.json<{ state: string }>(['restore', 'latest', '--yes'])).doc.state).toBe('done')
  expect(project.read('a.txt')).toBe('a\n')
})

test('[RS-22] --when-turn-ends writes when the run ends; until then it is listed, and can be cancelled', async () => {
  const wait =
    "require('node:fs').writeFileSync('a.txt', 'live'); console.log(process.pid); setInterval(() => {}, 1000)"
  const child = project.start(['run', '--', node, '-e', wait])
  const end = waitForExit(child)
  const pid = Number(await waitForOutput(child.stdout!, '\n'))
  const queue = ['restore', 'latest', '--yes', '--when-turn-ends']
  const { queued: first } = (await project.json<{ queued: { id: string } }>(queue)).doc
  expect((await project.call(['queued', 'cancel', first.id])).code).toBe(0)
  const { queued } = (await project.json<{ queued: { id: string } }>(queue)).doc
  for (const command of ['queued', 'status']) {
    const { out } = await project.call([command])
    expect(out.toString()).toMatch(new RegExp(`^${queued.id}  Restore to .* waits until no run is live\\.$`, 'm'))
  }
  expect(project.read('a.txt')).toBe('live')
  process.kill(pid, 'SIGTERM')
  await end
  expect((await project.call(['queued'])).out.toString()).toBe('No restore is waiting.\n')
  expect(project.read('a.txt')).toBe('a\n')
})

test('[RS-8] a recorder that was killed does not block a restore', async () => {
  const wait =
    "require('node:fs').writeFileSync('a.txt', 'half'); console.log(process.pid); setInterval(() => {}, 1000)"
  const child = project.start(['run', '--', node, '-e', wait])
  const end = waitForExit(child)
  const pid = Number(await waitForOutput(child.stdout!, '\n'))
  child.kill('SIGKILL')
  process.kill(pid, 'SIGKILL')
  await end
  expect((await project.json<{ state: string }>(['restore', 'latest', '--yes'])).doc.state).toBe('done')
  expect(project.read('a.txt')).toBe('a\n')
})

test('[GW-3] a run whose recorder was killed shows as interrupted with its edits', async () => {
  const script = "require('node:fs').writeFileSync('orphan.txt', 'x'); console.log(process.pid)"
  const child = project.start(['run', '--', node, '-e', `${script}; setInterval(() => {}, 1000)`])
  const end = waitForExit(child)
  const pid = Number(await waitForOutput(child.stdout!, '\n'))
  const live = (await project.json<RunDoc>(['status'])).doc.activeRuns
  expect(live).toHaveLength(1)
  child.kill('SIGKILL')
  process.kill(pid, 'SIGKILL')
  await end
  const { doc } = await project.json<RunDoc>(['status'])
  expect(doc.activeRuns).toEqual([])
  expect(doc.interruptedRuns.map((interruptedRun) => interruptedRun.run)).toContain(live[0]!.run)
  expect((await project.call(['cat', `${live[0]!.run}:end`, 'orphan.txt'])).out.toString()).toBe('x')
})
