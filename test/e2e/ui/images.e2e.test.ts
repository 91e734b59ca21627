/** [UI-32] Two versions of a picture are compared side by side, by swiping, fading or difference, fitted or in full size. */
import { beforeAll, expect, test } from 'vitest'
import { violationsInBothThemes } from '../../support/axe.ts'
import { useProject } from '../../support/project.ts'
import { diffPane, entry, SOON } from '../../support/ui.ts'
import { inOneHost, useWindow } from '../../support/window.ts'

const picture = (color: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="2000" height="1500"><rect width="2000" height="1500" fill="${color}"/></svg>\n`

inOneHost('pictures in the %s host', (name) => {
  const shop = useProject({ 'logo.svg': picture('teal') })
  const host = useWindow(name)

  beforeAll(async () => {
    shop.driftline('add', shop.root)
    await shop.run('Paint', { 'logo.svg': picture('navy') })
    await host.open(shop)
    await entry(host.page, /^Run, .*Paint/).click()
    await host.page.getByRole('img', { name: 'logo.svg, after' }).waitFor()
  })

  const widths = () =>
    host.page
      .getByRole('img', { name: /^logo\.svg, / })
      .evaluateAll((images) => images.map((image) => image.clientWidth))
  const choose = (title: string) => diffPane(host.page).getByRole('button', { name: title, exact: true }).click()

  test('[UI-32] a picture fits its side, or is in full size and scrolls by keys', async () => {
    const { page } = host
    const fits = () => expect.poll(async () => Math.max(...(await widths())), SOON).toBeLessThan(400)
    await choose('2-up')
    await fits()
    await choose('100 %')
    await expect.poll(widths, SOON).toEqual([2000, 2000])
    const after = page.getByRole('region', { name: 'The image after' })
    await after.focus()
    await page.keyboard.press('End')
    await expect.poll(() => after.evaluate((element) => element.scrollTop), SOON).toBeGreaterThan(0)
    expect(await violationsInBothThemes(page)).toEqual([])
    await choose('Fit')
    await fits()
  })

  test('[UI-32] by swiping, the version before is at the left of the edge and the one after at its right', async () => {
    const { page } = host
    await choose('Swipe')
    const clip = () =>
      page.locator('.image-after').evaluate((image) => getComputedStyle(image).clipPath.replaceAll(/\s+/g, ' '))
    await page.getByRole('slider', { name: 'Share of the image before' }).fill('30')
    await expect.poll(clip, SOON).toMatch(/^inset\(0(px)? 0(px)? 0(px)? 30%\)$/)
    await choose('Onion')
    await page.getByRole('slider', { name: 'Opacity of the image after' }).waitFor()
  })
})
