import { expect, test } from 'vitest'
import { raiseShield } from '../../../src/main/cli/child.ts'

async function run(command: string, ...args: string[]) {
  const shield = raiseShield()
  try {
    return await shield.run({ command, args, cwd: process.cwd(), env: process.env, stdoutToStderr: true })
  } finally {
    shield.release()
  }
}

test('[RN-1] the exit code of the command is returned', async () => {
  expect(await run(process.execPath, '-e', 'process.exit(7)')).toEqual({ exitCode: 7, failure: '' })
})

test('a command ended by signal n exits with 128+n', { tags: ['posix'] }, async () => {
  expect((await run(process.execPath, '-e', 'process.kill(process.pid, "SIGTERM")')).exitCode).toBe(143)
})

test('[RN-1] a command that cannot start has the exit code of a shell and a message', async () => {
  expect(await run('driftline-no-such-program')).toMatchObject({
    exitCode: 127,
    failure: expect.stringContaining('not found')
  })
  expect((await run(process.execPath, 'zero\0byte')).exitCode).toBe(126)
})

test('[RN-1] a file that is not executable exits with 126', { tags: ['posix'] }, async () => {
  expect((await run(import.meta.filename)).exitCode).toBe(126)
})

test('a signal before the start prevents the command from starting', { tags: ['posix'] }, async () => {
  const shield = raiseShield()
  const arrived = new Promise((resolve) => process.once('SIGHUP', resolve))
  process.kill(process.pid, 'SIGHUP')
  await arrived
  const options = {
    command: process.execPath,
    args: ['-e', 'process.exit(3)'],
    cwd: '/',
    env: {},
    stdoutToStderr: true
  }
  expect(await shield.run(options)).toEqual({
    exitCode: 129,
    failure: expect.stringContaining('SIGHUP arrived before')
  })
  shield.release()
})
