/** [UI-30] Each host opens the shown file in the person's editor, at the line. */
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { useProject } from '../../support/project.ts'
import { diffPane, entry, fileRow, SOON } from '../../support/ui.ts'
import { inEachRealHost, useWindow } from '../../support/window.ts'

inEachRealHost('the editor in the %s host', (name) => {
  const shop = useProject({ 'a.txt': 'one\ntwo\nthree\n' })
  const host = useWindow(name)
  let log: string
  /** What the editor was started with, each start on a line. */
  const opened = (): string => (existsSync(log) ? readFileSync(log, 'utf8') : '')

  beforeAll(async () => {
    const editor = join(shop.dataDir, 'code')
    log = join(shop.dataDir, 'opened')
    writeFileSync(editor, `#!/bin/sh\necho "$*" >> '${log}'\n`)
    chmodSync(editor, 0o755)
    await host.open(shop, { VISUAL: editor, ...(process.env.DISPLAY ? {} : { WAYLAND_DISPLAY: 'wayland-0' }) })
    await shop.run('Count', { 'a.txt': 'one\n2\nthree\n' })
  })

  test('[UI-30] the key O and the menu of a line open the file, the menu at its line', {
    tags: ['posix']
  }, async () => {
    const { page } = host
    const file = join(shop.root, 'a.txt')
    await entry(page, /^Run, .*Count/).click()
    await fileRow(page, /^a\.txt/).press('o')
    await expect.poll(opened, SOON).toBe(`${file}\n`)
    await diffPane(page).locator('.editor.modified .view-line', { hasText: '2' }).click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Open in editor' }).click()
    await expect.poll(opened, SOON).toBe(`${file}\n--goto ${file}:2\n`)
  })
})
