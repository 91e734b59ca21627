/** The first screen in a browser: a folder is found without knowing its path by heart. */
import { join } from 'node:path'
import type { Locator } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { dragFiles } from '../support/drop.ts'
import { type Site, startSite } from '../support/pages.ts'
import { SOON } from '../support/ui.ts'

const README = join(import.meta.dirname, '../../README.md')

async function middleOf(part: Locator): Promise<{ x: number; y: number }> {
  const { x, y, width, height } = (await part.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
  return { x: x + width / 2, y: y + height / 2 }
}

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

  test('what is dropped before the drag moved is taken, though the zone replaced the field below it', async () => {
    const { page } = await site.open('variant=no-recents&host=browser')
    const drag = await dragFiles(page, [README], await middleOf(page.getByRole('combobox', { name: 'Folder path' })))
    await page.getByText('Release to record this folder').waitFor()
    await drag.drop()
    await page.getByRole('alert').getByText('README.md is a file').waitFor()
  })

  test('no drop can be lost with an element that is replaced under the pointer: one covers the window from the first drag event', async () => {
    const { page } = await site.open('variant=no-recents&host=browser')
    const field = await middleOf(page.getByRole('combobox', { name: 'Folder path' }))
    await dragFiles(page, [README], field)
    const under = ({ x, y }: { x: number; y: number }) =>
      [document.elementFromPoint(x, y), document.elementFromPoint(1, 1)].map((element) => element?.className)
    expect(await page.evaluate(under, field)).toEqual(['drop-cover', 'drop-cover'])
    await page.mouse.move(5, 5)
    await expect.poll(() => page.evaluate(under, field), SOON).not.toContain('drop-cover')
  })

  test('a drag that ended elsewhere leaves the zone as it was', async () => {
    const { page } = await site.open('variant=no-recents&host=browser')
    const field = page.getByRole('combobox', { name: 'Folder path' })
    const drag = await dragFiles(page, [README], await middleOf(field))
    await page.getByText('Release to record this folder').waitFor()
    await drag.over()
    await page.evaluate(() => document.body.dispatchEvent(new DragEvent('dragleave', { bubbles: true })))
    await field.waitFor()
    await drag.over()
    await page.getByText('Release to record this folder').waitFor()
    // The browser reports nothing of a drag that ended over an element which is gone.
    await page.mouse.move(5, 5)
    await field.waitFor()
  })
})
