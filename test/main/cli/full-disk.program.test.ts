/** [RC-4] A start on a full disk: the history can still be read, and everything works once there is space. */
import { chmodSync, rmSync } from 'node:fs'
import { expect, test } from 'vitest'
import { fill, smallDisk } from '../../support/faulty-disk.ts'
import { createCliProject } from './cli-project.ts'

test('[RC-4] on a full disk the history is read and nothing is written; once there is space, everything works', {
  tags: ['root', 'linux']
}, async ({ skip }) => {
  const project = createCliProject()
  using _ = { [Symbol.dispose]: () => project.remove() }
  // Larger than what has to be free for recording.
  using disk = smallDisk(project.data, '400m')
  if (!disk) return skip('mounting is not permitted')
  chmodSync(project.data, 0o700)
  project.write('a.txt', 'one\n')
  await project.add()
  await project.call(['run', '--', 'sh', '-c', 'echo two > a.txt'])
  const filler = fill(project.data)

  const { doc: log } = await project.json<{ entries: { id: string }[] }>(['log'])
  const run = log.entries[0]?.id ?? ''
  expect((await project.call(['diff', run])).out.toString()).toContain('-one\n+two\n')
  const status = await project.call(['status'])
  expect(status.code).toBe(0)
  expect(status.out.toString()).toMatch(/^Recording +paused\. The disk that holds the history is nearly full/m)
  expect((await project.call(['doctor'])).out.toString()).toContain('No problems')
  expect(await project.call(['undo-run', run, '--yes'])).toMatchObject({
    code: 1,
    err: expect.stringContaining('Nothing was written. The disk that holds the history is nearly full')
  })
  expect(await project.call(['run', '--', 'sh', '-c', 'echo three > a.txt'])).toMatchObject({
    code: 1,
    err: expect.stringMatching(/The command was not started\. The run was not begun\. .*nearly full/)
  })
  expect(project.read('a.txt')).toBe('two\n')

  rmSync(filler)
  expect(await project.call(['undo-run', run, '--yes'])).toMatchObject({ code: 0 })
  expect(project.read('a.txt')).toBe('one\n')
})
