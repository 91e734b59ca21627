/** Features of the Electron host: locked-down windows, the menu, the folder dialog, a second start. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { electronProgram } from '../support/electron-program.ts'
import { hostEnv, type RunningHost, serveProcess, startHost, tempDir } from '../support/host.ts'
import { callFromPage } from '../support/raw-calls.ts'

interface Bridge {
  chooseFolder(): Promise<string | null>
  reveal(path: string): Promise<void>
  setTheme(theme: string): void
  openWindow(fragment: string): void
  dragFiles(paths: string[]): void
}

describe('the Electron window', { tags: ['browser'] }, () => {
  let dataDir: string
  let host: RunningHost
  /** What pages failed with. */
  const problems: string[] = []

  beforeAll(async () => {
    dataDir = tempDir('data')
    host = await startHost('electron', { dataDir })
    host.page.on('pageerror', ({ message }) => problems.push(message))
  })
  afterAll(async () => {
    await host?.close()
    rmSync(dataDir, { recursive: true, force: true })
  })

  test('never navigates away', async () => {
    const before = host.page.url()
    await host.page.evaluate(() => {
      location.href = 'https://example.org/'
    })
    await host.page.evaluate(() => {
      const link = Object.assign(document.createElement('a'), { href: 'https://example.org/other' })
      document.body.append(link)
      link.click()
      link.remove()
    })
    await host.page.waitForFunction(() => document.title.includes('Driftline'))
    expect(host.page.url()).toBe(before)
  })

  test('[WR-1] an answer to the page before does not reach the page that is loaded next, whose calls have the same numbers', async () => {
    await host.app?.evaluate(({ BrowserWindow, ipcMain }) => {
      const contents = BrowserWindow.getAllWindows()[0]?.webContents
      if (!contents) return
      const send = contents.send.bind(contents)
      const late: Parameters<typeof send>[] = []
      contents.send = (...message) => void late.push(message)
      ipcMain.prependOnceListener('driftline:hello', () => {
        contents.send = send
        // Once the next page waits for answers.
        ipcMain.prependOnceListener('driftline:frame', () => {
          for (const message of late) send(...message)
        })
      })
    })
    await host.page.evaluate(() => {
      const { driftline } = window as unknown as { driftline: { send(frame: string): void } }
      for (let id = 1; id <= 50; id++) driftline.send(JSON.stringify({ id, method: 'workspaces.list', params: {} }))
      location.reload()
    })
    await host.page.getByRole('combobox', { name: 'Folder path' }).or(host.page.getByRole('banner')).first().waitFor()
    expect(await callFromPage(host, 'app.info', {})).toMatchObject({ host: 'electron' })
    expect(problems).toEqual([])
  })

  test('opens no second window for a page of the web', async () => {
    await host.page.evaluate(() => {
      window.open('https://example.org/')
    })
    const count = await host.app?.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)
    expect(count).toBe(1)
  })

  test('[UI-50] File > New window opens another one beside it, with a state of its own, and closing it asks nothing', async () => {
    const windows = (): unknown => host.app?.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)
    const first = await host.page.evaluate(() => location.hash)
    const opened = host.app?.waitForEvent('window')
    await host.app?.evaluate(({ Menu }) => {
      const file = Menu.getApplicationMenu()?.items.find((item) => item.label === 'File')
      file?.submenu?.items.find((item) => item.label === 'New window')?.click()
    })
    const second = await opened
    if (!second) throw new Error('no window opened')
    await second.waitForFunction(() => document.title.includes('Driftline') && location.href.includes('index.html'))
    await second.evaluate(() => {
      sessionStorage.setItem('own', 'second')
      location.hash = '#settings=about'
    })
    expect(await host.page.evaluate(() => [sessionStorage.getItem('own'), location.hash])).toEqual([null, first])
    const places = await host.app?.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows().map((window) => window.getBounds().x)
    )
    expect(new Set(places).size).toBe(2)
    await host.app?.evaluate(({ BrowserWindow, dialog }) => {
      dialog.showMessageBox = () => Promise.reject(new Error('it asked'))
      const last = BrowserWindow.getAllWindows().at(-1)
      last?.setBounds({ width: 1100, height: 700 })
      last?.close()
    })
    await expect.poll(windows).toBe(1)
    const kept = JSON.parse(readFileSync(join(dataDir, 'window.json'), 'utf8'))
    expect(kept, 'the size is kept for the next start').toMatchObject({ bounds: { width: 1100, height: 700 } })
    // A page names the fragment of an address, and nothing else.
    await host.page.evaluate(() => {
      const { driftline } = window as unknown as { driftline: Bridge }
      driftline.openWindow('https://example.org/')
    })
    expect(await windows()).toBe(1)
  })

  test('[UI-50] hands files that are dragged out of the page to other programs, if they exist', async () => {
    const file = join(dataDir, 'dragged.txt')
    writeFileSync(file, 'text')
    await host.page.evaluate(
      (paths) => {
        const { driftline } = window as unknown as { driftline: Bridge }
        driftline.dragFiles(['relative.txt'])
        driftline.dragFiles(paths)
      },
      [`${file}-gone`, file]
    )
    const dragged = (): unknown =>
      host.app?.evaluate(({ BrowserWindow }) => {
        const contents = BrowserWindow.getAllWindows()[0]?.webContents
        return (contents as unknown as { dragged: { files: string[] }[] } | undefined)?.dragged
      })
    await expect.poll(dragged).toMatchObject([{ file, files: [file] }])
  })

  test('asks for a folder with the system dialog', async () => {
    const choose = (): Promise<string | null> =>
      host.page.evaluate(() => (window as unknown as { driftline: Bridge }).driftline.chooseFolder())
    await host.app?.evaluate(({ dialog }) => {
      dialog.showOpenDialog = async () => ({ canceled: false, filePaths: ['/somewhere/project'] })
    })
    expect(await choose()).toBe('/somewhere/project')
    await host.app?.evaluate(({ dialog }) => {
      dialog.showOpenDialog = async () => ({ canceled: true, filePaths: [] })
    })
    expect(await choose()).toBeNull()
  })

  test('shows a file in its folder, and never opens it by its type', async () => {
    await host.app?.evaluate(({ shell }) => {
      const shown: string[] = []
      Object.assign(globalThis, { shown })
      shell.showItemInFolder = (path) => void shown.push(path)
      shell.openPath = () => {
        throw new Error('openPath was used')
      }
    })
    await host.page.evaluate(async () => {
      const { driftline } = window as unknown as { driftline: Bridge }
      await driftline.reveal('/project/run-me.desktop')
      await driftline.reveal('relative.txt')
    })
    const shown = await host.app?.evaluate(() => (globalThis as unknown as { shown: string[] }).shown)
    expect(shown).toEqual(['/project/run-me.desktop'])
  })

  test('a command of the menu reaches the page', async () => {
    await host.app?.evaluate(({ Menu }) => {
      const view = Menu.getApplicationMenu()?.items.find((item) => item.label === 'View')
      const item = view?.submenu?.items.find((candidate) => candidate.label === 'Commands…')
      item?.click()
    })
    const palette = host.page.getByRole('combobox', { name: 'Search or run a command' })
    await palette.waitFor()
    await host.page.keyboard.press('Escape')
    await palette.waitFor({ state: 'hidden' })
  })

  test('a second start shows its folder in the first window and ends', async () => {
    const project = tempDir('project')
    const { path } = electronProgram()
    const switches = process.getuid?.() === 0 ? ['--no-sandbox'] : []
    await host.page.evaluate(() => Object.assign(window, { firstPage: true }))
    const second = spawn(path, [...switches, '.', '--data', dataDir, project], {
      env: hostEnv(dataDir),
      stdio: 'ignore'
    })
    const [code] = await once(second, 'exit')
    expect(code).toBe(0)
    await host.page.waitForURL(/#open=/)
    await host.page.waitForFunction(() => !('firstPage' in window) && document.readyState === 'complete')
    rmSync(project, { recursive: true, force: true })
  })

  test('is 1280 x 800 at first, never smaller than 960 x 660, and keeps the theme for the next start', async () => {
    const size = (): unknown =>
      host.app?.evaluate(({ BrowserWindow }) => {
        const [window] = BrowserWindow.getAllWindows()
        return { bounds: window?.getBounds(), minimum: window?.getMinimumSize(), visible: window?.isVisible() }
      })
    const expected = { bounds: { width: 1280, height: 800 }, minimum: [960, 660], visible: true }
    // It is shown once its first paint is ready, a moment after the page can be driven.
    await expect.poll(size).toMatchObject(expected)
    await host.page.evaluate(() => (window as unknown as { driftline: Bridge }).driftline.setTheme('dark'))
    const theme = (): unknown =>
      host.app?.evaluate(({ nativeTheme }) => [nativeTheme.themeSource, nativeTheme.shouldUseDarkColors])
    await expect.poll(theme).toEqual(['dark', true])
    await expect.poll(() => readFileSync(join(dataDir, 'theme'), 'utf8').trim()).toBe('dark')
  })
})

test('where a headless host already runs, that one is shown instead', { tags: ['browser', 'stand-in'] }, async () => {
  const dataDir = tempDir('data')
  const served = await serveProcess(dataDir)
  const second = spawn(electronProgram().path, ['.', '--data', dataDir], {
    env: hostEnv(dataDir),
    stdio: ['ignore', 'pipe', 'ignore']
  })
  const [said, [code]] = await Promise.all([second.stdout.toArray(), once(second, 'exit')])
  await served.stop()
  rmSync(dataDir, { recursive: true, force: true })
  expect(code).toBe(0)
  // The stand-in writes down what it was asked to open: an address that works once, without the token.
  expect(String(said)).toContain(`shell.openExternal ["${new URL(served.line).origin}/open/`)
  expect(String(said)).not.toContain(new URL(served.line).hash.slice('#token='.length))
})

test('a store that cannot be opened ends it with a sentence, not a blank window', {
  tags: ['browser', 'stand-in']
}, async () => {
  const dataDir = tempDir('data')
  writeFileSync(join(dataDir, 'app.db'), 'this is no database, and longer than the header of one'.repeat(20))
  const started = spawn(electronProgram().path, ['.', '--data', dataDir], {
    env: hostEnv(dataDir),
    stdio: ['ignore', 'ignore', 'pipe']
  })
  const [said, [code]] = await Promise.all([started.stderr.toArray(), once(started, 'exit')])
  rmSync(dataDir, { recursive: true, force: true })
  expect(code).toBe(1)
  expect(String(said)).toContain('dialog: Driftline has to close: The list of recorded folders')
})
