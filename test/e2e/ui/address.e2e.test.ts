/** [UI-10] The address names what is shown: Back and Forward lead to it, and a reload keeps it. */
import { beforeAll, expect, test } from 'vitest'
import { callHost } from '../../support/call-host.ts'
import { useProject } from '../../support/project.ts'
import { LONG } from '../../support/scale.ts'
import { scenario } from '../../support/scenario.ts'
import { fileOf } from '../../support/tree.ts'
import { becomes, diffPane, entry, fileRow, MOD, preview, previewRows, SOON } from '../../support/ui.ts'
import { inOneHost, useWindow } from '../../support/window.ts'

inOneHost('the address in the %s host', (name) => {
  const shop = useProject({ 'a.txt': 'a\n', 'b.txt': 'b\n' })
  const host = useWindow(name)
  const shows = (title: string) => host.page.getByRole('heading', { level: 1, name: title }).waitFor()
  /** Each screen by itself; in the normal form one reload keeps several. */
  const reloadInLongForm = async (): Promise<unknown> => LONG && host.page.reload()
  const pair = (words: string) => host.page.locator('.pane-foot').getByRole('button').first().getByText(words)
  const chip = () => host.page.getByRole('button', { name: 'Remove the filter: Changes of b.txt' })
  const showsFile = (file: string) => diffPane(host.page).getByRole('heading', { name: file }).waitFor()

  beforeAll(async () => {
    await host.open(shop)
    for (const title of ['First run', 'Second run', 'Third run'])
      await shop.run(title, { 'a.txt': `${title}\n`, 'b.txt': `${title}\n` })
  })

  test('[UI-31] the title of a tab counts the runs that ended unseen, until the tab is looked at', async () => {
    const { page } = host
    await page.evaluate(() => {
      document.hasFocus = () => false
    })
    await shop.run('Fourth run', { 'a.txt': 'four\n' })
    await expect.poll(() => page.title(), SOON).toBe('(1) shop · Driftline')
    await page.evaluate(() => {
      document.hasFocus = () => true
      window.dispatchEvent(new Event('focus'))
    })
    await expect.poll(() => page.title(), SOON).toBe('shop · Driftline')
  })

  test('[UI-31] a run that ended unseen is notified once notifications are allowed, unless the setting is off', async () => {
    const { page } = host
    await page.context().grantPermissions(['notifications'])
    await page.evaluate(() => {
      const shown: string[] = []
      class Recorded {
        static permission = 'granted'
        onclick: (() => void) | null = null
        constructor(title: string, { body }: { body: string }) {
          shown.push(`${title}: ${body}`)
        }
        close(): void {}
      }
      Object.assign(window, { shown, Notification: Recorded })
      document.hasFocus = () => false
    })
    const shown = () => page.evaluate(() => (window as unknown as { shown: string[] }).shown)
    await shop.run('Fifth run', { 'a.txt': 'five\n' })
    await expect.poll(shown, SOON).toEqual(['1 file changed in shop: Fifth run'])
    await callHost(shop.dataDir, 'settings.set', { key: 'desktop.notifications', value: 'no' })
    await shop.run('Sixth run', { 'a.txt': 'six\n' })
    await expect.poll(() => page.title(), SOON).toBe('(2) shop · Driftline')
    await callHost(shop.dataDir, 'settings.set', { key: 'desktop.notifications', value: 'yes' })
    await shop.run('Seventh run', { 'a.txt': 'seven\n' })
    await expect.poll(shown, SOON).toEqual(['1 file changed in shop: Fifth run', '1 file changed in shop: Seventh run'])
    await page.evaluate(() => {
      document.hasFocus = () => true
      window.dispatchEvent(new Event('focus'))
    })
  })

  scenario('[UI-10] two entries are compared by keyboard: the pair is named, swapped, closed and in the address', {
    'Shift and arrows select the pair, X swaps it, and Escape closes it': async () => {
      const { page } = host
      await shop.run('Left', { 'a.txt': 'left\n' })
      await shop.run('Right', { 'a.txt': 'right\n', 'new.txt': 'new\n' })
      await entry(page, /^Run, .*Right, .*ended/).click()
      await fileRow(page, /^new\.txt, added/).waitFor()
      await entry(page, /^Run, .*Right/).focus()
      for (let i = 0; i < 3; i++) {
        await page.keyboard.press('Shift+ArrowDown')
        if ((await page.locator(':focus').innerText()).includes('Left')) break
      }
      await shows('Comparing two entries')
      await pair('end of “Left” → end of “Right”').waitFor()
      await fileRow(page, /^a\.txt, modified/).waitFor()
      await page.keyboard.press('x')
      await pair('end of “Right” → end of “Left”').waitFor()
      await fileRow(page, /^new\.txt, deleted/).waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('heading', { level: 1, name: 'Comparing two entries' }).waitFor({ state: 'detached' })
    },

    'opening the folder again shows it, and Back leads out of it': async () => {
      const { page } = host
      await entry(page, /^Run, .*Right/).click()
      await shows('Right')
      await entry(page, /^Run, .*Left/).click({ modifiers: ['Shift'] })
      await shows('Comparing two entries')
      await host.reopen()
      await pair('end of “Left” → end of “Right”').waitFor()
      await page.goBack()
      await shows('Right')
      await page.goForward()
      await shows('Comparing two entries')
    },

    'a file of it is restored to the first position': async () => {
      const { page } = host
      const before = shop.tree()
      await fileRow(page, /^a\.txt, modified/).click()
      await diffPane(page).getByRole('button', { name: 'Restore file…' }).click()
      expect(await previewRows(page)).toEqual(['a.txt, modify.'])
      await page.keyboard.press(`${MOD}+Enter`)
      await becomes(shop, { ...before, 'a.txt': fileOf('left\n') })
      await preview(page).waitFor({ state: 'detached' })
    }
  })

  scenario('[UI-10] entries and screens are steps for Back, files are not', {
    'Back and Forward lead to the entries that were chosen, each with its file': async () => {
      const { page } = host
      await entry(page, /^Run, .*First run/).click()
      await fileRow(page, /^b\.txt/).click()
      await showsFile('b.txt')
      await entry(page, /^Run, .*Second run/).click()
      await shows('Second run')
      await showsFile('a.txt')
      await entry(page, /^Run, .*Second run/).focus()
      await page.goBack()
      await shows('First run')
      await showsFile('b.txt')
      await entry(page, /^Run, .*First run/)
        .and(page.locator(':focus'))
        .waitFor()
      await page.goForward()
      await shows('Second run')
      await showsFile('a.txt')
    },

    '[UI-35] the filter is in the address': async () => {
      const { page } = host
      await fileRow(page, /^b\.txt/).click()
      await showsFile('b.txt')
      await page.waitForURL(/entry=run_\w+&file=b\.txt/)
      await reloadInLongForm()
      await shows('Second run')
      await showsFile('b.txt')
      await page.getByRole('button', { name: 'Choose what is shown' }).click()
      await page.getByRole('menuitemradio', { name: 'Changes of b.txt' }).click()
      await page.waitForURL(/filter=path%3Db\.txt/)
      await reloadInLongForm()
      await chip().waitFor()
      await showsFile('b.txt')
    },

    'the history of a file is a step, too': async () => {
      const { page } = host
      const header = page.getByRole('button', { name: 'Restore this version…' })
      await page.keyboard.press('Alt+h')
      await header.waitFor()
      await reloadInLongForm()
      await header.waitFor()
      await page.goBack()
      await header.waitFor({ state: 'detached' })
      await shows('Second run')
      await showsFile('b.txt')
      await page.goForward()
      await header.waitFor()
    },

    'the settings are a step, too, and another page of them is none; a reload keeps them and all below them':
      async () => {
        const { page } = host
        const header = page.getByRole('button', { name: 'Restore this version…' })
        const page1 = page.getByRole('heading', { level: 1, name: 'General' })
        const page2 = page.getByRole('heading', { level: 1, name: 'Storage' })
        await page.keyboard.press(`${MOD}+,`)
        await page1.waitFor()
        await page.getByRole('navigation', { name: 'Settings' }).getByRole('button', { name: 'Storage' }).click()
        await page2.waitFor()
        await page.reload()
        await page2.waitFor()
        await page.goBack()
        await page2.waitFor({ state: 'detached' })
        await header.waitFor()
        await page.goForward()
        await page2.waitFor()
        await page.goBack()
        await header.waitFor()
        await page.goBack()
        await header.waitFor({ state: 'detached' })
        await shows('Second run')
        await showsFile('b.txt')
      },

    'the filter is still there, and a key removes its chip': async () => {
      const { page } = host
      await chip().focus()
      await page.keyboard.press('Enter')
      await chip().waitFor({ state: 'detached' })
      await page.waitForURL((url) => !url.hash.includes('filter'))
    },

    'Back returns from the first screen to the entry': async () => {
      const { page } = host
      await page.locator('.switcher').click()
      await page.getByRole('menuitem', { name: /All folders/ }).click()
      await page.getByRole('region', { name: 'Recent' }).waitFor()
      await page.goBack()
      await shows('Second run')
      await showsFile('b.txt')
    }
  })
})
