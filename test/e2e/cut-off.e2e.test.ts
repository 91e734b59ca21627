/** A killed host: the next start shows it, and after the third time it starts without watching. */
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type HostName, type RunningHost, serveProcess, startHost, tempDir } from '../support/host.ts'
import { callFromPage } from '../support/raw-calls.ts'
import { LONG } from '../support/scale.ts'
import { REAL_HOSTS } from '../support/window.ts'

test.each(REAL_HOSTS)(
  'cut off three times, the %s host starts safely and records again when asked',
  { tags: ['browser'], timeout: 60_000 },
  async (name: HostName) => {
    const dataDir = tempDir('data')
    const project = tempDir('project')
    writeFileSync(join(project, 'a.txt'), 'one\n')
    const kill = async (killed: ChildProcess) => {
      const gone = once(killed, 'exit')
      killed.kill('SIGKILL')
      await gone
    }
    // The notice after the first ones is a test of the banners.
    for (let times = 0; times < (LONG ? 2 : 3); times++) await kill((await serveProcess(dataDir, [project])).process)
    const start = () => startHost(name, { dataDir, args: name === 'server' ? ['--folder', project] : [project] })
    let host: RunningHost = await start()
    const banner = () => host.page.getByRole('region', { name: 'Notice' })
    if (LONG) {
      await banner().getByText('Driftline ended unexpectedly').waitFor()
      await kill(host.process)
      await host.close().catch(() => {})
      host = await start()
    }
    await banner().getByText('Safe mode:').waitFor()
    const [workspace] = (await callFromPage(host, 'workspaces.list', {})).workspaces
    if (!workspace) throw new Error('no folder is recorded')
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
