/** [UI-3] What a banner names is opened, also before the timeline has it. */
import type { WebSocketRoute } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { useProject } from '../../support/project.ts'
import { diffPane, entry, fileRow, timelineOf } from '../../support/ui.ts'
import { inOneHost, useWindow } from '../../support/window.ts'

inOneHost('a timeline that is late in the %s host', (name) => {
  const shop = useProject({ 'a.txt': 'a\n' })
  const host = useWindow(name)
  /** Replies with the timeline that are held back; null: none is. */
  let held: (() => void)[] | null = null

  const hold = (page: WebSocketRoute): void => {
    const engine = page.connectToServer()
    const lists = new Set<number>()
    page.onMessage((frame) => {
      const { id, method } = JSON.parse(String(frame))
      if (method === 'timeline.list') lists.add(id)
      engine.send(frame)
    })
    engine.onMessage((frame) => {
      const send = (): void => page.send(frame)
      if (held && lists.has(JSON.parse(String(frame)).id)) held.push(send)
      else send()
    })
  }

  beforeAll(async () => {
    shop.driftline('add', shop.root)
    await shop.run('First run', { 'a.txt': 'b\n' })
    const page = await host.open(shop)
    await page.routeWebSocket(/./, hold)
    await page.reload()
    await timelineOf(page).waitFor()
    await entry(page, /^Run, .*First run/).click()
    await fileRow(page, /^a\.txt, modified/).waitFor()
  })

  test('[UI-3] Review opens an outside change that the timeline has not loaded yet', async () => {
    const { page } = host
    held = []
    shop.edit({ 'b.txt': 'by hand\n' })
    await page.getByRole('region', { name: 'Notice' }).getByRole('button', { name: 'Review' }).click()
    await expect.poll(() => held?.length).toBeGreaterThan(0)
    expect(await entry(page, /changed outside/).count()).toBe(0)
    const late = held
    held = null
    for (const send of late) send()
    await fileRow(page, /^b\.txt, added/).waitFor()
    await diffPane(page).getByRole('heading', { name: 'b.txt' }).waitFor()
  })
})
