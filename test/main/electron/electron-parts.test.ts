/** The parts of the Electron host that decide something without Electron. */
import type { IpcMainEvent } from 'electron'
import { expect, test } from 'vitest'
import { MENUS, menuTemplate } from '../../../src/main/electron/menu.ts'
import { endedText } from '../../../src/main/electron/notify.ts'
import { windowedEditor } from '../../../src/main/electron/open-path.ts'
import { pageUrl } from '../../../src/main/electron/pages.ts'
import { isOwnSender } from '../../../src/main/electron/sender.ts'
import { isTheme } from '../../../src/main/electron/theme.ts'
import { parseWindowState } from '../../../src/main/electron/window-state.ts'
import { COMMANDS } from '../../../src/renderer/commands/table.ts'

const from = (senderFrame: object | null): IpcMainEvent => ({ senderFrame }) as unknown as IpcMainEvent

test('only the top frame of our own pages is listened to', () => {
  expect(isOwnSender(from({ url: pageUrl('ws_1'), parent: null }))).toBe(true)
  expect(isOwnSender(from({ url: pageUrl(''), parent: {} }))).toBe(false)
  expect(isOwnSender(from(null))).toBe(false)
  for (const url of [
    'https://example.org/',
    'app://driftline.example.org/',
    'app://other/index.html',
    'file:///index.html',
    ''
  ]) {
    expect(isOwnSender(from({ url, parent: null }))).toBe(false)
  }
})

test('every command of the menu reaches the page once, by a name the page knows', () => {
  const sent: string[] = []
  for (const menu of menuTemplate(MENUS, (command) => sent.push(command))) {
    for (const item of menu.submenu as { role?: string; type?: string; label?: string; click?: () => void }[]) {
      if (!item.role && !item.type && item.label !== 'Show the data folder') item.click?.()
    }
  }
  const known = COMMANDS.map(({ id }) => id)
  expect(sent.filter((name) => !known.includes(name))).toEqual([])
  expect(sent).toContain('open-folder')
  expect(new Set(sent).size).toBe(sent.length)
})

test('keys shown in the menu are left to the page', () => {
  const items = menuTemplate(MENUS, () => {}).flatMap((menu) => menu.submenu as object[])
  const withKeys = items.filter((item) => 'accelerator' in item)
  expect(withKeys.length).toBeGreaterThan(5)
  expect(withKeys.every((item) => 'registerAccelerator' in item && item.registerAccelerator === false)).toBe(true)
})

test('an editor is used only if it has a window of its own', () => {
  expect(windowedEditor({ VISUAL: 'code --wait' })).toEqual(['code', '--wait'])
  expect(windowedEditor({ VISUAL: 'vim', EDITOR: '/usr/bin/subl' })).toEqual(['/usr/bin/subl'])
  expect(windowedEditor({ EDITOR: 'vim' })).toBeNull()
  expect(windowedEditor({ EDITOR: 'sh -c code' })).toBeNull()
  expect(windowedEditor({ VISUAL: '' })).toBeNull()
  expect(windowedEditor({})).toBeNull()
})

test('a kept window state is taken only if it is one', () => {
  const bounds = { x: -5, y: 10, width: 1000, height: 700 }
  expect(parseWindowState(JSON.stringify({ bounds, maximized: true }))).toEqual({ bounds, maximized: true })
  expect(parseWindowState(JSON.stringify({ bounds: { width: 1000, height: 700 } }))).toEqual({
    bounds: { width: 1000, height: 700 },
    maximized: false
  })
  for (const text of [
    '',
    '{',
    'null',
    '[]',
    '{"bounds":{"width":-1,"height":5}}',
    '{"bounds":{"width":1e9,"height":"5"}}'
  ]) {
    expect(parseWindowState(text)).toBeNull()
  }
})

test('a theme is one of three', () => {
  expect(['system', 'light', 'dark'].every(isTheme)).toBe(true)
  expect([undefined, '', 'blue', {}].some(isTheme)).toBe(false)
})

test('a notification says how much changed and where', () => {
  expect(endedText(0, 'shop')).toBe('No files changed in shop')
  expect(endedText(1, 'shop')).toBe('1 file changed in shop')
  expect(endedText(7, 'shop-api')).toBe('7 files changed in shop-api')
})
