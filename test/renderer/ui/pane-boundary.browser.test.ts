/** A pane that fails says so and can be tried again; the other panes go on working. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Site, startSite } from '../../support/pages.ts'

declare const faults: Set<string>

describe('a pane that fails', { tags: ['browser'] }, () => {
  let site: Site
  beforeAll(async () => {
    site = await startSite('workspace')
  })
  afterAll(() => site?.close())

  /** The page after another run was selected while its changed files cannot be drawn. */
  const broken = async () => {
    const { page, problems } = await site.open('')
    await page.locator('.fr', { hasText: 'tax.ts' }).waitFor()
    await page.evaluate(() => faults.add('files'))
    await page.locator('.tl', { hasText: 'round totals' }).click()
    const alert = page.getByRole('alert').filter({ hasText: 'Couldn’t show the changed files.' })
    await alert.waitFor()
    return { page, problems, alert }
  }

  test('it says what failed and what is safe, with the details to copy; the other panes are usable', async () => {
    const { page, problems, alert } = await broken()
    await alert.getByText('Nothing recorded was lost, and no file was changed.').waitFor()
    await alert.getByRole('button', { name: 'Copy details' }).waitFor()
    expect(problems.join('\n')).toContain('files is broken on purpose')
    await page.locator('.diff-bar .bar-path').waitFor()
    await page.locator('.tl', { hasText: 'add tax' }).first().click()
    await page.locator('.tl[aria-selected="true"]', { hasText: 'add tax' }).waitFor()
  })

  test('Retry draws it again, and fails again as long as the cause is there', async () => {
    const { page, alert } = await broken()
    await alert.getByRole('button', { name: 'Retry' }).click()
    await alert.waitFor()
    await page.evaluate(() => faults.clear())
    await alert.getByRole('button', { name: 'Retry' }).click()
    await page.locator('.fr', { hasText: 'tax.ts' }).waitFor()
    expect(await alert.count()).toBe(0)
  })

  test('another selection tries again by itself', async () => {
    const { page, alert } = await broken()
    await page.evaluate(() => faults.clear())
    await page.locator('.tl', { hasText: 'add tax' }).first().click()
    await alert.waitFor({ state: 'detached' })
    await page.locator('.fr', { hasText: 'tax.ts' }).waitFor()
  })
})
