/** A window of a real host with a project, for tests of the window. */
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, describe } from 'vitest'
import { dropFiles } from './drop.ts'
import { electronProgram } from './electron-program.ts'
import { type HostName, type HostStart, type RunningHost, startHost, VIEWPORT } from './host.ts'
import type { Project } from './project.ts'
import { LONG } from './scale.ts'
import { SOON, timelineOf } from './ui.ts'

/**
 * Each kind of host where Electron is the real one: its stand-in leads to the same page and engine as the headless host, and a start
 * of it costs as much as five tests. With `--long`, the stand-in, too.
 */
export const REAL_HOSTS: readonly HostName[] = electronProgram().real || LONG ? ['electron', 'server'] : ['server']

/** Runs the block once for each of them; `%s` is its name. */
export const inEachRealHost = (title: string, tests: (name: HostName) => void): void =>
  describe.each(REAL_HOSTS)(title, { tags: ['browser'] }, tests)

/** Runs the block in one host, for behaviour of the page and the engine, which both kinds share. */
export const inOneHost = (title: string, tests: (name: HostName) => void): void =>
  describe.each(['server'] as const)(title, { tags: ['browser'] }, tests)

/** Of a page whose test failed, this many characters are printed. */
const MOST_SHOWN = 8000

/** The host of the open window. */
export interface HostWindow extends Pick<RunningHost, 'kind' | 'page' | 'app' | 'process'> {
  /**
   * Starts the host on the project's data, with its folder shown; a folder that is new to it is recorded from then on. `env` is
   * added to its environment.
   */
  open(
    on: Pick<Project, 'root' | 'dataDir'>,
    env?: HostStart['env'],
    beforeLoad?: HostStart['beforeLoad']
  ): Promise<Page>
  /** The same without a folder to show: nothing is recorded there yet. */
  openEmpty(on: Pick<Project, 'dataDir'>, env?: HostStart['env']): Promise<Page>
  /** The window in its first size, with nothing over the page, whatever the last test left open. */
  clear(): Promise<void>
  /** Leaves the folder and opens it again: as after loading the page, which takes ten times as long, but for its caches. */
  reopen(): Promise<void>
  close(): Promise<void>
}

/** A window for the tests of the calling block, closed after the last of them. */
export function useWindow(name: HostName): HostWindow {
  let running: RunningHost | undefined
  const opened = (): RunningHost => {
    if (!running) throw new Error('no window is open')
    return running
  }
  const start = async (begin: HostStart): Promise<Page> => {
    running = await startHost(name, begin)
    running.page.setDefaultTimeout(SOON.timeout)
    return running.page
  }
  const close = async (): Promise<void> => {
    const last = running
    running = undefined
    await last?.close()
  }
  describeFailures(() => running)
  afterAll(close)
  return {
    get kind() {
      return opened().kind
    },
    get page() {
      return opened().page
    },
    get app() {
      return opened().app
    },
    get process() {
      return opened().process
    },
    open: async ({ root, dataDir }, env = {}, beforeLoad = async () => {}) => {
      const page = await start({ dataDir, args: [root], env, beforeLoad })
      await timelineOf(page).waitFor()
      return page
    },
    openEmpty: ({ dataDir }, env = {}) => start({ dataDir, env }),
    clear: async () => {
      const { page } = opened()
      if (name === 'server') await page.setViewportSize(VIEWPORT)
      // An editor keeps the box of its search hidden once that is closed.
      const over = page.locator('[role="dialog"]:not([aria-hidden="true"]), [role="alertdialog"], [role="menu"]')
      while ((await over.count()) > 0) {
        await page.keyboard.press('Escape')
        await page.evaluate(() => new Promise((done) => requestAnimationFrame(done)))
      }
    },
    reopen: async () => {
      const { page } = opened()
      await page.evaluate(() => {
        history.pushState(null, '', location.pathname)
        dispatchEvent(new PopStateEvent('popstate'))
      })
      await page.getByRole('heading', { name: /See what your agents changed/ }).waitFor()
      await page.goBack()
      await timelineOf(page).waitFor()
    },
    close
  }
}

/**
 * Says what is on screen when a test of the calling suite fails: which address, what has the focus and what a screen reader
 * finds there. In the folder DRIFTLINE_SHOTS names, if it names one, a picture of it is saved.
 */
function describeFailures(host: () => RunningHost | undefined): void {
  const folder = process.env.DRIFTLINE_SHOTS
  afterEach(async ({ task }) => {
    const page = host()?.page
    if (task.result?.state !== 'fail' || !page) return
    const focus = await page.evaluate(() => document.activeElement?.outerHTML.slice(0, 300))
    const content = await page.locator('body').ariaSnapshot()
    console.error(
      `${task.name} failed at ${new URL(page.url()).hash}\nfocus: ${focus}\n${content.slice(0, MOST_SHOWN)}`
    )
    const name = `${host()?.kind}-${task.name}`.replace(/[^\w]+/g, '-').slice(0, 80)
    if (folder) await page.screenshot({ path: join(folder, `${name}.png`) })
  })
}

/** Gives a folder to the welcome screen the way its host offers: a drop on the window, or its path in a browser. */
export async function giveFolder(host: Pick<HostWindow, 'kind' | 'page'>, folder: string): Promise<void> {
  if (host.kind !== 'server') return dropFiles(host.page, [folder])
  const field = host.page.getByRole('combobox', { name: 'Folder path' })
  await field.fill(folder)
  await field.press('Enter')
}
