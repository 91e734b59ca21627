/** The editor of the person at this computer, and how it is started at a line. */
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Editor, findEditor, openInEditor } from '../../../../src/main/engine/ports/editor.ts'
import { tempFolder } from '../../../support/tmp.ts'

const DISPLAY = { DISPLAY: ':0', PATH: '' }
const found = (env: Record<string, string>, platform = 'linux'): Editor | null =>
  findEditor({ cwd: '/', env, platform })

test('an editor is used only if it opens its own window', () => {
  expect(found({ ...DISPLAY, VISUAL: 'code --wait -n' })).toEqual({ name: 'code', program: 'code', options: ['-n'] })
  expect(found({ ...DISPLAY, VISUAL: 'vim', EDITOR: '/usr/bin/subl' })?.program).toBe('/usr/bin/subl')
  expect(found({ ...DISPLAY, EDITOR: 'vim' })).toBeNull()
  expect(found({ ...DISPLAY, EDITOR: 'sh -c code' })).toBeNull()
  expect(found({ ...DISPLAY, VISUAL: '' })).toBeNull()
  expect(found(DISPLAY)).toBeNull()
})

test('a setting is read as a shell reads it, and on Windows also with backslashes and in any case', () => {
  const mac = '/Applications/Visual Studio Code.app/Contents/Resources/app/bin/code'
  const onMac = { name: 'code', program: mac, options: ['-n'] }
  expect(found({ VISUAL: `"${mac}" -n` }, 'darwin')).toEqual(onMac)
  expect(found({ VISUAL: `${mac.replaceAll(' ', '\\ ')} -n` }, 'darwin')).toEqual(onMac)
  const program = 'C:/Program Files/Microsoft VS Code/bin/Code.cmd'
  for (const spelled of [program, program.replaceAll('/', '\\')])
    expect(found({ VISUAL: `"${spelled}" --wait` }, 'win32')).toEqual({ name: 'code', program, options: [] })
})

test('without a display on Linux there is none, because no window can be shown', () => {
  expect(found({ PATH: '', VISUAL: 'code' })).toBeNull()
  expect(found({ PATH: '', WAYLAND_DISPLAY: 'wayland-0', VISUAL: 'code' })?.name).toBe('code')
  expect(found({ PATH: '', VISUAL: 'code' }, 'darwin')?.name).toBe('code')
})

/** A program `name` that writes its arguments, one a line, to the file `started` beside it. */
function standIn(folder: string, name: string): { readonly args: () => Promise<string[]>; readonly path: string } {
  const bin = join(folder, 'bin')
  mkdirSync(bin, { recursive: true })
  const started = join(bin, 'started')
  writeFileSync(
    join(bin, name),
    `#!/bin/sh\nfor arg; do echo "$arg"; done > "${started}.new"\n/bin/mv "${started}.new" "${started}"\n`
  )
  chmodSync(join(bin, name), 0o755)
  const args = async (): Promise<string[]> => {
    while (!existsSync(started)) await new Promise(setImmediate)
    return readFileSync(started, 'utf8').trimEnd().split('\n')
  }
  return { args, path: bin }
}

test.each([
  ['code', ['--goto', '/p/a b.ts:7']],
  ['zed', ['/p/a b.ts:7']],
  ['webstorm', ['--line', '7', '/p/a b.ts']],
  ['gedit', ['+7', '/p/a b.ts']],
  ['kate', ['-l', '7', '/p/a b.ts']],
  ['gnome-text-editor', ['/p/a b.ts']]
])('%s on the PATH is found and started at the line', { tags: ['posix'] }, async (name, expected) => {
  using folder = tempFolder()
  const { args, path } = standIn(folder.path, name)
  const place = { cwd: folder.path, env: { ...DISPLAY, PATH: path } }
  const editor = findEditor(place) as Editor
  expect(editor.name).toBe(name)
  await openInEditor(editor, join(folder.path, 'a b.ts'), 7, place)
  expect(await args()).toEqual(expected.map((arg) => arg.replace('/p', folder.path)))
})

test('an editor that cannot be started is reported', async () => {
  using folder = tempFolder()
  const place = { cwd: folder.path, env: { ...DISPLAY, VISUAL: 'code' } }
  await expect(openInEditor(findEditor(place) as Editor, join(folder.path, 'a'), null, place)).rejects.toThrow('ENOENT')
})
