/** [UI-3] What a banner names is opened, also before the timeline has it. */
import { beforeAll, expect, test } from 'vitest'
import { type HeldReplies, holdReplies } from '../../support/held-replies.ts'
import { useProject } from '../../support/project.ts'
import { diffPane, entry, fileRow } from '../../support/ui.ts'
import { inOneHost, useWindow } from '../../support/window.ts'

inOneHost('a timeline that is late in the %s host', (name) => {
  const shop = useProject({ 'a.txt': 'a\n' })
  const host = useWindow(name)
  let replies: HeldReplies

  beforeAll(async () => {
    shop.driftline('add', shop.root)
    await shop.run('First run', { 'a.txt': 'b\n' })
    const page = await host.open(shop)
    replies = await holdReplies(page)
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
})
