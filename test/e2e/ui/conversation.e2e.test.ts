/** The conversation beside the diff, fed by hooks: in step with the timeline, restored with the files, continued after a crash. */
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { violationsInLongForm } from '../../support/axe.ts'
import { startHookProcessAgent } from '../../support/hook-process-agent.ts'
import { agentIn } from '../../support/host-runs.ts'
import { useProject } from '../../support/project.ts'
import { LONG } from '../../support/scale.ts'
import { createTranscriptAgent } from '../../support/transcript-agent.ts'
import { becomes, diffPane, entry, fileRow, MOD, preview, previewRows, SOON, toast } from '../../support/ui.ts'
import { inOneHost, useWindow } from '../../support/window.ts'

const TODO = { tool_name: 'TodoWrite', tool_use_id: 'todo', tool_response: {} }

inOneHost('a conversation in the %s host', (name) => {
  const shop = useProject({ 'src/total.ts': 'export const total = 1\n' })
  const host = useWindow(name)
  let page: Page

  const talk = (): Locator => page.getByRole('complementary', { name: 'Conversation' })
  const row = (text: string | RegExp): Locator => talk().getByRole('listitem').filter({ hasText: text })
  const prompt = (text: string): Locator => row(text).and(talk().locator('[data-kind="prompt"]'))
  /** Opens the conversation at a prompt. */
  const openTalk = async (at = 'Round half to even'): Promise<void> => {
    await entry(page, new RegExp(`^Run, .*${at}.*ended`)).click()
    await page.getByRole('tab', { name: 'Conversation' }).click()
    await prompt(at).waitFor()
  }

  /** What breaks WCAG once nothing is on its way any more; the gallery has the conversation, the palette and the preview. */
  const broken = async (): Promise<string[]> => {
    await expect.poll(() => page.locator('.loadbar').count(), SOON).toBe(0)
    await diffPane(page).locator('.view-line').first().waitFor()
    return violationsInLongForm(page)
  }

  beforeAll(async () => {
    page = await host.open(shop)
    const agent = await agentIn(shop)
    const answer = 'One line per rate:\n\n```ts\nconst tax = 1\n```\n\n<img src="x" onerror="window.broken = true">'
    await agent.say('Add tax to the cart', answer, () => shop.edit({ 'src/tax.ts': 'export const tax = 1\n' }))
    const todos = [
      { content: 'Tax lines', status: 'completed' },
      { content: 'Rounding', status: 'in_progress' }
    ]
    await agent.send('PostToolUse', { ...TODO, tool_input: { todos } })
    const printed = ['PASS total', 'PASS tax', 'PASS round', '', '3 passed'].join('\n')
    await agent.say(
      'Round half to even',
      'Rounded.',
      () => shop.edit({ 'src/round.ts': 'export const even = 2\n' }),
      printed
    )
    await entry(page, /^Run, .*Round half to even.*ended/).waitFor()
  })
  beforeEach(() => host.clear())

  test('[UI-7] a tab that is chosen by click or key has the focus, though it is drawn in another pane', async () => {
    await openTalk()
    const focused = (name: RegExp) =>
      page.getByRole('tab', { name, selected: true }).and(page.locator(':focus')).waitFor()
    await focused(/^Conversation/)
    await page.keyboard.press('ArrowLeft')
    await focused(/^Files/)
    await page.keyboard.press('ArrowRight')
    await focused(/^Conversation/)
  })

  test('prompts, answers, tool calls and the plan are in order; message text is never HTML', async () => {
    await entry(page, /^Run, .*Round half to even.*ended/).click()
    await page.keyboard.press('Alt+4')
    // The focus waits for the messages: it is on the one that had it last.
    await row(/./).and(page.locator(':focus')).waitFor()
    const kinds = (): Promise<(string | undefined)[]> =>
      talk()
        .getByRole('list', { name: 'Conversation' })
        .getByRole('listitem')
        .evaluateAll((all) => all.map((row) => (row as HTMLElement).dataset.kind))
    await expect.poll(kinds, SOON).toEqual(['prompt', 'call', 'answer', 'prompt', 'call', 'answer'])
    expect(await row('One line per rate').locator('pre').innerText()).toBe('const tax = 1')
    await row('<img src="x"').waitFor()
    expect(await talk().locator('img').count()).toBe(0)
    expect(await page.evaluate(() => 'broken' in window)).toBe(false)
    await talk()
      .getByRole('button', { name: /^Tool call, +Run work +\+1 ?, [\d.]+ s/ })
      .first()
      .waitFor()
    await talk().getByRole('list', { name: 'Plan, 1 of 2 done' }).getByText('Rounding').waitFor()
    await expect.poll(() => prompt('Add tax').locator('.by').innerText(), SOON).toMatch(/1 file/)
  })

  test('a command shows the end of its output, and all stored output by key', async () => {
    await openTalk()
    const call = row('3 passed')
    expect(await call.locator('.out').innerText()).toMatch(/^Output:\s+… 2 more lines\nPASS round\n\n3 passed$/)
    await call.focus()
    await page.keyboard.press('ArrowRight')
    await call.getByText('PASS total').waitFor()
    expect(await broken(), 'an open call').toEqual([])
    await page.keyboard.press('ArrowLeft')
    await call.getByText('PASS total').waitFor({ state: 'detached' })
  })

  test('a prompt shows what its turn changed; a run chosen in the timeline shows its prompt', async () => {
    await openTalk()
    await expect.poll(() => prompt('Round half').getAttribute('aria-current'), SOON).toBe('true')
    await prompt('Add tax').click()
    await page.getByRole('heading', { level: 1, name: 'Add tax to the cart' }).waitFor()
    await diffPane(page).getByRole('heading', { name: 'src/tax.ts' }).waitFor()
    await expect.poll(() => prompt('Add tax').getAttribute('aria-current'), SOON).toBe('true')
    await entry(page, /^Run, .*Round half to even/).click()
    await expect.poll(() => prompt('Round half').getAttribute('aria-current'), SOON).toBe('true')
    await page.getByRole('tab', { name: /^Files/ }).click()
    await fileRow(page, /^round\.ts/).waitFor()
  })

  test('[UI-33] the prompts of a conversation are below the first one, which keys collapse; what is selected stays', async () => {
    const head = entry(page, 'Conversation, Add tax to the cart, 2 prompts.')
    const runs = entry(page, /^Run, .*(Add tax to the cart|Round half to even)/)
    const title = page.getByRole('heading', { level: 1 })
    const selected = await title.textContent()
    await expect.poll(() => runs.count(), SOON).toBe(2)
    await head.focus()
    await page.keyboard.press('ArrowLeft')
    await expect.poll(() => runs.count(), SOON).toBe(0)
    expect(await head.getAttribute('aria-expanded')).toBe('false')
    expect(await title.textContent()).toBe(selected)
    await page.keyboard.press('Enter')
    await expect.poll(() => runs.count(), SOON).toBe(2)
    await head.and(page.locator(':focus')).waitFor()
  })

  test('the timeline holds the plan, the turn, and its tool calls once it is opened', { tags: ['long'] }, async () => {
    await entry(page, /^Run, .*Add tax to the cart/).click()
    // The rows of a run that was open before may still be there.
    await entry(page, 'Plan, 1 of 2 done.').first().waitFor()
    const turn = entry(page, /^Turn, Add tax to the cart, .* 1 tool call\./)
    expect(await turn.getAttribute('aria-expanded')).toBe('false')
    await turn.focus()
    await page.keyboard.press('ArrowRight')
    const call = entry(page, /^Tool call, Run work, [\d.]+ s\./)
    await call.waitFor()
    // Conversation, run, turn, call.
    expect(await call.getAttribute('aria-level')).toBe('4')
    await page.keyboard.press('ArrowDown')
    await page.getByRole('heading', { level: 1, name: 'Add tax to the cart' }).waitFor()
    expect(await broken(), 'an open turn').toEqual([])
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('ArrowLeft')
    await call.waitFor({ state: 'detached' })
  })

  test('by keys alone: to the conversation, along it, into the diff, and to the preview of a restore', {
    tags: ['long']
  }, async () => {
    await openTalk()
    await page.keyboard.press('Alt+4')
    const focus = page.locator(':focus')
    await page.keyboard.press('Home')
    await prompt('Add tax').and(focus).waitFor()
    await page.keyboard.press(']')
    await prompt('Round half').and(focus).waitFor()
    await page.keyboard.press('ArrowUp')
    await row('One line per rate').and(focus).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Add tax to the cart' }).waitFor()
    await expect.poll(() => diffPane(page).evaluate((pane) => pane.contains(document.activeElement)), SOON).toBe(true)
    await page.keyboard.press('Alt+4')
    await page.keyboard.press('End')
    await page.keyboard.press('r')
    await preview(page)
      .getByRole('heading', { name: /Round half to even/ })
      .waitFor()
    await page.keyboard.press('Escape')
    await row('Rounded.').and(focus).waitFor()
  })

  test('no WCAG 2.2 AA violation, light or dark', { tags: ['long'] }, async () => {
    await openTalk()
    await prompt('Add tax').focus()
    expect(await broken(), 'conversation').toEqual([])
    await page.keyboard.press('r')
    await preview(page).getByRole('group', { name: 'What to restore' }).waitFor()
    expect(await broken(), 'restore').toEqual([])
    await page.keyboard.press('Escape')
  })

  test('the palette finds messages and changes, and opens them', async () => {
    await page.getByRole('tab', { name: /^Files/ }).click()
    const find = async (words: string, section: string, what: string | RegExp): Promise<void> => {
      await page.keyboard.press(`${MOD}+k`)
      await page.getByRole('combobox', { name: 'Search or run a command' }).fill(words)
      await page.getByRole('group', { name: section }).getByRole('option', { name: what }).first().click()
    }
    await find('One line per', 'Messages', /One line per rate/)
    await row('One line per rate').and(page.locator(':focus')).waitFor()
    await page.getByRole('heading', { level: 1, name: 'Add tax to the cart' }).waitFor()
    await find('even = 2', 'Changes', /export const even = 2/)
    await page.getByRole('heading', { level: 1, name: 'Round half to even' }).waitFor()
    await diffPane(page).getByRole('heading', { name: 'src/round.ts' }).waitFor()
    if (LONG) {
      await find('src/tax', 'Files', /src\/tax\.ts/)
      await diffPane(page).getByRole('heading', { name: 'src/tax.ts' }).waitFor()
      await page.keyboard.press(`${MOD}+k`)
      await page.getByRole('combobox', { name: 'Search or run a command' }).fill('rate')
      await page.getByRole('group', { name: 'Messages' }).waitFor()
      expect(await broken(), 'palette').toEqual([])
      await page.keyboard.press('Escape')
    }
    // The filter knows titles; what it looks for elsewhere is one key away.
    const filter = page.getByRole('textbox', { name: 'Filter the timeline' })
    await filter.fill('Rounded')
    await page.getByRole('button', { name: /^Search everything ?, messages and changes, for “Rounded”/ }).waitFor()
    await filter.press(`${MOD}+Enter`)
    await page
      .getByRole('group', { name: 'Messages' })
      .getByRole('option', { name: /^Rounded\./ })
      .waitFor()
    await page.keyboard.press('Enter')
    await row('Rounded.').and(page.locator(':focus')).waitFor()
    expect(await filter.inputValue()).toBe('')
  })

  test('[RS-6] files and conversation are restored together, with a resume command; undo reverts both', async () => {
    const agent = await agentIn(shop)
    await agent.say('Start the list', 'Started.', () => shop.edit({ 'list.txt': 'one\n' }))
    const before = shop.tree()
    await agent.say('Extend the list', 'Extended.', () => shop.edit({ 'list.txt': 'one\ntwo\n' }))
    const whole = shop.tree()
    await openTalk('Extend the list')
    await prompt('Extend the list').hover()
    await prompt('Extend the list').getByRole('button', { name: 'Restore to here…' }).click()
    const modes = preview(page).getByRole('group', { name: 'What to restore' })
    await modes.getByRole('button', { name: 'Both', pressed: true }).waitFor()
    await preview(page).getByText('2 messages after this point are set aside, not deleted').waitFor()
    await page.keyboard.press(`${MOD}+Enter`)
    await preview(page).getByRole('heading', { name: 'Restored 1 file and the conversation' }).waitFor()
    await becomes(shop, before)
    expect(await preview(page).getByRole('region', { name: 'Resume command' }).locator('pre').innerText()).toMatch(
      /claude --resume [\w-]+$/
    )
    expect(await preview(page).getByRole('region', { name: 'Undone prompt' }).locator('pre').innerText()).toBe(
      'Extend the list'
    )
    expect(await broken(), 'how to go on').toEqual([])
    await page.keyboard.press('Escape')
    await toast(page, 'Restored 1 file and the conversation').waitFor()
    await entry(page, /^Restored 1 file and the conversation/).waitFor()
    await row(/^Undone/).waitFor()
    await prompt('Extend the list').and(page.locator('[data-undone]')).waitFor()
    expect(await prompt('Start the list').getAttribute('class')).not.toContain('gone')
    await toast(page, 'Restored 1 file').getByRole('button', { name: /^Undo/ }).click()
    await becomes(shop, whole)
    await row(/^Undone/).waitFor({ state: 'detached' })
    // Once more, undone by the key while its result is shown.
    await prompt('Extend the list').hover()
    await prompt('Extend the list').getByRole('button', { name: 'Restore to here…' }).click()
    await previewRows(page)
    await page.keyboard.press(`${MOD}+Enter`)
    await preview(page).getByRole('heading', { name: 'Restored 1 file and the conversation' }).waitFor()
    await page.keyboard.press(`${MOD}+z`)
    await preview(page).waitFor({ state: 'detached' })
    await becomes(shop, whole)
  })

  test('the conversation is restored alone without writing a file', { tags: ['long'] }, async () => {
    const agent = await agentIn(shop)
    await agent.say('Ask a question', 'An answer.')
    await agent.say('Ask once more', 'Another answer.', () => shop.edit({ 'asked.txt': 'twice\n' }))
    const whole = shop.tree()
    await openTalk('Ask once more')
    await prompt('Ask once more').focus()
    await page.keyboard.press('r')
    await preview(page)
      .getByRole('group', { name: 'What to restore' })
      .getByRole('button', { name: 'Conversation' })
      .click()
    await preview(page).getByRole('heading', { name: '2 messages set aside' }).waitFor()
    await page.keyboard.press(`${MOD}+Enter`)
    await preview(page).getByRole('heading', { name: 'Restored the conversation' }).waitFor()
    await page.keyboard.press('Escape')
    await row(/^Undone/).waitFor()
    expect(shop.tree()).toEqual(whole)
    await page.keyboard.press(`${MOD}+z`)
    await row(/^Undone/).waitFor({ state: 'detached' })
    expect(shop.tree()).toEqual(whole)
  })

  test('new messages do not move the scroll position', async () => {
    const agent = await agentIn(shop)
    await agent.say('Talk at length', `Part one: ${'word '.repeat(150)}`)
    await agent.say('Talk on', `Part two: ${'word '.repeat(150)}`, () => shop.edit({ 'talk.txt': 'on\n' }))
    await openTalk('Talk on')
    await row('Part two').waitFor()
    await page.setViewportSize({ width: 1280, height: 560 })
    for (const hide of await page.locator('.toast').getByRole('button', { name: 'Dismiss' }).all()) await hide.click()
    const list = talk().getByRole('list', { name: 'Conversation' })
    await list.evaluate((box) => {
      box.scrollTop = 0
    })
    await agent.say(`A long one ${'word '.repeat(150)}`, 'Long enough.')
    await expect.poll(() => talk().locator('.pilln').innerText(), SOON).toMatch(/2 newer messages/)
    expect(await list.evaluate((box) => box.scrollTop)).toBe(0)
    await talk().locator('.pilln').getByRole('button', { name: 'Show' }).click()
    await row('Long enough.').waitFor()
    await talk().locator('.pilln').waitFor({ state: 'detached' })
  })

  test('a followed run shows its edits as they happen, until the person selects something else', async () => {
    const agent = await agentIn(shop)
    const use = { tool_name: 'Bash', tool_use_id: 'f1', tool_input: { command: 'work' } }
    const finish = () => agent.send('PostToolUse', { ...use, tool_response: {} })
    await agent.send('UserPromptSubmit', { prompt: 'Follow me', prompt_id: 'p-follow' })
    await entry(page, /^Run, .*Follow me, live/).click()
    await page.getByRole('switch', { name: 'Follow edits' }).click()
    await agent.send('PreToolUse', use)
    shop.edit({ 'one.txt': 'one\n' })
    await finish()
    await diffPane(page).getByRole('heading', { name: 'one.txt' }).waitFor()
    await agent.send('PreToolUse', { ...use, tool_use_id: 'f2' })
    shop.edit({ 'two.txt': 'two\n' })
    await agent.send('PostToolUse', { ...use, tool_use_id: 'f2', tool_response: {} })
    await diffPane(page).getByRole('heading', { name: 'two.txt' }).waitFor()
    await page.getByRole('tab', { name: 'Conversation' }).click()
    await prompt('Follow me').click()
    await expect.poll(() => page.getByRole('switch', { name: 'Follow edits' }).isChecked(), SOON).toBe(false)
    await agent.send('Stop', { last_assistant_message: 'Followed.', background_tasks: [] })
    await entry(page, /^Run, .*Follow me.*ended/).waitFor()
    await page.getByRole('switch', { name: 'Follow edits' }).waitFor({ state: 'detached' })
  })

  test('a file shows that a tool writes it; the status bar explains why restores wait', {
    tags: ['long']
  }, async () => {
    const agent = await agentIn(shop)
    const status = page.getByRole('contentinfo')
    const tool = { tool_name: 'Write', tool_use_id: 'w1', tool_input: { file_path: join(shop.root, 'three.txt') } }
    await agent.send('UserPromptSubmit', { prompt: 'Write three', prompt_id: 'p-write' })
    await entry(page, /^Run, .*Write three, live/).click()
    await agent.send('PreToolUse', tool)
    shop.edit({ 'three.txt': '3\n' })
    await page.getByRole('tab', { name: /^Files/ }).click()
    await fileRow(page, /^three\.txt, added, being written/).click()
    await diffPane(page).locator('.badge', { hasText: 'writing' }).waitFor()
    await diffPane(page).getByText('New file. It did not exist before.').waitFor()
    await status.getByText('Recording').waitFor()
    await status.getByText(/^last edit \d+ s ago$/).waitFor()
    await status.getByRole('button', { name: 'Restore and undo wait until this turn ends. Why?' }).click()
    const why = page.getByRole('dialog', { name: 'Why restore and undo wait' })
    await why.getByText('Claude Code is working on “Write three”').waitFor()
    expect(await broken(), 'why restores wait').toEqual([])
    await agent.send('PostToolUse', { ...tool, tool_response: {} })
    await agent.send('Stop', { last_assistant_message: 'Written.', background_tasks: [] })
    await page.getByRole('dialog', { name: 'Restore and undo are available' }).waitFor()
    await page.keyboard.press('Escape')
    await fileRow(page, /^three\.txt, added, 1 line/).waitFor()
    expect(await diffPane(page).locator('.badge').count()).toBe(0)
    await status.getByRole('button', { name: /covered/ }).waitFor()
    expect(await status.getByText('wait until').count()).toBe(0)
  })

  // Long: the words of the banner are a test of banners, the edits one of the engine.
  test('a killed agent: the banner says what it was doing, and all its edits can be undone', {
    tags: ['long']
  }, async () => {
    const doomed = startHookProcessAgent(shop)
    const agent = createTranscriptAgent(doomed)
    const before = shop.tree()
    await agent.begin('Ship it', () => shop.edit({ 'ship.txt': 'half\n', 'src/total.ts': 'export const total = 0\n' }))
    await entry(page, /^Run, .*Ship it, live/).waitFor()
    await doomed.die()
    const notice = page.getByRole('region', { name: 'Notice' })
    await expect
      .poll(
        async () => {
          await page.evaluate(() => window.dispatchEvent(new Event('focus')))
          return (await notice.count()) > 0 ? notice.innerText() : ''
          // Each focus has the folder scanned.
        },
        { ...SOON, interval: 250 }
      )
      .toContain('Claude Code was interrupted during “Ship it” while running “work”; it changed 2 files.')
    await notice.getByRole('button', { name: 'Copy resume command' }).waitFor()
    await notice.getByRole('button', { name: 'Review' }).click()
    await page.getByRole('heading', { level: 1, name: 'Ship it' }).waitFor()
    // The banner says it already.
    const own = page.getByRole('region', { name: 'About this run' })
    expect(await own.getByText(/Interrupted/).count()).toBe(0)
    expect(await broken(), 'interrupted').toEqual([])
    await notice.getByRole('button', { name: 'Undo this run…' }).click()
    await preview(page)
      .getByRole('button', { name: /^Undo 2 files/ })
      .waitFor()
    await page.keyboard.press(`${MOD}+Enter`)
    await becomes(shop, before)
    expect(join(shop.root, 'ship.txt') in shop.tree()).toBe(false)
  })
})
