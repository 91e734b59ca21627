/** The settings in both hosts: an agent is connected, tested and disconnected byte for byte; every setting takes effect and is stored. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { violationsInLongForm } from '../../support/axe.ts'
import { useProject } from '../../support/project.ts'
import { LONG } from '../../support/scale.ts'
import { scenario } from '../../support/scenario.ts'
import { fileOf, readTree, writeFiles } from '../../support/tree.ts'
import { diffPane, entry, fileRow, MOD, openSettings, preview, SOON, timelineOf } from '../../support/ui.ts'
import { inOneHost, useWindow } from '../../support/window.ts'

const CLAUDE = `{
  // mine, and it stays
  "model": "opus",
  "hooks": {
    "Stop": [
      { "hooks": [{ "type": "command", "command": "afplay ~/done.aiff" }] }
    ],
  },
}
`

inOneHost('the settings in the %s host', (name) => {
  let home: string
  let env: Record<string, string>
  const shop = useProject({
    'README.md': '# Shop\n',
    'src/a.ts': 'export const a = 1\n',
    'src/b.ts': 'export const b = 1\n'
  })
  const host = useWindow(name)
  let page: Page

  const inHome = (path: string): string => join(home, path)
  const put = (path: string, text: string, mode = 0o644): void => {
    mkdirSync(dirname(inHome(path)), { recursive: true })
    writeFileSync(inHome(path), text, { mode })
  }

  const putAgents = (): void => {
    rmSync(home, { recursive: true, force: true })
    put('.claude/settings.json', CLAUDE)
    put('.qwen/settings.json', '{\n  "a": 1\n  "b": 2\n}\n')
    put('bin/codex', '#!/bin/sh\n', 0o755)
    put('package.json', '{"version": "0.169.0"}')
  }

  beforeAll(async () => {
    home = join(shop.beside, 'home')
    putAgents()
    env = { HOME: home, PATH: `${inHome('bin')}:${process.env.PATH ?? ''}` }
    await shop.add()
    await shop.run('Change it', { 'src/a.ts': 'export const a = 2\n', 'src/b.ts': 'export const b = 2\n' })
    page = await host.open(shop, env)
  })
  beforeEach(async () => {
    await host.clear()
    putAgents()
    await entry(page, /^Run, .*Change it/).click()
  })

  /** What is excluded, and why, after a scan of the folder. */
  const notCovered = async (): Promise<readonly { readonly path: string; readonly reason: string }[]> => {
    const status = await shop.call('workspace.status', { workspace: await shop.workspace(), check: true })
    return status.notCovered.map(({ path, reason }) => ({ path, reason }))
  }
  const agent = (settings: Locator, id: string): Locator => settings.locator(`[data-agent="${id}"]`)
  const closeSettings = async (): Promise<void> => {
    // A question over the settings closes once its answer is carried out; until then Escape would be for it.
    await page.getByRole('alertdialog').waitFor({ state: 'detached' })
    await page.keyboard.press('Escape')
    await page.getByRole('dialog', { name: 'Settings' }).waitFor({ state: 'detached' })
  }

  test('every agent shows its status', async () => {
    const settings = await openSettings(page, 'Agents')
    await agent(settings, 'claude-code').getByText('Found on this computer').waitFor()
    await agent(settings, 'codex').getByText('version 0.169.0').waitFor()
    await agent(settings, 'gemini-cli').getByText('Not found on this computer').waitFor()
    const qwen = agent(settings, 'qwen-code')
    await qwen.getByText('Couldn’t read the settings.').waitFor()
    await qwen.getByText('~/.qwen/settings.json, line 3: a comma').waitFor()
    await closeSettings()
  })

  // Long: an agent is connected and tested in first-run, and its settings are restored in the tests of connect.
  test('an agent is connected after a preview and tested; disconnecting restores its settings byte for byte', {
    tags: ['long']
  }, async () => {
    const settings = await openSettings(page, 'Agents')
    const row = agent(settings, 'claude-code')
    await row.getByRole('button', { name: 'Connect Claude Code…' }).click()
    const panel = row.getByRole('region', { name: 'Connect Claude Code' })
    await panel.getByRole('group', { name: 'Change to ~/.claude/settings.json' }).waitFor()
    await panel.getByText('Adds 10 entries to').waitFor()
    expect(await violationsInLongForm(page)).toEqual([])
    expect(readFileSync(inHome('.claude/settings.json'), 'utf8'), 'a preview writes nothing').toBe(CLAUDE)

    await panel.getByRole('button', { name: 'Add and test' }).click()
    const steps = row.getByRole('list', { name: 'Test result' })
    await steps.getByText(/^received in \d+ ms$/).waitFor()
    await steps.getByText(/^recorded$/).waitFor()
    await row.getByText('10 entries in ~/.claude/settings.json').waitFor()
    const connected = readFileSync(inHome('.claude/settings.json'), 'utf8')
    expect(connected).toContain('// mine, and it stays')
    expect(connected).toContain('hook claude-code PreToolUse')
    const backup = readdirSync(inHome('.claude')).find((file) => file.includes('driftline-backup'))
    expect(readFileSync(inHome(`.claude/${backup}`), 'utf8')).toBe(CLAUDE)
    await row.getByText('no events yet').waitFor()

    // What the agent itself would do next.
    const payload = { session_id: 's-1', cwd: shop.root, hook_event_name: 'SessionStart', source: 'startup' }
    const command = /"command": (".* hook claude-code SessionStart;.*exit 0")/.exec(connected)?.[1] ?? '""'
    const hook = spawnSync('sh', ['-c', JSON.parse(command) as string], {
      input: JSON.stringify(payload),
      cwd: shop.root,
      env: { ...process.env, HOME: home },
      encoding: 'utf8'
    })
    expect([hook.status, hook.stdout, hook.stderr]).toEqual([0, '', ''])
    await page.evaluate(() => window.dispatchEvent(new Event('focus')))
    await row.getByText(/last event \d\d:\d\d/).waitFor()

    await row.getByRole('button', { name: 'Disconnect Claude Code…' }).click()
    await row.getByText('Removes 10 entries from').waitFor()
    await row.getByRole('button', { name: 'Disconnect', exact: true }).click()
    await row.getByText('not connected').waitFor()
    expect(readFileSync(inHome('.claude/settings.json'), 'utf8')).toBe(CLAUDE)
    await closeSettings()
  })

  test('a single project can be connected; the person sets the trust in Codex', { tags: ['long'] }, async () => {
    const settings = await openSettings(page, 'Agents')
    const row = agent(settings, 'codex')
    await row.getByRole('button', { name: 'Connect Codex…' }).click()
    await row.getByRole('group', { name: 'Scope' }).getByRole('button', { name: 'This project' }).click()
    await row.getByText('Creates').waitFor()
    await row.getByRole('button', { name: 'Add and test' }).click()
    await row.getByRole('region', { name: 'How to trust Driftline’s hooks in Codex' }).waitFor()
    await row.getByText('/hooks', { exact: true }).waitFor()
    expect(existsSync(join(shop.root, '.codex/hooks.json'))).toBe(true)
    expect(existsSync(inHome('.codex'))).toBe(false)
    await row.getByRole('button', { name: 'Close' }).click()
    await row.getByText('Connected, not trusted yet').waitFor()
    await row.getByRole('button', { name: 'Disconnect Codex…' }).click()
    await row.getByText('Deletes').waitFor()
    await row.getByText('Also removes these empty folders').waitFor()
    await row.getByRole('button', { name: 'Disconnect', exact: true }).click()
    await row.getByText('not connected').waitFor()
    expect(existsSync(join(shop.root, '.codex'))).toBe(false)
    await closeSettings()
  })

  test('a switch adds the file tools after a preview; removing them restores the settings byte for byte', {
    tags: ['long']
  }, async () => {
    const mine = '{\n  "mcpServers": {\n    "mine": { "command": "mine" }\n  }\n}\n'
    put('.claude.json', mine)
    put('.cline/data/x', '')
    const settings = await openSettings(page, 'Agents')
    await page.evaluate(() => window.dispatchEvent(new Event('focus')))
    const row = settings.locator('[data-tools="claude-code"]')
    const toggle = row.getByRole('switch', { name: 'File tools of Claude Code' })
    expect(await toggle.isChecked()).toBe(false)
    await toggle.focus()
    await page.keyboard.press('Space')
    const panel = row.getByRole('region', { name: 'File tools of Claude Code' })
    await panel.getByRole('group', { name: 'Change to ~/.claude.json' }).waitFor()
    await panel.getByText('Adds one MCP server to').waitFor()
    expect(await violationsInLongForm(page)).toEqual([])
    expect(await toggle.isChecked(), 'a preview switches nothing').toBe(false)
    expect(readFileSync(inHome('.claude.json'), 'utf8'), 'a preview writes nothing').toBe(mine)
    await page.keyboard.press('Escape')
    await toggle.and(page.locator(':focus')).waitFor()
    await page.keyboard.press('Space')
    await panel.getByRole('button', { name: 'Add tools' }).click()
    await row.getByText('in ~/.claude.json').waitFor()
    await expect.poll(() => toggle.isChecked(), SOON).toBe(true)
    expect(readFileSync(inHome('.claude.json'), 'utf8')).toContain('"driftline"')
    await toggle.and(page.locator(':focus')).waitFor()

    await toggle.click()
    await panel.getByText('Removes Driftline’s server from').waitFor()
    await panel.getByRole('button', { name: 'Remove tools' }).click()
    await row.getByText('Off', { exact: true }).waitFor()
    expect(readFileSync(inHome('.claude.json'), 'utf8')).toBe(mine)

    // The file of Cline's servers is unknown, so the panel explains how to add one.
    const cline = settings.locator('[data-tools="cline"]')
    await cline.getByRole('switch', { name: 'File tools of Cline' }).click()
    await cline.getByText('Add "driftline mcp" as a stdio server').waitFor()
    await cline.getByRole('button', { name: 'Close' }).click()
    await cline.getByRole('region').waitFor({ state: 'detached' })
    await closeSettings()
  })

  test('settings fixed elsewhere are reloaded when the window gets the focus', { tags: ['long'] }, async () => {
    const settings = await openSettings(page, 'Agents')
    const row = agent(settings, 'qwen-code')
    await row.getByText('Couldn’t read the settings.').waitFor()
    put('.qwen/settings.json', '{}\n')
    await page.evaluate(() => window.dispatchEvent(new Event('focus')))
    await row.getByRole('button', { name: 'Connect Qwen Code…' }).waitFor()
    await closeSettings()
  })

  test('the palette opens a page; Escape closes a panel, then the settings, and the focus returns', async () => {
    await timelineOf(page).getByRole('treeitem', { selected: true }).focus()
    await page.keyboard.press(`${MOD}+k`)
    await page.getByRole('combobox', { name: 'Search or run a command' }).fill('settings agents')
    await page.keyboard.press('Enter')
    const settings = page.getByRole('dialog', { name: 'Settings' })
    await settings.getByRole('heading', { level: 1, name: 'Agents' }).waitFor()
    const row = agent(settings, 'claude-code')
    const opener = row.getByRole('button', { name: 'Connect Claude Code…' })
    await opener.focus()
    await page.keyboard.press('Enter')
    await row.getByRole('group', { name: /^Change to/ }).waitFor()
    await page.keyboard.press('Escape')
    await opener.and(page.locator(':focus')).waitFor()
    await closeSettings()
    await timelineOf(page).locator(':focus').waitFor()
  })

  test('single-letter keys that are off do nothing, also in the next window', { tags: ['long'] }, async () => {
    const settings = await openSettings(page, 'Keyboard')
    await settings.getByText('Search or run a command').waitFor()
    await settings.getByRole('switch', { name: 'Single-letter keys' }).click()
    await closeSettings()
    const nothing = async (): Promise<void> => {
      await entry(page, /^Run, .*Change it/).click()
      await page.keyboard.press('r')
      await page.keyboard.press('?')
      await page.keyboard.press(`${MOD}+k`)
      await page.getByRole('combobox', { name: 'Search or run a command' }).waitFor()
      expect(await preview(page).count()).toBe(0)
      expect(await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).count()).toBe(0)
      await page.keyboard.press('Escape')
    }
    await nothing()
    await page.evaluate(() => localStorage.clear())
    await page.reload()
    await timelineOf(page).waitFor()
    const again = await openSettings(page, 'Keyboard')
    const letters = again.getByRole('switch', { name: 'Single-letter keys' })
    await expect.poll(() => letters.isChecked(), SOON).toBe(false)
    await closeSettings()
    await nothing()
    await (await openSettings(page, 'Keyboard')).getByRole('switch', { name: 'Single-letter keys' }).click()
    await closeSettings()
    await entry(page, /^Run, .*Change it/).click()
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    await page.keyboard.press('Escape')
  })

  test('theme, density and diff text size apply at once', async () => {
    await entry(page, /^Run, .*Change it/).click()
    await fileRow(page, /^a\.ts/).click()
    const line = diffPane(page).locator('.view-line').first()
    await line.waitFor()
    const settings = await openSettings(page, 'Appearance')
    for (const choice of ['Dark', 'Compact', '14']) {
      await settings.getByRole('button', { name: choice, exact: true }).click()
    }
    await closeSettings()
    await page.locator('html[data-theme="dark"][data-density="compact"]').waitFor()
    const size = (locator: Locator): Promise<string> =>
      locator.evaluate((element) => getComputedStyle(element).fontSize)
    await expect.poll(() => size(line), SOON).toBe('14px')
    expect((await page.getByRole('banner').boundingBox())?.height).toBe(36)
    expect((await fileRow(page, /^a\.ts/).boundingBox())?.height).toBe(24)
    const back = await openSettings(page, 'Appearance')
    for (const choice of ['System', 'Comfortable', '12']) {
      await back.getByRole('button', { name: choice, exact: true }).click()
    }
    await closeSettings()
    await page.locator('html:not([data-theme]):not([data-density])').waitFor()
    expect((await page.getByRole('banner').boundingBox())?.height).toBe(44)
  })

  test('a setting changed in another window applies at once; a new window opens the last folder', async () => {
    await shop.call('settings.set', { key: 'ui.density', value: 'compact' })
    await page.locator('html[data-density="compact"]').waitFor()
    await shop.call('settings.set', { key: 'ui.density', value: 'comfortable' })
    await page.locator('html:not([data-density])').waitFor()

    const asNewWindow = async (): Promise<void> => {
      await page.evaluate(() => {
        sessionStorage.removeItem('driftline.open')
        history.replaceState(null, '', location.pathname)
      })
      await page.reload()
    }
    if (LONG) {
      await asNewWindow()
      await page.getByRole('heading', { name: /See what your agents changed/ }).waitFor()
    }
    const settings = await openSettings(page, 'General')
    await settings.getByRole('button', { name: 'Last folder' }).click()
    await closeSettings()
    await asNewWindow()
    await timelineOf(page).waitFor()
    await openSettings(page, 'General')
    await settings.getByRole('group', { name: 'New windows show' }).getByRole('button', { name: 'All folders' }).click()
    await closeSettings()
  })

  const protectAgain = async (): Promise<void> => {
    const settings = await openSettings(page, 'Capture')
    await settings.getByRole('button', { name: 'Stop protecting: dist…' }).click()
    const ask = page.getByRole('alertdialog', { name: 'Stop protecting dist?' })
    await ask.getByText('Existing copies stay in the history').waitFor()
    await ask.getByRole('button', { name: 'Stop protecting' }).click()
    const panel = settings.getByRole('region', { name: 'Stored copies of excluded files' })
    await panel.getByText('dist/out.css: 1 stored version').waitFor()
    await panel.getByRole('button', { name: 'Delete 1 copy' }).click()
    await panel.waitFor({ state: 'detached' })
    shop.edit({ 'dist/out.css': 'b {}\n' })
    await expect
      .poll(notCovered, SOON)
      .toEqual(expect.arrayContaining([expect.objectContaining({ path: 'dist/out.css', reason: 'never' })]))
    await settings.getByRole('list', { name: 'No longer protected' }).getByText('dist', { exact: true }).waitFor()
    await settings.getByRole('button', { name: 'Protect again: dist…' }).click()
    await page
      .getByRole('alertdialog', { name: 'Protect dist?' })
      .getByRole('button', { name: 'Protect', exact: true })
      .click()
    await settings.getByRole('list', { name: 'Ignored folders you protect' }).waitFor()
    await expect.poll(notCovered, SOON).toEqual([expect.objectContaining({ path: 'key.pem' })])
    await closeSettings()
  }

  scenario(
    'what is recorded: the size limit, the exclude list, ignored folders, and stored copies of what was excluded',
    {
      'capture settings: the size limit, the exclude list, and protected ignored folders': async () => {
        shop.edit({ '.gitignore': 'dist/\n', 'dist/out.css': 'a {}\n' })
        const settings = await openSettings(page, 'Capture')
        const ignored = settings.getByRole('button', { name: 'Protect dist…' })
        await ignored.waitFor()
        await settings.getByRole('combobox', { name: 'Largest file' }).selectOption('10 MB')
        const list = settings.getByRole('textbox', { name: 'Exclude list' })
        await list.fill('*.pem')
        await settings.getByRole('button', { name: 'Save list' }).click()
        await expect.poll(() => list.evaluate((element) => (element as HTMLTextAreaElement).value), SOON).toBe('*.pem')
        shop.edit({ 'key.pem': 'KEY\n', 'film.bin': Buffer.alloc(11 * 1024 * 1024, 1) })
        await expect.poll(notCovered, SOON).toEqual([
          { path: 'dist', reason: 'ignored' },
          { path: 'film.bin', reason: 'too-large' },
          { path: 'key.pem', reason: 'never' }
        ])
        await settings.getByText('On your exclude list, 1').waitFor()
        await settings.getByRole('combobox', { name: 'Largest file' }).selectOption('50 MB')
        await ignored.click()
        await page
          .getByRole('alertdialog', { name: 'Protect dist?' })
          .getByRole('button', { name: 'Protect', exact: true })
          .click()
        await settings.getByRole('heading', { name: 'Ignored folders you protect' }).waitFor()
        await expect.poll(notCovered, SOON).toEqual([{ path: 'key.pem', reason: 'never' }])
        // The button that had the focus is gone.
        await settings.locator(':focus').waitFor()
        expect(await violationsInLongForm(page)).toEqual([])
        await closeSettings()
      },

      'stored copies of excluded files are shown, and deleted on request': async () => {
        const workspace = await shop.workspace()
        const { checkpoint: target } = await shop.call('checkpoint.create', { workspace, label: '' })
        const stored = async (path: string): Promise<string> =>
          Buffer.from((await shop.call('file.cat', { workspace, target, path })).base64, 'base64').toString()
        expect(await stored('src/b.ts')).toBe('export const b = 2\n')
        const settings = await openSettings(page, 'Capture')
        const panel = settings.getByRole('region', { name: 'Stored copies of excluded files' })
        await settings.getByRole('textbox', { name: 'Exclude list' }).fill('*.pem\n/src/b.ts')
        await settings.getByRole('button', { name: 'Save list' }).click()
        await panel.getByText('src/b.ts: 2 stored versions').waitFor()
        expect(await violationsInLongForm(page)).toEqual([])
        await panel.getByRole('button', { name: 'Keep them' }).click()
        expect(await stored('src/b.ts'), 'a preview deletes nothing').toBe('export const b = 2\n')
        await settings.getByRole('button', { name: 'Stored copies…' }).and(page.locator(':focus')).waitFor()
        await page.keyboard.press('Enter')
        await panel.getByRole('button', { name: 'Delete 2 copies' }).click()
        await panel.waitFor({ state: 'detached' })
        await expect(stored('src/b.ts')).rejects.toThrow()
        expect(shop.tree()['src/b.ts']).toBeDefined()
        await settings.getByRole('textbox', { name: 'Exclude list' }).fill('*.pem')
        await settings.getByRole('button', { name: 'Save list' }).click()
        await panel.getByText('No copies of excluded files are stored.').waitFor()
        await page.keyboard.press('Escape')
        await panel.waitFor({ state: 'detached' })
        await closeSettings()
      },

      ...(LONG
        ? { 'an ignored folder is unprotected, with a list of its copies, and protected again': protectAgain }
        : {})
    }
  )

  test('the effect of a smaller budget is shown before it is saved', async () => {
    const settings = await openSettings(page, 'Storage')
    await settings.getByRole('progressbar', { name: 'History of shop' }).waitFor()
    await settings.getByRole('combobox', { name: 'History budget' }).selectOption('500 MB')
    const panel = settings.getByRole('region', { name: 'Cleanup preview' })
    await panel.getByText('Nothing to remove.').waitFor()
    const budget = async (): Promise<number | null> => {
      const workspace = await shop.workspace()
      return (await shop.call('workspace.status', { workspace, check: false })).store.budget
    }
    expect(await budget(), 'a preview saves nothing').not.toBe(500_000_000)
    await panel.getByRole('button', { name: 'Save' }).click()
    await panel.waitFor({ state: 'detached' })
    await settings.getByText('of 500 MB for earlier versions').waitFor()
    expect(await budget()).toBe(500_000_000)
    await closeSettings()
  })

  test('everything recorded for a folder is deleted once its name is typed, and nothing in the folder changes', async () => {
    const folder = join(shop.beside, 'draft')
    writeFiles(folder, { 'a.txt': 'a\n' })
    const { workspace } = await shop.call('workspaces.add', { folder, wait: true })
    const history = join(shop.dataDir, 'w', workspace.id)
    expect(existsSync(history)).toBe(true)
    const settings = await openSettings(page, 'Privacy')
    await settings.getByRole('button', { name: 'Delete everything recorded for draft…' }).click()
    const dialog = page.getByRole('alertdialog', { name: 'Delete everything recorded for draft?' })
    const act = dialog.getByRole('button', { name: 'Delete history' })
    await dialog.getByRole('textbox', { name: 'Folder name' }).fill('draf')
    expect(await act.getAttribute('aria-disabled')).toBe('true')
    await dialog.getByRole('textbox', { name: 'Folder name' }).fill('draft')
    await act.click()
    await settings.getByText('draft', { exact: true }).waitFor({ state: 'detached' })
    expect(existsSync(history)).toBe(false)
    expect(readTree(folder)).toEqual({ 'a.txt': fileOf('a\n') })
    await closeSettings()
  })

  test('the data check reports its result for each folder', async () => {
    const settings = await openSettings(page, 'About')
    await settings.getByRole('button', { name: 'Check data' }).click()
    await settings.getByText('No problems: 1 folder checked.').waitFor()
    await closeSettings()
  })
})

// Long: of a folder that is not open, it is a test above.
inOneHost('the privacy settings in the %s host', (name) => {
  const shop = useProject({ 'README.md': '# Shop\n' })
  const host = useWindow(name)

  test('everything recorded for the folder that is open is deleted, and the first screen shown', {
    tags: ['long']
  }, async () => {
    const page = await host.open(shop)
    const before = shop.tree()
    const workspace = await shop.workspace()
    expect(existsSync(join(shop.dataDir, 'w', workspace))).toBe(true)
    const settings = await openSettings(page, 'Privacy')
    await settings.getByRole('button', { name: 'Delete everything recorded for shop…' }).click()
    const dialog = page.getByRole('alertdialog', { name: 'Delete everything recorded for shop?' })
    await dialog.getByRole('textbox', { name: 'Folder name' }).fill('shop')
    await dialog.getByRole('button', { name: 'Delete history' }).click()
    await settings.getByText('Nothing is recorded.').waitFor()
    await page.keyboard.press('Escape')
    await settings.waitFor({ state: 'detached' })
    await page.getByRole('heading', { name: /See what your agents changed/ }).waitFor()
    expect(existsSync(join(shop.dataDir, 'w', workspace))).toBe(false)
    expect(shop.tree()).toEqual(before)
  })
})
