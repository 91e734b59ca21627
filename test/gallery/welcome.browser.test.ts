/** The first screen in a browser: a folder is found without knowing its path by heart. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Site, startSite } from '../support/pages.ts'
import { SOON } from '../support/ui.ts'

describe('the first screen', { tags: ['browser'] }, () => {
  let site: Site

  beforeAll(async () => {
    site = await startSite('gallery')
  })

  afterAll(() => site?.close())

  test('a path can be typed at once, and Browse lists folders from the home folder down', async () => {
    const { page } = await site.open('variant=no-recents&host=browser')
    const field = page.getByRole('combobox', { name: 'Folder path' })
    await field.and(page.locator(':focus')).waitFor()
    await page.getByRole('button', { name: 'Browse…' }).click()
    const options = page.getByRole('listbox', { name: 'Folders' }).getByRole('option')
    await expect.poll(() => options.allInnerTexts(), SOON).toContain('/home/kim/code/shop-api')
    await field.and(page.locator(':focus')).waitFor()
  })

  test('for a file its folder is offered', async () => {
    const { page } = await site.open('variant=no-recents&host=browser')
    const field = page.getByRole('combobox', { name: 'Folder path' })
    await field.fill('/home/kim/code/ledger/README.md')
    await field.press('Enter')
    await page.getByRole('button', { name: 'Use its folder, ~/code/ledger' }).waitFor()
  })
})
