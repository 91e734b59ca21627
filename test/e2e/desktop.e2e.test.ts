/** Driftline on a desktop: in the tray when the window is closed, by links and with the session, quiet notifications. */
import type { ChildProcess } from 'node:child_process'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { _electron, type ElectronApplication, type Locator, type Page } from 'playwright-core'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Client } from '../../src/contract/api.ts'
import { connectHost, type HostConnection } from '../../src/main/host/connect-host.ts'
import { violationsInLongForm } from '../support/axe.ts'
import { electronProgram } from '../support/electron-program.ts'
import { hostEnv, tempDir } from '../support/host.ts'
import { scenario } from '../support/scenario.ts'
import { openSettings } from '../support/ui.ts'

/** How long the app may take to accept a connection and to answer, ms. */
const ANSWER_MS = 10_000
const DEFAULTS = { 'desktop.background': 'ask', 'desktop.login': 'no', 'desktop.notifications': 'yes' } as const

interface TrayStandIn {
  image: string
  toolTip: string
  menu: { items: { label?: string; enabled?: boolean; click?: () => void }[] }
  emit(event: string): void
}

// The tests read what the desktop stand-in recorded. In this order, because the last one ends the app.
describe('on a desktop', { tags: ['browser', 'stand-in'], shuffle: false }, () => {
  let dataDir: string
  let project: string
  let page: Page
  let app: ElectronApplication
  let program: ChildProcess
  /** How it was when it had started with the session, and the first window that it opened then. */
  let atFirst: { windows: number; toolTip: string; window: object }
  let connection: HostConnection | null
  /** Calls the recorder past the window, which may be loading. */
  const client = (): Client => {
    if (!connection) throw new Error('the app does not answer')
    return connection.client
  }

  /** The app of the last test, unless that ended it or closed its window: a start takes longer than most tests. */
  const start = async (): Promise<void> => {
    if (page?.isClosed() === false) return
    await stop()
    dataDir = tempDir('data')
    writeFileSync(join(dataDir, 'window.json'), '{"bounds":{"width":1100,"height":700},"maximized":false}\n')
    writeFileSync(join(dataDir, 'theme'), 'dark\n')
    app = await _electron.launch({
      executablePath: electronProgram().path,
      args: ['.', '--data', dataDir, '--background'],
      env: hostEnv(dataDir)
    })
    program = app.process()
    await expect.poll(async () => (await tray()).toolTip).not.toBe('')
    const [before, { toolTip }] = [await windows(), await tray()]
    await app.evaluate(({ app: electron }) => void electron.emit('activate'))
    page = await app.firstWindow()
    await page.waitForURL((url) => url.protocol !== 'about:')
    const window = await app.evaluate(({ BrowserWindow, nativeTheme }) => {
      const { themeSource, shouldUseDarkColors } = nativeTheme
      return { ...BrowserWindow.getAllWindows()[0]?.getBounds(), theme: themeSource, dark: shouldUseDarkColors }
    })
    atFirst = { windows: before, toolTip, window }
    connection = await connectHost(dataDir, ANSWER_MS, ANSWER_MS)
    await app.evaluate(({ dialog }) => {
      const answer = async (...args: unknown[]) => {
        const test = globalThis as unknown as { asked: unknown[]; answer: number }
        test.asked.push(args.at(-1))
        return { response: test.answer, checkboxChecked: true }
      }
      dialog.showMessageBox = answer as typeof dialog.showMessageBox
    })
  }
  const stop = async (): Promise<void> => {
    connection?.disconnect()
    // It may have quit.
    if (program?.exitCode === null) await app.close()
    if (dataDir) rmSync(dataDir, { recursive: true, force: true, maxRetries: 3 })
  }
  afterAll(stop)

  beforeEach(async () => {
    project = tempDir('project')
    writeFileSync(join(project, 'a.txt'), 'one\n')
    await start()
    for (const [key, value] of Object.entries(DEFAULTS)) await client().call('settings.set', { key, value })
    await client().call('host.watch', { on: true })
    for (const { id } of (await client().call('workspaces.list', {})).workspaces)
      await client().call('workspaces.remove', { workspace: id, deleteHistory: true })
    await page.evaluate(() => sessionStorage.clear())
    // The very page that the app opens: showing a folder then changes its fragment and loads it once.
    const first = new URL('/index.html', page.url()).href
    if (page.url() !== first) await page.goto(first)
    await app.evaluate(({ BrowserWindow, Notification }) => {
      // The window has no focus unless a test sets it.
      BrowserWindow.getFocusedWindow = () => null
      Object.assign(globalThis, { asked: [], answer: 0 })
      Object.assign(Notification, { shown: [] })
    })
  })
  afterEach(() => rmSync(project, { recursive: true, force: true, maxRetries: 3 }))

  const add = async (): Promise<string> =>
    (await client().call('workspaces.add', { folder: project, wait: true })).workspace.id
  const windows = (): Promise<number> => app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)
  const closeWindow = (): Promise<void> =>
    app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close())
  const asked = (): Promise<{ message: string; detail: string }[]> =>
    app.evaluate(() => (globalThis as unknown as { asked: { message: string; detail: string }[] }).asked)
  const answerWith = (answer: number): Promise<void> =>
    app.evaluate((_electron, to) => void Object.assign(globalThis, { answer: to }), answer)
  /** Waits until the window shows a folder: the page marked before is loaded again. */
  const mark = (): Promise<unknown> => page.evaluate(() => Object.assign(window, { marked: true }))
  const shown = async (): Promise<void> => {
    await page.waitForURL(/#open=/)
    await page.waitForFunction(() => !('marked' in window) && document.readyState === 'complete')
  }
  const tray = (): Promise<{ icon: string; toolTip: string; items: string[] }> =>
    app.evaluate(({ Tray }) => {
      const [one] = (Tray as unknown as { all: TrayStandIn[] }).all
      return {
        icon: one?.image.split(/[\\/]/).at(-1) ?? '',
        toolTip: one?.toolTip ?? '',
        items: one?.menu?.items.flatMap((item) => item.label ?? []) ?? []
      }
    })
  const chooseInTray = (label: string): Promise<void> =>
    app.evaluate(({ Tray }, wanted) => {
      const [one] = (Tray as unknown as { all: TrayStandIn[] }).all
      one?.menu.items.find((item) => item.label === wanted)?.click?.()
    }, label)

  scenario('closing the window asks once whether recording continues', {
    'Cancel keeps the window': async () => {
      await answerWith(2)
      await closeWindow()
      await expect.poll(async () => (await asked()).length).toBe(1)
      expect(await windows()).toBe(1)
    },

    'recording continues without a window, and the tray shows it': async () => {
      await add()
      await expect.poll(async () => (await tray()).toolTip).toMatch(/^Driftline: Recording driftline-project/)
      await answerWith(0)
      await closeWindow()
      await expect.poll(windows).toBe(0)
      expect((await asked()).at(-1)?.message).toBe('Keep recording while the window is closed?')
      writeFileSync(join(project, 'a.txt'), 'by a person\n')
      await expect.poll(tray, { timeout: 10_000 }).toMatchObject({
        icon: 'tray-attention.png',
        toolTip: expect.stringMatching(/has outside changes$/)
      })
    },

    'it is not asked again': async () => {
      const times = (await asked()).length
      const opened = app.waitForEvent('window')
      await app.evaluate(({ Tray }) => (Tray as unknown as { all: TrayStandIn[] }).all[0]?.emit('click'))
      await opened
      await closeWindow()
      await expect.poll(windows).toBe(0)
      expect(await asked()).toHaveLength(times)
    },

    'the tray opens a window again': async () => {
      const opened = app.waitForEvent('window')
      await app.evaluate(({ Tray }) => (Tray as unknown as { all: TrayStandIn[] }).all[0]?.emit('click'))
      page = await opened
      await page.getByText(basename(project)).first().waitFor()
    }
  })

  test('the tray pauses and resumes recording', async () => {
    await add()
    await expect.poll(async () => (await tray()).items).toContain('Pause recording')
    await chooseInTray('Pause recording')
    await expect.poll(tray).toMatchObject({ icon: 'tray-off.png', toolTip: 'Driftline: Recording is paused' })
    await chooseInTray('Resume recording')
    await expect.poll(tray).toMatchObject({ icon: 'tray.png' })
  })

  test('one notification for an ended run in the background, none with a focused window, none when off', async () => {
    const workspace = await add()
    const run = async (title: string): Promise<void> => {
      const begun = await client().call('run.begin', { workspace, title, agent: 'test', pid: 0, pidStart: '' })
      writeFileSync(join(project, 'a.txt'), `${title}\n`)
      await client().call('run.end', { workspace, run: begun.run, exitCode: 0 })
    }
    const shown = (): Promise<string[]> =>
      app.evaluate(({ Notification }) =>
        (Notification as unknown as { shown: { options: { title: string; body: string } }[] }).shown.map(
          ({ options }) => `${options.title}: ${options.body}`
        )
      )
    await run('first')
    await expect.poll(shown).toEqual([expect.stringMatching(/^1 file changed in driftline-project.*: first$/)])
    await app.evaluate(({ BrowserWindow }) => {
      BrowserWindow.getFocusedWindow = () => BrowserWindow.getAllWindows()[0] ?? null
    })
    await run('watched')
    await app.evaluate(({ BrowserWindow }) => {
      BrowserWindow.getFocusedWindow = () => null
    })
    await client().call('settings.set', { key: 'desktop.notifications', value: 'no' })
    await run('switched off')
    await client().call('settings.set', { key: 'desktop.notifications', value: 'yes' })
    await run('last')
    await expect.poll(shown).toEqual([expect.stringContaining('first'), expect.stringContaining('last')])
  })

  test('a link opens a recorded folder, and asks before it records a new one', async () => {
    const open = (folder: string): Promise<void> =>
      app.evaluate(
        ({ app: electron }, url) => void electron.emit('open-url', { preventDefault() {} }, url),
        `driftline://open?folder=${encodeURIComponent(folder)}`
      )
    const workspaces = async (): Promise<string[]> =>
      (await client().call('workspaces.list', {})).workspaces.map((summary) => summary.root)
    await open(project)
    await expect.poll(async () => (await asked()).map((one) => one.detail)).toEqual([expect.stringContaining(project)])
    expect(await workspaces()).toEqual([])
    await answerWith(1)
    await mark()
    await open(project)
    await shown()
    expect(await workspaces()).toEqual([project])
    await mark()
    await open(project)
    await shown()
    await open(join(project, '..', '..', '..', 'etc', '\0'))
    expect(await asked(), 'a recorded folder needs no question').toHaveLength(2)
  })

  test('a folder dropped on the icon is recorded and shown', async () => {
    await mark()
    await app.evaluate(
      ({ app: electron }, folder) => void electron.emit('open-file', { preventDefault() {} }, folder),
      project
    )
    await shown()
    expect((await client().call('workspaces.list', {})).workspaces.map((summary) => summary.root)).toEqual([project])
  })

  test('after sleep every folder is scanned once', async () => {
    const workspace = await add()
    await client().call('host.watch', { on: false })
    writeFileSync(join(project, 'a.txt'), 'while it slept\n')
    await app.evaluate(({ powerMonitor }) => void powerMonitor.emit('resume'))
    const drift = async () => (await client().call('drift.list', { workspace, check: false })).drift
    await expect.poll(drift).toMatchObject([{ paths: ['a.txt'] }])
  })

  test('starting at login is a setting', async () => {
    const config = tempDir('config')
    await app.evaluate((_electron, folder) => {
      process.env.XDG_CONFIG_HOME = folder
    }, config)
    const file = join(config, 'autostart/driftline.desktop')
    await client().call('settings.set', { key: 'desktop.login', value: 'yes' })
    await expect.poll(() => existsSync(file)).toBe(true)
    expect(readFileSync(file, 'utf8')).toMatch(/^Exec=".+" "--background"$/m)
    await client().call('settings.set', { key: 'desktop.login', value: 'no' })
    await expect.poll(() => existsSync(file)).toBe(false)
    rmSync(config, { recursive: true })
  })

  test('settings for closing, login and ended runs', async () => {
    const settings = await openSettings(page, 'General')
    const choice = (name: string): Locator =>
      settings.getByRole('group', { name: 'When the window is closed' }).getByRole('button', { name })
    const told = settings.getByRole('switch', { name: 'Notify when a run ends' })
    await choice('Quit').click()
    await expect.poll(() => choice('Quit').getAttribute('aria-pressed')).toBe('true')
    await told.click()
    await expect.poll(() => told.isChecked()).toBe(false)
    expect(await settings.getByRole('switch', { name: 'Start when you log in' }).isChecked()).toBe(false)
    expect(await violationsInLongForm(page)).toEqual([])
    await expect
      .poll(async () => (await client().call('settings.get', {})).values)
      .toMatchObject({ 'desktop.background': 'quit', 'desktop.notifications': 'no' })
  })

  test('recording is paused in the window, too', async () => {
    await add()
    await page.getByText(basename(project)).first().click()
    await page.getByRole('button', { name: 'Recording', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Pause recording' }).click()
    const notice = page.getByRole('region', { name: 'Notice' })
    await notice.getByText('Recording is paused.').waitFor()
    await page.getByRole('button', { name: 'Paused' }).waitFor()
    await notice.getByRole('button', { name: 'Resume recording' }).click()
    await page.getByRole('button', { name: 'Recording', exact: true }).waitFor()
  })

  test('the menu lists recorded folders', async () => {
    await add()
    const recent = (): Promise<string[]> =>
      app.evaluate(({ Menu }) => {
        const file = Menu.getApplicationMenu()?.items.find((item) => item.label === 'File')
        const open = file?.submenu?.items.find((item) => item.label === 'Open recent')
        return open?.submenu?.items.map((item) => item.label) ?? []
      })
    await expect.poll(recent).toEqual([expect.stringMatching(/^driftline-project/)])
  })

  test('started with the session it records without a window, and opens one as it was last', () => {
    expect(atFirst).toMatchObject({
      windows: 0,
      toolTip: 'Driftline: No recorded folders yet',
      window: { width: 1100, height: 700, theme: 'dark', dark: true }
    })
  })

  test('Quit quits', async () => {
    const ended = new Promise((resolve) => program.once('exit', resolve))
    await answerWith(1)
    await closeWindow()
      // Expected: the app ends before it answers.
      .catch(() => {})
    expect(await ended).toBe(0)
  })
})
