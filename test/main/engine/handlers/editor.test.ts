/** [UI-30] A page opens what it shows in the editor, and nothing else of the disk. */
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { type RecordedFolder, recordedFolder } from '../../../support/recorded-folder.ts'

const POSIX = { tags: ['posix'] }

afterEach(() => void vi.unstubAllEnvs())

/** A recorded folder on a computer whose only editor, `code`, writes its arguments to a file; `opened` awaits that. */
async function withEditor(): Promise<{ folder: RecordedFolder; opened(): Promise<string> }> {
  const folder = await recordedFolder({ files: { 'src/a.ts': 'a' } })
  const bin = join(folder.root, '..', 'bin')
  const started = join(bin, 'started')
  mkdirSync(bin)
  writeFileSync(join(bin, 'code'), `#!/bin/sh\necho "$*" > '${started}.new'; /bin/mv '${started}.new' '${started}'\n`)
  chmodSync(join(bin, 'code'), 0o755)
  for (const [name, value] of Object.entries({ DISPLAY: ':0', PATH: bin, VISUAL: '', EDITOR: '' }))
    vi.stubEnv(name, value)
  const opened = async (): Promise<string> => {
    while (!existsSync(started)) await new Promise(setImmediate)
    return readFileSync(started, 'utf8').trimEnd()
  }
  return { folder, opened }
}

test('[UI-30] a file of a recorded folder is opened at its line', POSIX, async () => {
  const { folder, opened } = await withEditor()
  await using _ = folder
  expect(await folder.engine.call('editor.find', {})).toEqual({ editor: 'code' })
  const file = join(folder.root, 'src/a.ts')
  expect(await folder.engine.call('editor.open', { file, line: 3 })).toEqual({ editor: 'code' })
  expect(await opened()).toBe(`--goto ${file}:3`)
})

test('[UI-30] a file outside of the recorded folders is refused, by any spelling', POSIX, async () => {
  const { folder } = await withEditor()
  await using _ = folder
  for (const file of [
    '/etc/passwd',
    join(folder.root, '..', 'bin', 'code'),
    `${folder.root}/../bin/code`,
    `${folder.root}x`
  ])
    await expect(folder.engine.call('editor.open', { file })).rejects.toMatchObject({
      code: 'Refused',
      message: `${file} is in no recorded folder, so it was not opened.`
    })
})

test('[UI-30] a file that is gone is not opened, and the answer says so', POSIX, async () => {
  const { folder } = await withEditor()
  await using _ = folder
  const file = join(folder.root, 'gone.ts')
  await expect(folder.engine.call('editor.open', { file })).rejects.toThrow('does not exist any more')
})

test('without an editor nothing is opened, and the answer says what to do', POSIX, async () => {
  const { folder } = await withEditor()
  await using _ = folder
  vi.stubEnv('PATH', '')
  expect(await folder.engine.call('editor.find', {})).toEqual({ editor: null })
  const opening = folder.engine.call('editor.open', { file: join(folder.root, 'src/a.ts') })
  await expect(opening).rejects.toThrow('Set VISUAL to one, such as code or subl')
})
