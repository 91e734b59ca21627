/** A browser whose host ended: it shows this at once, reading still works, nothing is written, and the next host has everything. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { type ServeProcess, serveProcess, tempDir } from '../../support/host.ts'
import { useProject } from '../../support/project.ts'
import { scenario } from '../../support/scenario.ts'
import { diffPane, entry, fileRow, MOD, preview, SOON } from '../../support/ui.ts'
import { useWindow } from '../../support/window.ts'

describe('a browser whose host ended', { tags: ['browser'] }, () => {
  const shop = useProject({ 'a.txt': 'a\n', 'b.txt': 'b\n' })
  const host = useWindow('server')
  const other = tempDir('data')
  let next: ServeProcess | undefined

  beforeAll(async () => {
    await host.open(shop)
    await shop.run('Change both', { 'a.txt': 'A\n', 'b.txt': 'B\n' })
    await entry(host.page, /^Run, .*Change both/).click()
    await fileRow(host.page, /^b\.txt/).click()
    await diffPane(host.page).locator('.view-line', { hasText: 'B' }).first().waitFor()
  })
  // The page first: a host that ends waits for its connected clients.
  afterAll(async () => {
    await host.close()
    await next?.stop()
    rmSync(other, { recursive: true, force: true })
  })

  scenario('it shows this, writes nothing, and shows everything again with the next host', {
    'it shows this within two seconds, and the screen stays readable': async () => {
      const { page } = host
      await page.clock.install()
      host.process.kill('SIGKILL')
      // The page's clock is ours now: a second and a bit, as a person would wait.
      await expect
        .poll(async () => {
          await page.clock.runFor(500)
          return page.getByRole('button', { name: 'Reconnecting…' }).isVisible()
        }, SOON)
        .toBe(true)
      await diffPane(page).locator('.view-line', { hasText: 'B' }).first().waitFor()
      expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Change both')
    },

    'nothing can be written, and every action shows the reason': async () => {
      const { page } = host
      const before = shop.tree()
      const restore = page.getByRole('button', { name: 'Restore to start…' })
      await expect.poll(() => restore.getAttribute('aria-disabled'), SOON).toBe('true')
      expect(await restore.getAttribute('aria-description')).toMatch(/connection to the recorder/)
      for (const name of [/^Undo file…/, /^Undo this change…/]) {
        const undo = diffPane(page).getByRole('button', { name }).first()
        expect(await undo.getAttribute('aria-disabled'), String(name)).toBe('true')
        expect(await undo.getAttribute('aria-description'), String(name)).toMatch(/connection to the recorder/)
      }
      await page.keyboard.press('Alt+1')
      await page.keyboard.press('r')
      await page.keyboard.press(`${MOD}+z`)
      await page
        .locator('.toast')
        .getByText(/not connected|connection/i)
        .first()
        .waitFor()
      expect(await preview(page).count()).toBe(0)
      expect(shop.tree()).toEqual(before)
    },

    'after ten seconds a banner says what is safe and what to do': async () => {
      const { page } = host
      await page.clock.runFor(11_000)
      const banner = page.getByRole('region', { name: 'Notice' })
      await banner.getByText('Not connected to the recorder').waitFor()
      await banner.getByText(/Restore and undo are unavailable\./).waitFor()
      await banner.getByRole('button', { name: 'Retry' }).waitFor()
    },

    '[UI-11] with the next host of the data folder it continues without a reload and has everything': async () => {
      const { page } = host
      const load = await page.evaluate(() => performance.timeOrigin)
      // Else the page reconnects by itself first, and there is nothing to press.
      await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 10_000)
      next = await serveProcess(shop.dataDir, [shop.root])
      expect(new URL(next.line).port).toBe(new URL(page.url()).port)
      await page.getByRole('region', { name: 'Notice' }).getByRole('button', { name: 'Retry' }).click()
      await page.clock.resume()
      await page.getByRole('button', { name: 'Recording', exact: true }).waitFor()
      await entry(page, /^Run, .*Change both.*ended/).waitFor()
      await page.getByRole('button', { name: 'Restore to start…' }).click()
      await preview(page).getByRole('button', { name: 'Restore 2 files' }).waitFor()
      await preview(page).getByRole('button', { name: 'Cancel' }).click()
      expect(await page.evaluate(() => performance.timeOrigin)).toBe(load)
    },

    'and with the one after it, whose key it gets from this one': async () => {
      const { page } = host
      await next?.stop()
      await page.getByRole('button', { name: 'Reconnecting…' }).waitFor()
      next = await serveProcess(shop.dataDir, [shop.root])
      await page.clock.runFor(10_000)
      await page.getByRole('button', { name: 'Recording', exact: true }).waitFor()
      await page.reload()
      await entry(page, /^Run, .*Change both.*ended/).waitFor()
    },

    '[UI-11] with the host of another data folder, the tab says that its key is old, also after a reload': async () => {
      const { page } = host
      const { port } = new URL(page.url())
      await next?.stop()
      await page.getByRole('button', { name: 'Reconnecting…' }).waitFor()
      next = await serveProcess(other, ['--port', port])
      await page.clock.runFor(12_000)
      const banner = page.getByRole('region', { name: 'Notice' })
      await banner.getByText('This tab has an old address:').waitFor()
      await banner.getByText(`${join(shop.dataDir, 'bin/driftline')} open`, { exact: true }).waitFor()
      await page.getByRole('button', { name: 'Disconnected' }).waitFor()
      await page.reload()
      await page.getByText(/This tab has an old address: Driftline was restarted\. .*driftline open/).waitFor()
    },

    'the address that the next host prints shows it in the same tab': async () => {
      const { page } = host
      await next?.stop()
      next = await serveProcess(shop.dataDir, [shop.root])
      // Only the fragment differs from the address before.
      await page.goto(next.line)
      await entry(page, /^Run, .*Change both.*ended/).waitFor()
    }
  })
})
