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

test("a command's own exit code comes back", async () => {
  expect(await run(process.execPath, '-e', 'process.exit(7)')).toEqual({ exitCode: 7, failure: '' })
})

test.skipIf(process.platform === 'win32')('an end by a signal is 128 and its number', async () => {
  expect((await run(process.execPath, '-e', 'process.kill(process.pid, "SIGTERM")')).exitCode).toBe(143)
})

test('a command that cannot start ends as in a shell, with a sentence', async () => {
  expect(await run('driftline-no-such-program')).toMatchObject({
    exitCode: 127,
    failure: expect.stringContaining('not found')
  })
  expect((await run(process.execPath, 'zero\0byte')).exitCode).toBe(126)
})

test.skipIf(process.platform === 'win32')('a file that is not executable is 126', async () => {
  expect((await run(import.meta.filename)).exitCode).toBe(126)
})

test.skipIf(process.platform === 'win32')(
  'a signal that comes before the start keeps the command from starting',
  async () => {
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
    expect(await shield.run(options)).toEqual({ exitCode: 129, failure: expect.stringContaining('SIGHUP came before') })
    shield.release()
  }
)
