/** The first run in both hosts: a folder is added, an agent is connected on the same screen, and its work appears. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterEach, expect, test } from 'vitest'
import { violationsInBothThemes } from '../../support/axe.ts'
import { type Project, project } from '../../support/project.ts'
import { entry, timelineOf } from '../../support/ui.ts'
import { giveFolder, inEachRealHost, useWindow } from '../../support/window.ts'

inEachRealHost('the first run in the %s host', (name) => {
  const host = useWindow(name)
  let shop: Project & Disposable
  afterEach(async () => {
    await host.close()
    shop[Symbol.dispose]()
  })

  /** A host with Claude Code installed and nothing connected. */
  const start = async (files: Readonly<Record<string, string>>): Promise<Page> => {
    shop = project(files)
    const settings = settingsOf()
    mkdirSync(dirname(settings), { recursive: true })
    writeFileSync(settings, '{\n  "model": "opus"\n}\n')
    const page = await host.openEmpty(shop, { HOME: join(shop.beside, 'home') })
    await page.getByRole('region', { name: 'Agents' }).getByRole('button', { name: 'Connect Claude Code…' }).waitFor()
    return page
  }
  const settingsOf = (): string => join(shop.beside, 'home/.claude/settings.json')

  test('ends with a protected folder and a connected agent, whose next prompt is a run', async () => {
    const page = await start({ 'README.md': '# Shop\n', 'src/a.ts': 'export const a = 1\n' })
    const before = shop.tree()
    await giveFolder(host, shop.root)
    await page.getByText('shop is protected').waitFor()
    await page.getByText(/^2 files/).waitFor()
    expect(shop.tree(), 'nothing in the folder was changed').toEqual(before)
    const step = page.getByRole('region', { name: 'Connect your agent', exact: true })
    expect(await page.getByRole('dialog').count(), 'nothing lies over the screen').toBe(0)
    expect(await violationsInBothThemes(page)).toEqual([])

    await step.getByRole('button', { name: 'Connect Claude Code…' }).click()
    await step.getByRole('group', { name: 'Change to ~/.claude/settings.json' }).waitFor()
    expect(readFileSync(settingsOf(), 'utf8')).toBe('{\n  "model": "opus"\n}\n')
    await step.getByRole('button', { name: 'Add and test' }).click()
    await step.getByText(/Claude Code is connected\. Its prompts/).waitFor()
    await page.getByRole('button', { name: 'Open shop' }).click()
    await timelineOf(page).waitFor()

    const hooks = JSON.parse(readFileSync(settingsOf(), 'utf8')) as {
      hooks: Record<string, { hooks: { command: string }[] }[]>
    }
    const command = hooks.hooks.UserPromptSubmit?.[0]?.hooks[0]?.command ?? ''
    const hook = spawnSync('sh', ['-c', command], {
      input: JSON.stringify({
        session_id: 'first-1',
        cwd: shop.root,
        hook_event_name: 'UserPromptSubmit',
        prompt: 'Say hello in the readme'
      }),
      encoding: 'utf8'
    })
    expect(hook.status).toBe(0)
    await entry(page, /^Run, Claude Code, Say hello in the readme/).waitFor()
  })

  test('"not now" opens the folder, is remembered, and the next folder opens at once', async () => {
    const page = await start({ 'README.md': '# Shop\n' })
    const settings = readFileSync(settingsOf(), 'utf8')
    await giveFolder(host, shop.root)
    await page.getByRole('button', { name: 'Not now' }).click()
    await timelineOf(page).waitFor()
    // The folder without runs still says how its agent is connected.
    await page.getByRole('main').getByRole('button', { name: 'Connect Claude Code…' }).waitFor()
    expect(readFileSync(settingsOf(), 'utf8')).toBe(settings)

    const other = join(shop.beside, 'other')
    mkdirSync(other)
    writeFileSync(join(other, 'a.txt'), 'a\n')
    await page.getByRole('button', { name: 'shop', exact: true }).click()
    await page.getByRole('menuitem', { name: /All folders/ }).click()
    await giveFolder(host, other)
    await timelineOf(page).waitFor()
  })
})
