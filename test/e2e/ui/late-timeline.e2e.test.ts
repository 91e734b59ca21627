/** Parts of the timeline arrive late, or in another order than they are wanted. */
import { beforeAll, expect, test } from 'vitest'
import { type HeldReplies, interceptReplies } from '../../support/held-replies.ts'
import { useProject } from '../../support/project.ts'
import { diffPane, entry, fileRow, timelineOf } from '../../support/ui.ts'
import { addOldRuns } from '../../support/ui-history.ts'
import { inOneHost, useWindow } from '../../support/window.ts'

/** More than two pages. */
const OLD_RUNS = 1300

inOneHost('a timeline that is late in the %s host', (name) => {
  const shop = useProject({ 'a.txt': 'a\n' })
  const host = useWindow(name)
  let replies: HeldReplies

  beforeAll(async () => {
    await shop.add()
    await addOldRuns(shop, OLD_RUNS)
    await shop.run('First run', { 'a.txt': 'b\n' })
    const page = await host.open(shop, {}, async (unloaded) => {
      replies = await interceptReplies(unloaded)
    })
    await entry(page, /^Run, .*First run/).click()
    await fileRow(page, /^a\.txt, modified/).waitFor()
  })

  test('[UI-3] Review opens an outside change that the timeline has not loaded yet', async () => {
    const { page } = host
    replies.hold('timeline.list')
    shop.edit({ 'b.txt': 'by hand\n' })
    await page.getByRole('region', { name: 'Notice' }).getByRole('button', { name: 'Review' }).click()
    await expect.poll(() => replies.count()).toBeGreaterThan(0)
    expect(await entry(page, /changed outside/).count()).toBe(0)
    replies.release()
    await fileRow(page, /^b\.txt, added/).waitFor()
    await diffPane(page).getByRole('heading', { name: 'b.txt' }).waitFor()
  })

  test('[UI-34] End goes to the oldest entry also when entries before it arrive first', async () => {
    const { page } = host
    const scrollToMiddle = () =>
      timelineOf(page)
        .getByRole('tree')
        .evaluate((box) => {
          box.scrollTop = box.scrollHeight / 2
        })
    replies.hold('timeline.list')
    await scrollToMiddle()
    await expect.poll(() => replies.count()).toBe(1)
    await page.keyboard.press('Alt+1')
    await timelineOf(page).locator('[role="treeitem"]:focus').waitFor()
    await page.keyboard.press('End')
    await expect.poll(() => replies.count()).toBe(2)
    replies.releaseFirst()
    await scrollToMiddle()
    await entry(page, /Old run 6\d\d,/)
      .first()
      .waitFor()
    replies.release()
    await entry(page, /Old run 1,/)
      .and(page.locator(':focus'))
      .waitFor()
  })
})
