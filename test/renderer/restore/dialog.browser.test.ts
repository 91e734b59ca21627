/** The restore dialog in a real browser: Enter never applies, and only what was shown is sent. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Site, startSite } from '../../support/pages.ts'
import { scenario } from '../../support/scenario.ts'
import { tabStops } from '../../support/ui.ts'
import type { Panes } from '../diff/page/engine.ts'

declare const panes: Panes

describe('restore dialog', { tags: ['browser'] }, () => {
  let site: Site
  beforeAll(async () => {
    site = await startSite('panes')
  })
  afterAll(() => site?.close())

  const open = async (query = '') => {
    const { page, problems } = await site.open(`restore${query}`)
    await page.locator('#opener').press('Enter')
    await page.waitForSelector('.rlist .fr')
    return { page, problems }
  }
  const applied = (page: Page) =>
    page.evaluate(() => panes.calls.filter((call) => call.method === 'restore.apply').map((call) => call.params))
  const focused = (page: Page) => page.evaluate(() => document.activeElement?.querySelector('.sr')?.textContent ?? '')
  const row = (page: Page, name: string) => page.locator('.rlist .fr', { hasText: name })

  let page: Page
  let problems: readonly string[]
  /** The dialog again, with a new plan. */
  const reopen = async () => {
    await page.locator('#opener').press('Enter')
    await page.waitForSelector('.rlist .fr')
  }

  scenario('[UI-26] the dialog is read, changed and applied by keys', {
    'focus starts in the list, stays in the dialog and returns to the opener': async () => {
      ;({ page, problems } = await open())
      await expect.poll(() => focused(page)).toContain('src/cart/total.ts')
      expect(await page.getByRole('alertdialog').count()).toBe(1)
      const stops = await tabStops(page, 14)
      expect(stops).not.toContain('behind')
      expect(stops.join(' ')).not.toContain('browser browser')
      await page.keyboard.press('Escape')
      expect(await page.evaluate(() => document.activeElement?.id)).toBe('opener')
      expect(problems).toEqual([])
    },

    '[UI-26] a folder of the list folds, and Space on it leaves out all of its files': async () => {
      await reopen()
      const folder = page.locator('.rlist .dir').last()
      const size = () => page.locator('footer .primary').innerText()
      const before = await size()
      await folder.focus()
      await page.keyboard.press(' ')
      expect(await folder.getAttribute('aria-checked')).toBe('false')
      expect(await size()).not.toBe(before)
      await page.keyboard.press(' ')
      expect(await size()).toBe(before)
      const rows = await page.locator('.rlist [role="treeitem"]').count()
      await page.keyboard.press('ArrowLeft')
      expect(await page.locator('.rlist [role="treeitem"]').count()).toBeLessThan(rows)
    },

    '[UI-26] the dialog takes most of a large window, and the border of its list is moved by keys and remembered':
      async () => {
        await page.keyboard.press('Escape')
        await reopen()
        const width = (selector: string) => page.locator(selector).evaluate((box) => box.clientWidth)
        await page.setViewportSize({ width: 2560, height: 1440 })
        expect(await page.locator('dialog').boundingBox()).toMatchObject({ width: 2304, height: 1296 })
        const border = page.getByRole('separator', { name: 'Width of the list of files' })
        const before = 639
        await expect.poll(() => width('.rside')).toBe(before)
        await border.press('ArrowLeft')
        await expect.poll(() => width('.rside')).toBe(before - 16)
        await page.keyboard.press('Escape')
        await reopen()
        expect(await width('.rside')).toBe(before - 16)
        await border.dblclick()
        await expect.poll(() => width('.rside')).toBe(before)
        await page.setViewportSize({ width: 1180, height: 760 })
      },

    'Enter never applies; Mod+Enter applies once, with every resolution that was shown': async () => {
      await page.keyboard.press('Escape')
      await reopen()
      await expect.poll(() => focused(page)).toContain('src/cart/total.ts')
      for (let i = 0; i < 3; i++) await page.keyboard.press('Enter')
      await page.getByRole('radio', { name: /Merge/ }).click()
      await row(page, 'b.ts').click()
      await page.keyboard.press(' ')
      expect(await page.locator('.tally').innerText()).toBe('Restores 1merges 1keeps 1cannot restore 1')
      expect(await page.locator('footer .primary').innerText()).toContain('Restore 2 files')
      expect(await applied(page)).toEqual([])
      await page.keyboard.press('Control+Enter')
      await page.keyboard.press('Control+Enter')
      await expect.poll(() => page.locator('output').innerText()).toBe('done')
      expect(await applied(page)).toEqual([
        {
          workspace: 'ws',
          request: { kind: 'restore', target: 'cp', git: ['lost'] },
          resolutions: { 'src/cart/total.ts': 'merge', 'src/b.ts': 'keep' },
          plan: 'plan 0'
        }
      ])
    }
  })

  scenario('[RS-8] [RS-22] nothing is written while a run is live, until a person chooses', {
    '[RS-22] the shown plan is queued until the run stops; a changed one has to be shown first': async () => {
      ;({ page } = await open('&live'))
      const queued = () => page.evaluate(() => panes.calls.filter(({ method }) => method === 'restore.queue').length)
      await page.getByRole('button', { name: 'When it stops', exact: true }).click()
      await page.evaluate(() => {
        panes.moveOn()
        panes.emit('workspace.changed', { workspace: 'ws', rev: 9, kinds: ['edits'], paths: ['src/b.ts'] })
      })
      await page.getByRole('button', { name: 'Refresh preview' }).waitFor()
      await page.keyboard.press('Control+Enter')
      expect(await queued()).toBe(0)
      await page.getByRole('button', { name: 'Refresh preview' }).click()
      await page.getByText('it is done when the run stops').waitFor()
      await page.keyboard.press('Control+Enter')
      await expect.poll(() => page.locator('output').innerText()).toBe('queued')
      expect(await applied(page)).toEqual([])
    },

    '[RS-8] with a live run nothing is written until a person chooses': async () => {
      await reopen()
      await page.getByText('Codex is working here.').waitFor()
      await page.keyboard.press('Control+Enter')
      expect(await applied(page)).toEqual([])
      await page.getByRole('button', { name: 'Restore anyway…' }).click()
      await page.keyboard.press('Control+Enter')
      await expect.poll(async () => (await applied(page))[0]).toMatchObject({ whileLive: true })
    },

    'the end of the run is the end of the choice, and nothing is written by itself': async () => {
      await reopen()
      const before = await applied(page)
      await page.getByRole('button', { name: 'When it stops', exact: true }).click()
      await page.evaluate(() => {
        panes.live = false
        panes.emit('run.ended', { workspace: 'ws', run: 'run_1', title: 'busy', files: 1 })
      })
      await page.locator('.notice[data-tone="live"]').waitFor({ state: 'detached' })
      expect(await applied(page)).toEqual(before)
    }
  })

  test('a preview over an open diff shows its own text', { tags: ['long'] }, async () => {
    const { page, problems } = await site.open('both')
    await page.waitForSelector('.diffpane .diff-place')
    await page.evaluate(() => document.getElementById('opener')?.click())
    await page.locator('.rdiff .editor.modified .view-line').first().waitFor()
    expect(await page.getByText('Couldn’t preview').count()).toBe(0)
    expect(problems).toEqual([])
  })

  test('[RS-2] a file that changed while a person was reading is never overwritten', async () => {
    const { page } = await open()
    await page.evaluate(() => panes.moveOn())
    await page.keyboard.press('Control+Enter')
    await page.getByText('1 file changed while you were reading. Nothing was written.').waitFor()
    const tries = (await applied(page)).length
    await page.keyboard.press('Control+Enter')
    expect(await page.locator('output').innerText()).toBe('')
    expect(await applied(page)).toHaveLength(tries)
    await page.getByRole('button', { name: 'Refresh preview' }).click()
    await page.keyboard.press('Control+Enter')
    await expect.poll(() => page.locator('output').innerText()).toBe('done')
  })

  test('[RS-5] a partial restore names what failed and can be undone as a whole', async () => {
    const { page } = await open('&ending=partial')
    await page.keyboard.press('Control+Enter')
    await page.getByText('1 of 2 restored. src/b.ts: it is open in another program.').waitFor()
    await page.getByRole('button', { name: 'Undo all' }).click()
    await expect.poll(() => page.locator('output').innerText()).toBe('done')
    expect((await applied(page)).map((params) => (params as { request: { kind: string } }).request.kind)).toEqual([
      'restore',
      'undo'
    ])
  })

  test('the conversation is restored with the files, alone, or not at all, as planned', async () => {
    const { page, problems } = await site.open('restore')
    await page.evaluate(() => {
      panes.talks = true
    })
    await page.locator('#opener').press('Enter')
    await page.waitForSelector('.rlist .fr')
    const modes = page.getByRole('group', { name: 'What to restore' })
    await modes.getByRole('button', { name: 'Both', pressed: true }).waitFor()
    await page.getByText('7 messages after this point are set aside, not deleted; undo restores them.').waitFor()
    await modes.getByRole('button', { name: 'Files' }).click()
    await page.getByText('Claude Code still remembers the 7 messages after this point').waitFor()
    await modes.getByRole('button', { name: 'Conversation' }).click()
    await page.getByRole('heading', { name: '7 messages set aside' }).waitFor()
    await page.getByRole('button', { name: 'Restore the conversation' }).waitFor()
    await page.keyboard.press('Control+Enter')
    await page.getByRole('heading', { name: 'Restored the conversation' }).waitFor()
    expect(await applied(page)).toEqual([
      {
        workspace: 'ws',
        request: { kind: 'restore', target: 'cp', mode: 'conversation', git: ['lost'] },
        resolutions: {},
        plan: 'plan 0 conversation'
      }
    ])
    await page.getByText('claude --resume f').waitFor()
    await page.getByRole('button', { name: 'Copy prompt' }).waitFor()
    expect(await page.locator('output').innerText()).not.toBe('done')
    await page.keyboard.press('Escape')
    await expect.poll(() => page.locator('output').innerText()).toBe('done')
    expect(problems).toEqual([])
  })
})
