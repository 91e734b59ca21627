import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openShell, type Shell } from '../../../../src/main/engine/files/shell.ts'

const LIMIT = 10_000
/** The process of a shell. */
const pidOf = async (shell: Shell): Promise<number> => Number(await shell.run(['sh', '-c', 'echo $PPID'], LIMIT))

describe('[RS-4] a shell that syncs disks', { tags: ['posix'] }, () => {
  test('is kept for the next caller, and is that of one caller at a time', async () => {
    const pids: number[] = []
    {
      using one = openShell()
      using other = openShell()
      pids.push(await pidOf(one), await pidOf(other))
    }
    expect(new Set(pids).size).toBe(2)
    using next = openShell()
    expect(pids).toContain(await pidOf(next))
  })

  test('does what it was given before it is disposed', async () => {
    let given: Promise<string>
    {
      using shell = openShell()
      given = shell.run(['sh', '-c', 'echo "it is $0"', "o'clock"], LIMIT)
    }
    using next = openShell()
    expect([await given, await next.run(['echo', 'next'], LIMIT)]).toEqual(["it is o'clock\n", 'next\n'])
  })

  test('is not kept once a program did not end in its time', async () => {
    let pid = 0
    {
      using shell = openShell()
      pid = await pidOf(shell)
      await expect(shell.run(['tail', '-f', '/dev/null'], 10)).rejects.toThrow('tail did not end within 0.01 s')
      await expect(shell.run(['true'], LIMIT)).rejects.toThrow('tail did not end')
    }
    using next = openShell()
    expect(await pidOf(next)).not.toBe(pid)
  })

  test('does not keep its process from ending, unless it is at work', () => {
    const module = resolve(import.meta.dirname, '../../../../src/main/engine/files/shell.ts')
    const script = `import { openShell } from ${JSON.stringify(module)}
const use = async (...command) => { using shell = openShell(); console.log(await shell.run(command, ${LIMIT})) }
await use('echo', 'first')
await use('echo', 'second')`
    const { status, stdout } = spawnSync(process.execPath, ['--input-type=module-typescript', '-e', script], {
      encoding: 'utf8',
      timeout: 3 * LIMIT
    })
    expect([status, stdout.split(/\n+/)]).toEqual([0, ['first', 'second', '']])
  })
})
