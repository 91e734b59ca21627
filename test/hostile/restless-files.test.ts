/** [CP-2] Files that change while they are read: never half a version, never an absence. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { recordedFolder } from '../support/recorded-folder.ts'
import { notCovered, versions } from '../support/recorded-state.ts'
import { expectSound } from '../support/round-trip.ts'
import { writeFiles } from '../support/tree.ts'

test('[A18] [CP-2] [CP-3] [RS-9] a file that keeps changing is recorded as changing, not as absent; a restore skips it and restores the others', async () => {
  await using folder = await recordedFolder({ files: { calm: 'one', restless: '' } })
  const writer = fork(join(import.meta.dirname, 'restless-writer.ts'), [join(folder.root, 'restless')], {
    execArgv: []
  })
  await once(writer, 'message')
  try {
    const run = await folder.run('work', () => writeFiles(folder.root, { calm: 'two' }))
    const [calm] = await versions(folder, 'calm')
    expect(calm).toMatchObject({ run, stored: true })
    const [newest] = await versions(folder, 'restless')
    expect(newest).toMatchObject({ kind: 'file', stored: false })
    expect(await notCovered(folder)).toContain('restless changing')
    const result = await folder.apply({ kind: 'restore', target: run, outside: 'replace' })
    expect(result.items.map((item) => [item.path, item.result])).toEqual([
      ['calm', 'done'],
      ['restless', 'kept']
    ])
    expect(readFileSync(join(folder.root, 'calm'), 'utf8')).toBe('one')
  } finally {
    writer.kill('SIGKILL')
    await once(writer, 'exit')
  }
  await folder.check()
  const [last] = await versions(folder, 'restless')
  expect(last, 'once it rests it is kept').toMatchObject({
    stored: true,
    size: statSync(join(folder.root, 'restless')).size
  })
  expect(await notCovered(folder)).not.toContain('restless changing')
  await expectSound(folder)
})
