/** Another machine in the window: it is added, watched, reviewed, restored, cut off, shown from the cache and reached again. */
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { quoteShell } from '../../src/contract/words/shell.ts'
import { type FarHost, farHost } from '../support/far-host.ts'
import { type RunningHost, startHost, tempDir } from '../support/host.ts'
import { beginRun } from '../support/host-runs.ts'
import { equipSsh } from '../support/ssh-to.ts'
import { type Content, writeFiles } from '../support/tree.ts'

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first()

/** The command of `far`, which gives no shell while the file `gate` exists. */
function gated(gate: string, command: readonly string[]): readonly string[] {
  return ['sh', '-c', 'test ! -e "$0" || { echo "The gate is shut."; exit 1; } >&2; exec "$@"', gate, ...command]
}

const quoted = (words: readonly string[]): string => words.map(quoteShell).join(' ')

/** Ends the connection: what the host started, ssh or the bridge itself. */
function cut(host: RunningHost): void {
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const parent = / \S (\d+) /.exec(readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\)/, ''))?.[1]
      if (Number(parent) === host.process.pid && /^ssh\0|bridge/.test(readFileSync(`/proc/${pid}/cmdline`, 'utf8')))
        process.kill(Number(pid), 'SIGKILL')
    } catch {
      // Expected: ENOENT, a process that ended meanwhile.
    }
  }
}

async function addHost(page: Page, name: string, command: readonly string[]): Promise<void> {
  await button(page, /Add a host|Hosts…/).click()
  await page.getByLabel('Name', { exact: true }).fill(name)
  await page.getByLabel('Command that ends in a shell there').fill(quoted(command))
  await button(page, 'Add host').click()
  await page.getByRole('region', { name: 'Host added' }).waitFor()
}

async function recordFolder(page: Page, host: string, folder: string): Promise<void> {
  await button(page, 'Record a folder…').click()
  await page.getByRole('textbox', { name: `Folder on ${host}` }).fill(folder)
  await page.getByRole('dialog').getByRole('button', { name: 'Record', exact: true }).click()
  await page.getByRole('button', { name: new RegExp(`${host}.*app`) }).waitFor()
}

/** Undoes the newest run with the buttons of the window. */
async function undoRun(page: Page): Promise<void> {
  await button(page, /^Undo this run|^Undo run/).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^(Undo|Restore)/ })
    .last()
    .click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
}

async function story(host: RunningHost, far: FarHost, command: readonly string[], gate: string): Promise<void> {
  const { page } = host
  far.write('app/a.txt', 'one\n')
  await addHost(page, 'box', gated(gate, command))
  await recordFolder(page, 'box', join(far.home, 'app'))

  const folder = {
    dataDir: far.data,
    edit: (files: Readonly<Record<string, Content>>) => writeFiles(join(far.home, 'app'), files)
  }
  // As `driftline run` there would record it; a test of the command line does that.
  const recordThere = async (title: string, files: Readonly<Record<string, Content>>): Promise<void> =>
    (await beginRun(folder, title, files)).end()
  await recordThere('echo two', { 'a.txt': 'two\n', 'b.txt': 'new\n' })
  await page
    .getByRole('treeitem', { name: /echo two/ })
    .first()
    .click()
  await page
    .getByRole('treeitem', { name: /a\.txt/ })
    .first()
    .click()
  await page.locator('#diff-pane .view-line', { hasText: 'two' }).first().waitFor()
  await undoRun(page)
  await expect.poll(() => far.read('app/a.txt')).toBe('one\n')

  writeFileSync(gate, '')
  cut(host)
  await page
    .getByText(/out of reach/i)
    .first()
    .waitFor()
  await page.reload()
  await page
    .getByRole('treeitem', { name: /echo two/ })
    .first()
    .waitFor()
  await page
    .getByText(/box is out of reach/)
    .first()
    .waitFor()
  expect(await button(page, /Undo restore/).getAttribute('aria-description')).toBe('box is out of reach')
  // Recorded there meanwhile.
  await recordThere('echo three', { 'a.txt': 'three\n' })
  rmSync(gate)
  await button(page, 'Retry').click()
  await page
    .getByRole('treeitem', { name: /echo three/ })
    .first()
    .waitFor()

  await button(page, /box.*app/).click()
  await page.getByRole('menuitem', { name: 'All hosts, today' }).click()
  const today = page.getByRole('list', { name: 'Entries of today' })
  await today
    .getByRole('button', { name: /echo three.*box · app/ })
    .first()
    .waitFor()
  await page.getByLabel('Search all folders of all hosts').fill('three')
  await page.getByRole('list', { name: 'Results' }).getByRole('button').first().waitFor()
}

test('[RH-6] a host in the window is added, reviewed, restored, cut off, readable meanwhile, and reached again', {
  tags: ['browser', 'posix'],
  timeout: 90_000
}, async () => {
  const far = farHost()
  const gate = join(tempDir('gate'), 'shut')
  const host = await startHost('server')
  try {
    await story(host, far, far.command, gate)
  } finally {
    await host.close()
    far.remove()
    rmSync(join(gate, '..'), { recursive: true })
  }
})

// Long: a host by ssh is a test of the command line (hosts-ssh), and one in the window is above.
test('[RH-6] two hosts, one by ssh, are in one window', {
  tags: ['browser', 'sshd', 'long'],
  timeout: 150_000
}, async () => {
  const [far, den] = [farHost(), farHost()]
  const folder = tempDir('ssh')
  const host = await startHost('server')
  const { page } = host
  try {
    await story(host, far, equipSsh(far, join(folder, 'ssh')), join(folder, 'shut'))
    await page.getByRole('button', { name: 'All folders' }).click()
    den.write('app/a.txt', 'den\n')
    await addHost(page, 'den', den.command)
    await page
      .getByRole('listitem')
      .filter({ hasText: 'den' })
      .getByRole('button', { name: 'Record a folder…' })
      .click()
    await page.getByRole('textbox', { name: 'Folder on den' }).fill(join(den.home, 'app'))
    await page.getByRole('dialog').getByRole('button', { name: 'Record', exact: true }).click()
    await page.getByRole('button', { name: /den.*app/ }).waitFor()
    den.driftline('run', '--', 'sh', '-c', 'echo four > a.txt')
    await page
      .getByRole('treeitem', { name: /echo four/ })
      .first()
      .click()
    await undoRun(page)
    await expect.poll(() => den.read('app/a.txt')).toBe('den\n')
    await button(page, /den.*app/).click()
    await page.getByRole('menuitem', { name: 'All hosts, today' }).click()
    const today = page.getByRole('list', { name: 'Entries of today' })
    await today
      .getByRole('button', { name: /echo three.*box · app/ })
      .first()
      .waitFor()
    await today
      .getByRole('button', { name: /echo four.*den · app/ })
      .first()
      .waitFor()
  } finally {
    await host.close()
    for (const each of [far, den]) each.remove()
    rmSync(folder, { recursive: true })
  }
})
