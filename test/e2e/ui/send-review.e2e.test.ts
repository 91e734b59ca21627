/**
 * A review in the window: comments on files and on messages of a conversation, the message before it is sent, and the hook that gets it.
 */
import type { Locator, Page } from 'playwright-core'
import { beforeAll, beforeEach, expect } from 'vitest'
import { violationsInBothThemes, violationsInLongForm } from '../../support/axe.ts'
import { createHookCalls } from '../../support/hook-calls.ts'
import { agentIn } from '../../support/host-runs.ts'
import { useProject } from '../../support/project.ts'
import { scenario } from '../../support/scenario.ts'
import { entry, MOD, preview, previewRows, SOON, toast } from '../../support/ui.ts'
import { inOneHost, useWindow } from '../../support/window.ts'

inOneHost('a review in the %s host', (name) => {
  const shop = useProject({ 'a.txt': 'one\ntwo\nthree\n', 'src/total.ts': 'export const total = 1\n' })
  const host = useWindow(name)
  let page: Page
  const agent = createHookCalls(shop, 'session-1')

  const review = (): Locator => page.getByRole('dialog', { name: 'Review for Claude Code' })
  const message = (): Locator => review().getByRole('textbox', { name: 'Message' })
  const send = (): Locator => review().getByRole('button', { name: 'Send with the next prompt' })
  const waiting = (): Locator => review().getByText('Waits for your next prompt to Claude Code.')

  const talk = (): Locator => page.getByRole('complementary', { name: 'Conversation' })
  const row = (kind: 'prompt' | 'answer', text: string): Locator =>
    talk().locator(`[data-kind="${kind}"]`).filter({ hasText: text })
  const answer = (): Locator => row('answer', 'One line per rate')
  const box = (): Locator => answer().getByRole('textbox', { name: 'Comment on answer #2' })
  const openTalk = async (): Promise<void> => {
    await entry(page, /^Run, .*Add tax/).click()
    await page.getByRole('tab', { name: 'Conversation' }).click()
    await answer().waitFor()
  }
  const isFocused = (element: Locator): Promise<boolean> =>
    element.evaluate((field) => field === document.activeElement)

  beforeAll(async () => {
    await shop.add()
    page = await host.open(shop)
  })
  beforeEach(() => host.clear())

  scenario('[RV-4] [UI-41] comments and decisions are sent once, as a person saw and changed them', {
    'a comment made elsewhere is counted at once': async () => {
      await agent.changedRun('Capitals', { 'a.txt': 'one\nTWO\nthree\n' })
      await entry(page, /^Run, .*Capitals/).click()
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

  scenario('[RV-1] [UI-48] a message is commented on by keyboard, and the comment goes with the review', {
    'C opens a box below the message; what is typed there is a draft, also when the folder is opened anew':
      async () => {
        const agent = await agentIn(shop)
        await agent.say('Add tax to the cart', 'One line per rate.', () =>
          shop.edit({ 'src/tax.ts': 'export const tax = 1\n' })
        )
        await openTalk()
        await answer().focus()
        await page.keyboard.press('c')
        await page.keyboard.type('Why **this** rate?')
        await expect.poll(() => box().inputValue(), SOON).toBe('Why **this** rate?')
        expect(await violationsInLongForm(page)).toEqual([])
        await page.keyboard.press('Escape')
        await answer().getByText('Draft Why **this** rate?').waitFor()
        await expect.poll(() => isFocused(answer()), SOON).toBe(true)
        await host.reopen()
        await openTalk()
        await answer().getByText('Draft Why **this** rate?').waitFor()
      },

    'Ctrl+Enter saves it: it is below its message, as Markdown, and its run counts it': async () => {
      await answer().focus()
      await page.keyboard.press('c')
      await expect.poll(() => box().inputValue(), SOON).toBe('Why **this** rate?')
      await box().press('Control+Enter')
      await answer().getByRole('article').locator('b', { hasText: 'this' }).waitFor()
      await expect.poll(() => isFocused(answer()), SOON).toBe(true)
      await entry(page, /^Run, .*Add tax.*1 unresolved comment/).waitFor()
      expect(await row('prompt', 'Add tax').getByRole('article').count()).toBe(0)
      expect(await violationsInLongForm(page)).toEqual([])
    },

    'the menu of a message opens the box, too': async () => {
      await row('prompt', 'Add tax').click({ button: 'right' })
      await page.getByRole('menuitem', { name: /^Comment on this message/ }).click()
      await row('prompt', 'Add tax').getByRole('textbox', { name: 'Comment on prompt #1' }).fill('I meant VAT.')
      await page.keyboard.press('Control+Enter')
      await row('prompt', 'Add tax').getByRole('article').getByText('I meant VAT.').waitFor()
    },

    'a tool call is commented on like a message': async () => {
      const call = talk().locator('[data-kind="call"]').first()
      await call.focus()
      await page.keyboard.press('c')
      await call.getByRole('textbox', { name: /^Comment on the tool call/ }).fill('Use the tool for that.')
      await page.keyboard.press('Control+Enter')
      await call.getByRole('article').getByText('Use the tool for that.').waitFor()
    },

    'the review lists it with what it is about, leads to it, and has it in the message': async () => {
      await page.keyboard.press('Shift+C')
      const listed = review().getByRole('article', { name: 'Comment on answer #2' })
      await expect.poll(() => listed.innerText(), SOON).toContain('One line per rate.')
      expect(await review().getByRole('textbox', { name: 'Message' }).inputValue()).toContain(
        '**answer #2**\n\n```\nOne line per rate.\n```\n\nWhy **this** rate?'
      )
      expect(await violationsInLongForm(page)).toEqual([])
      await listed.getByRole('button', { name: 'Go to' }).click()
      await review().waitFor({ state: 'detached' })
      await expect.poll(() => isFocused(answer()), SOON).toBe(true)
    },

    'it is resolved below its message': async () => {
      await answer().getByRole('button', { name: 'Resolve' }).click()
      await answer().locator('.thread[data-state="resolved"]').waitFor()
      await entry(page, /^Run, .*Add tax.*2 unresolved comments/).waitFor()
    }
  })
})
