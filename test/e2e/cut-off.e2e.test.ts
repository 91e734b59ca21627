/** A killed host: the next start shows it, and after the third time it starts without watching. */
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type HostName, type RunningHost, startHost, tempDir } from '../support/host.ts'
import { callFromPage } from '../support/raw-calls.ts'

test.each(['server', 'electron'] as const)(
  'cut off three times, the %s host starts safely and records again when asked',
  { tags: ['browser'], timeout: 60_000 },
  async (name: HostName) => {
    const dataDir = tempDir('data')
    const project = tempDir('project')
    writeFileSync(join(project, 'a.txt'), 'one\n')
    let host: RunningHost = await startHost(name, { dataDir })
    const { workspace } = await callFromPage(host, 'workspaces.add', { folder: project, wait: true })
    const banner = () => host.page.getByRole('region', { name: 'Notice' })
    for (const said of ['Driftline ended unexpectedly', 'Driftline ended unexpectedly', 'Safe mode:']) {
      const gone = new Promise((resolve) => host.process.once('exit', resolve))
      host.process.kill('SIGKILL')
      await gone
      await host.close().catch(() => {})
      host = await startHost(name, { dataDir, args: name === 'server' ? ['--folder', project] : [project] })
      await banner().getByText(said).waitFor()
    }
    const state = async () =>
      (await callFromPage(host, 'workspace.status', { workspace: workspace.id, check: false })).watcher.state
    expect(await state()).toBe('off')
    await banner().getByRole('button', { name: 'Start recording' }).click()
    await expect.poll(state).toBe('live')
    writeFileSync(join(project, 'a.txt'), 'two\n')
    const drift = async () =>
      (await callFromPage(host, 'drift.list', { workspace: workspace.id, check: false })).drift.map((one) => one.count)
    await expect.poll(drift).toEqual([1])
    await host.close()
    for (const folder of [dataDir, project]) rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  }
)
