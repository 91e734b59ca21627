/** A real project, its history and a window on it: what specs of the screens start from. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { afterEach, expect } from 'vitest'
import { dropFiles } from './drop.ts'
import { type HostName, hostEnv, type RunningHost, startHost } from './host.ts'
import { tempFolder } from './tmp.ts'
import { type Content, readTree, type Tree, writeFiles } from './tree.ts'

export const HOSTS = ['electron', 'server'] as const satisfies readonly HostName[]

/** How long a test waits for what a person would see, on a busy machine too. */
export const SOON = { timeout: 8000, interval: 25 } as const

const LAUNCHER = resolve(import.meta.dirname, '../../bin/driftline')

/** A folder with files, and a data folder of its own. Use with `using`. */
export interface Project extends Disposable {
  readonly root: string
  readonly dataDir: string
  /** The folder that holds both: a place for what a test needs beside them. */
  readonly beside: string
  tree(): Tree
  /** Writes files as somebody who is not recorded. */
  edit(files: Readonly<Record<string, Content>>): void
  /** Runs `driftline` on it and waits; answers its output. Throws with its words when it fails. */
  driftline(...args: readonly string[]): string
  /** Records one run through the command line: it writes `files`, then runs `then` in a shell, in the folder. */
  run(title: string, files: Readonly<Record<string, Content>>, then?: string): Promise<void>
}

let staged = 0

export function project(files: Readonly<Record<string, Content>>, name = 'shop'): Project {
  const temp = tempFolder()
  const root = join(temp.path, name)
  const dataDir = join(temp.path, 'data')
  mkdirSync(root)
  mkdirSync(dataDir)
  writeFiles(root, files)
  const common = ['--data', dataDir, '--folder', root]
  return {
    root,
    dataDir,
    beside: temp.path,
    tree: () => readTree(root),
    edit: (changed) => writeFiles(root, changed),
    driftline: (command, ...args) => {
      const ended = spawnSync(LAUNCHER, [command ?? '', ...common, ...args], {
        cwd: root,
        env: hostEnv(),
        encoding: 'utf8'
      })
      if (ended.status !== 0) throw new Error(`driftline ${command}: ${ended.stderr}${ended.stdout}`)
      return ended.stdout
    },
    run: async (title, changed, then = ':') => {
      const stage = join(temp.path, `stage-${++staged}`)
      mkdirSync(stage)
      writeFiles(stage, changed)
      const program = ['sh', '-c', `cp -a "$0"/. . && ${then}`, stage]
      const child = spawn(LAUNCHER, ['run', '--title', title, ...common, '--', ...program], {
        cwd: root,
        env: hostEnv(),
        stdio: ['ignore', 'ignore', 'pipe']
      })
      let said = ''
      child.stderr.on('data', (text: Buffer) => {
        said += String(text)
      })
      const [code] = await once(child, 'close')
      if (code !== 0) throw new Error(`driftline run ended with ${code}: ${said}`)
    },
    [Symbol.dispose]: () => {
      temp[Symbol.dispose]()
      rmSync(temp.path, { recursive: true, force: true, maxRetries: 3 })
    }
  }
}

/** Starts the host on the project's data, with its folder shown when `open`. */
export async function windowOn(
  host: HostName,
  on: Project,
  open = true,
  env: Readonly<Record<string, string>> = {}
): Promise<RunningHost> {
  const running = await startHost(host, { dataDir: on.dataDir, args: open ? [on.root] : [], env })
  running.page.setDefaultTimeout(8000)
  if (open) await timelineOf(running.page).waitFor()
  return running
}

/** Gives a folder to the welcome screen the way its host offers: a drop on the window, or its path in a browser. */
export async function giveFolder(host: RunningHost, folder: string): Promise<void> {
  if (host.kind !== 'server') return dropFiles(host.page, [folder])
  const field = host.page.getByRole('combobox', { name: 'Path of the folder' })
  await field.fill(folder)
  await field.press('Enter')
}

/** What is on screen when a test of the calling suite fails, saved in the folder DRIFTLINE_SHOTS names, if it does. */
export function shootFailures(host: () => RunningHost | undefined): void {
  const folder = process.env.DRIFTLINE_SHOTS
  if (!folder) return
  afterEach(async ({ task }) => {
    const page = host()?.page
    if (task.result?.state !== 'fail' || !page) return
    const name = `${host()?.kind}-${task.name}`.replace(/[^\w]+/g, '-').slice(0, 80)
    await page.screenshot({ path: join(folder, `${name}.png`) })
  })
}

export function timelineOf(page: Page): Locator {
  return page.getByRole('navigation', { name: 'Timeline' })
}

/** Opens the settings at a page, the way the menu, the palette and the keys do; answers the whole of them. */
export async function openSettings(page: Page, title: string): Promise<Locator> {
  const settings = page.getByRole('dialog', { name: 'Settings' })
  if (!(await settings.isVisible())) await page.keyboard.press(`${MOD}+,`)
  await settings.getByRole('navigation', { name: 'Settings' }).getByRole('button', { name: title }).click()
  await settings.getByRole('heading', { level: 1, name: title }).waitFor()
  return settings
}

/** Rows of the timeline; `name` is matched against what is read aloud. */
export function entry(page: Page, name: string | RegExp): Locator {
  return timelineOf(page).getByRole('treeitem', { name })
}

/** A row of the changed files. */
export function fileRow(page: Page, name: string | RegExp): Locator {
  return page.getByRole('complementary', { name: 'Changed files' }).getByRole('treeitem', { name })
}

export function diffPane(page: Page): Locator {
  return page.locator('#diff-pane')
}

/** The open restore preview. */
export function preview(page: Page): Locator {
  return page.locator('[role="dialog"], [role="alertdialog"]').filter({ has: page.locator('#restore-title') })
}

/** What the files of an open preview are told to become, as read aloud, without section heads. */
export async function previewRows(page: Page): Promise<string[]> {
  const rows = preview(page).getByRole('treeitem').and(page.locator('[aria-level="2"]'))
  await rows.first().waitFor()
  return rows.evaluateAll((all) => all.map((row) => row.querySelector('.sr')?.textContent ?? ''))
}

export function toast(page: Page, text: string | RegExp): Locator {
  return page.locator('.toast').filter({ hasText: text })
}

/** Mod is Ctrl wherever the tests run but on macOS. */
export const MOD = process.platform === 'darwin' ? 'Meta' : 'Control'

/** Waits until the folder on disk is this tree, and says what differs when it never is. */
export async function becomes(on: Project, tree: Tree): Promise<void> {
  await expect.poll(() => on.tree(), SOON).toEqual(tree)
}
