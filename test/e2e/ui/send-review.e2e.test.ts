/** A review in the window: what is open, the message before it is sent, and the hook that gets it. */
import type { Locator, Page } from 'playwright-core'
import { beforeAll, expect } from 'vitest'
import { violationsInBothThemes, violationsInLongForm } from '../../support/axe.ts'
import { createHookCalls, type HookCalls } from '../../support/hook-calls.ts'
import { useProject } from '../../support/project.ts'
import { scenario } from '../../support/scenario.ts'
import { entry, MOD, preview, previewRows, SOON, toast } from '../../support/ui.ts'
import { inOneHost, useWindow } from '../../support/window.ts'

inOneHost('a review in the %s host', (name) => {
  const shop = useProject({ 'a.txt': 'one\ntwo\nthree\n' })
  const host = useWindow(name)
  let page: Page
  let agent: HookCalls

  const review = (): Locator => page.getByRole('dialog', { name: 'Review for Claude Code' })
  const message = (): Locator => review().getByRole('textbox', { name: 'Message' })
  const send = (): Locator => review().getByRole('button', { name: 'Send with the next prompt' })
  const waiting = (): Locator => review().getByText('Waits for your next prompt to Claude Code.')

  beforeAll(async () => {
    await shop.add()
    page = await host.open(shop)
    agent = createHookCalls(shop, 'session-1')
    await agent.changedRun('Capitals', { 'a.txt': 'one\nTWO\nthree\n' })
    await entry(page, /^Run, .*Capitals/).click()
  })

  scenario('[RV-4] [UI-41] comments and decisions are sent once, as a person saw and changed them', {
    'a comment made elsewhere is counted at once': async () => {
      await page.getByRole('button', { name: 'Review', exact: true }).waitFor()
      shop.driftline('comment', 'latest', 'a.txt:2', '-m', 'Why?')
      await page.getByRole('button', { name: 'Review, 1 comment' }).waitFor()
    },

    'after an undo the message offers to send it to the agent': async () => {
      await page.getByRole('button', { name: 'Undo this run…' }).first().click()
      await previewRows(page)
      await page.keyboard.press(`${MOD}+Enter`)
      await preview(page).waitFor({ state: 'detached' })
      await toast(page, /Undid/).getByRole('button', { name: 'Send to Claude Code…' }).click()
      await review().getByRole('article', { name: 'Undone: a.txt' }).waitFor()
      await review().getByRole('article', { name: 'Comment on a.txt' }).getByText('these lines were deleted').waitFor()
      await expect.poll(() => message().inputValue(), SOON).toContain('-TWO')
      expect(await violationsInBothThemes(page)).toEqual([])
    },

    'it is in the address: the folder opened anew shows it again': async () => {
      await host.reopen()
      await message().waitFor()
    },

    'what waits for the next prompt can be cancelled': async () => {
      await send().click()
      await waiting().waitFor()
      await review().getByRole('button', { name: 'Cancel sending' }).click()
      await send().waitFor()
      expect(agent.hook('UserPromptSubmit', { prompt: 'cancelled' })).toBe('')
    },

    'the hook of the next prompt prints the message as it was changed, and no later one does': async () => {
      const changed = `${await message().inputValue()}\nPlease ask first.\n`
      await message().fill(changed)
      await send().click()
      await waiting().waitFor()
      const printed = JSON.parse(agent.hook('UserPromptSubmit', { prompt: 'once' }))
      expect(printed.hookSpecificOutput.additionalContext.trim()).toBe(changed.trim())
      expect(agent.hook('UserPromptSubmit', { prompt: 'not again' })).toBe('')
      await review().locator('summary', { hasText: 'With a prompt' }).waitFor()
      await expect.poll(() => message().count()).toBe(0)
      expect(await violationsInLongForm(page)).toEqual([])
    },

    '[UI-43] the timeline shows it below the prompt that it was sent with; Enter there opens the review': async () => {
      await page.keyboard.press('Escape')
      await entry(page, /^Run, .*once/).click()
      const row = entry(page, /^Review sent to Claude Code with this prompt/)
      await row.click()
      expect(await violationsInLongForm(page)).toEqual([])
      await row.press('Enter')
      await review().waitFor()
    },

    'Escape returns the focus; at 360 px the dialog fits the window': async () => {
      await page.keyboard.press('Escape')
      await review().waitFor({ state: 'detached' })
      await page.setViewportSize({ width: 360, height: 740 })
      await page.keyboard.press('Shift+C')
      await review().waitFor()
      const over = await review().evaluate(
        (dialog) =>
          [...dialog.querySelectorAll('button')].filter(
            (button) => button.getBoundingClientRect().right > innerWidth || button.scrollWidth > button.clientWidth + 1
          ).length
      )
      expect(over).toBe(0)
      expect(await violationsInBothThemes(page)).toEqual([])
    }
  })
})
