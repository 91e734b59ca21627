/** Comments on messages of a conversation: written below them, kept as drafts, listed and sent with the review. */
import type { Locator, Page } from 'playwright-core'
import { beforeAll, expect } from 'vitest'
import { violationsInBothThemes, violationsInLongForm } from '../../support/axe.ts'
import { agentInProcess } from '../../support/hook-process-agent.ts'
import { useProject } from '../../support/project.ts'
import { scenario } from '../../support/scenario.ts'
import { createTranscriptAgent } from '../../support/transcript-agent.ts'
import { entry, SOON } from '../../support/ui.ts'
import { inOneHost, useWindow } from '../../support/window.ts'

inOneHost('comments on messages in the %s host', (name) => {
  const shop = useProject({ 'src/total.ts': 'export const total = 1\n' })
  const host = useWindow(name)
  let page: Page

  const talk = (): Locator => page.getByRole('complementary', { name: 'Conversation' })
  const row = (kind: 'prompt' | 'answer', text: string): Locator =>
    talk().locator(`[data-kind="${kind}"]`).filter({ hasText: text })
  const answer = (): Locator => row('answer', 'One line per rate')
  const box = (): Locator => answer().getByRole('textbox', { name: 'Comment on answer #2' })
  const review = (): Locator => page.getByRole('dialog', { name: 'Review for Claude Code' })
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
    const agent = createTranscriptAgent(await agentInProcess(shop))
    await agent.say('Add tax to the cart', 'One line per rate.', () =>
      shop.edit({ 'src/tax.ts': 'export const tax = 1\n' })
    )
    await openTalk()
  })

  scenario('[RV-1] [UI-48] a message is commented on by keyboard, and the comment goes with the review', {
    'C opens a box below the message; what is typed there is a draft, also when the folder is opened anew':
      async () => {
        await answer().focus()
        await page.keyboard.press('c')
        await page.keyboard.type('Why **this** rate?')
        await expect.poll(() => box().inputValue(), SOON).toBe('Why **this** rate?')
        expect(await violationsInBothThemes(page)).toEqual([])
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
