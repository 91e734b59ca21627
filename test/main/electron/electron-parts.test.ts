/** The parts of the Electron host that decide something without Electron. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { IpcMainEvent } from 'electron'
import { expect, test } from 'vitest'
import { runEndedText } from '../../../src/contract/words/events.ts'
import { quoteShell } from '../../../src/contract/words/shell.ts'
import type { WorkspaceSummary } from '../../../src/contract/workspace.ts'
import { scriptForAppImage } from '../../../src/main/electron/command-line.ts'
import { folderOfLink } from '../../../src/main/electron/links.ts'
import { autostartEntry, autostartFile } from '../../../src/main/electron/login-item.ts'
import { MENUS, menuTemplate, recentFolderItems } from '../../../src/main/electron/menu.ts'
import { isOwnSender, pageUrl } from '../../../src/main/electron/pages.ts'
import { shouldRescan } from '../../../src/main/electron/rescan-after-sleep.ts'
import { searchPath } from '../../../src/main/electron/search-path.ts'
import { isTheme } from '../../../src/main/electron/theme.ts'
import { trayStatus } from '../../../src/main/electron/tray.ts'
import { parseWindowState } from '../../../src/main/electron/window.ts'
import { COMMANDS } from '../../../src/renderer/commands/table.ts'
import { tempFolder } from '../../support/tmp.ts'

const from = (senderFrame: object | null): IpcMainEvent => ({ senderFrame }) as unknown as IpcMainEvent

test('only messages of the top frame of our own pages are accepted', () => {
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

test('every menu command reaches the page once, under a name the page knows', () => {
  const sent: string[] = []
  for (const menu of menuTemplate(MENUS, (command) => sent.push(command))) {
    for (const item of menu.submenu as { role?: string; type?: string; label?: string; click?: () => void }[]) {
      if (!item.role && !item.type && item.label !== 'Show data folder') item.click?.()
    }
  }
  const known = COMMANDS.map(({ id }) => id)
  expect(sent.filter((name) => !known.includes(name))).toEqual([])
  expect(sent).toContain('open-folder')
  expect(new Set(sent).size).toBe(sent.length)
})

test('the page handles the keys shown in the menu', () => {
  const items = menuTemplate(MENUS, () => {}).flatMap((menu) => menu.submenu as object[])
  const withKeys = items.filter((item) => 'accelerator' in item)
  expect(withKeys.length).toBeGreaterThan(5)
  expect(withKeys.every((item) => 'registerAccelerator' in item && item.registerAccelerator === false)).toBe(true)
})

test('a stored window state is used only if it is valid', () => {
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

test('a notification has the number of changed files and the folder', () => {
  expect(runEndedText(0, 'shop')).toBe('No files changed in shop')
  expect(runEndedText(1, 'shop')).toBe('1 file changed in shop')
  expect(runEndedText(7, 'shop-api')).toBe('7 files changed in shop-api')
})

test('only a driftline: link with an absolute folder is accepted', () => {
  expect(folderOfLink('driftline://open?folder=%2Fhome%2Fme%2Fa%20b')).toBe('/home/me/a b')
  for (const link of [
    'driftline://open?folder=relative',
    'driftline://open',
    'driftline://close?folder=/a',
    'driftline://open?folder=/a%00b',
    'https://example.org/?folder=/a',
    'driftline://['
  ])
    expect([link, folderOfLink(link)]).toEqual([link, null])
})

test('on macOS the folders of a login shell follow those of the app, each once', () => {
  using etc = tempFolder()
  const path = (): string => searchPath('/usr/bin:/bin', '/Users/me', etc.path)
  const own = '/opt/homebrew/bin:/Users/me/.local/bin'
  expect(path(), 'without the lists').toBe(`/usr/bin:/bin:${own}`)
  writeFileSync(join(etc.path, 'paths'), '/usr/local/bin\n/usr/bin\n')
  mkdirSync(join(etc.path, 'paths.d'))
  writeFileSync(join(etc.path, 'paths.d', '10-tools'), '/opt/tools with space/bin')
  expect(path()).toBe(`/usr/bin:/bin:/usr/local/bin:/opt/tools with space/bin:${own}`)
})

test('a program in an autostart file starts correctly with any characters in its name', () => {
  expect(autostartFile({}, '/home/me')).toBe('/home/me/.config/autostart/driftline.desktop')
  expect(autostartFile({ XDG_CONFIG_HOME: '/c' }, '/home/me')).toBe('/c/autostart/driftline.desktop')
  const line = /^Exec=(.*)$/m.exec(autostartEntry(['/opt/a "b" $c 100%', '--background']))?.[1]
  expect(line).toBe('"/opt/a \\\\"b\\\\" \\\\$c 100%%" "--background"')
})

const summary = (change: Partial<WorkspaceSummary>): WorkspaceSummary => ({
  id: 'ws_1',
  root: '/p/shop',
  name: 'shop',
  addedAt: 1,
  folder: 'present',
  deletedBy: null,
  recording: true,
  watcher: { state: 'live', why: null, handles: 'chokidar' },
  coverage: 'complete',
  copy: null,
  lastEditAt: null,
  store: null,
  live: false,
  openDrift: 0,
  runsToday: 0,
  lastAt: null,
  ...change
})

test('the tray shows the most serious problem', () => {
  const on = { watching: 'on', lastEnd: 'clean' } as const
  const look = (...folders: Partial<WorkspaceSummary>[]) => trayStatus(on, folders.map(summary))
  expect(look({})).toEqual({ state: 'recording', text: 'Recording shop' })
  expect(look({}, {}).text).toBe('Recording 2 folders')
  expect(look({ openDrift: 2 })).toEqual({ state: 'attention', text: 'shop has outside changes' })
  expect(look({ openDrift: 2 }, { coverage: 'partial' })).toEqual({
    state: 'not-protected',
    text: 'shop is partly protected'
  })
  expect(look({ folder: 'missing' }, { coverage: 'partial' }).state).toBe('attention')
  expect(look()).toEqual({ state: 'not-protected', text: 'No recorded folders yet' })
  expect(trayStatus({ watching: 'paused', lastEnd: 'clean' }, [summary({})]).state).toBe('not-protected')
  expect(trayStatus({ watching: 'safe-mode', lastEnd: 'unexpected' }, []).text).toContain('Safe mode')
})

test('after sleep every present folder is rescanned; on battery only those changed in the last day', () => {
  const now = 100 * 3600_000
  const folders = [
    summary({ id: 'today', lastAt: now - 3600_000 }),
    summary({ id: 'old', lastAt: now - 30 * 3600_000 }),
    summary({ id: 'new', addedAt: now - 60_000 }),
    summary({ id: 'gone', lastAt: now, folder: 'missing' })
  ]
  const ids = (onBattery: boolean) =>
    folders.filter((folder) => shouldRescan(folder, onBattery, now)).map(({ id }) => id)
  expect(ids(false)).toEqual(['today', 'old', 'new'])
  expect(ids(true)).toEqual(['today', 'new'])
})

test('recent folders are the newest existing ones', () => {
  const shown: string[] = []
  const items = recentFolderItems(
    [
      summary({ id: 'old', name: 'old', lastAt: 1 }),
      summary({ id: 'gone', name: 'gone', lastAt: 9, folder: 'missing' }),
      summary({ id: 'new', name: 'new', lastAt: 5 })
    ],
    (id) => shown.push(id)
  )
  expect(items.map((item) => item.label)).toEqual(['new', 'old'])
  ;(items[0] as { click: () => void }).click()
  expect(shown).toEqual(['new'])
})

test('the command of an AppImage finds its contents wherever they are mounted, and passes every argument', () => {
  using place = tempFolder()
  const image = join(place.path, "Drift'line.AppImage")
  const inside = join(place.path, 'mounted')
  mkdirSync(join(inside, 'resources/app.asar/out/main'), { recursive: true })
  writeFileSync(
    join(inside, 'resources/app.asar/out/main/cli.cjs'),
    'console.log(JSON.stringify([process.env.ELECTRON_RUN_AS_NODE, ...process.argv.slice(2)]))'
  )
  writeFileSync(image, `#!/bin/sh\nAPPDIR=${quoteShell(inside)} exec ${quoteShell(process.execPath)} "$@"\n`, {
    mode: 0o755
  })
  const command = join(place.path, 'driftline')
  writeFileSync(command, scriptForAppImage(image), { mode: 0o755 })
  const said = execFileSync(command, ['diff', '--json', 'a b'], { encoding: 'utf8' })
  expect(JSON.parse(said)).toEqual(['1', 'diff', '--json', 'a b'])
})
