/** The edits of a run: replayed one by one, with the marks of its tests, and apart from what a person edited between two of them. */
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { violationsInLongForm } from '../../support/axe.ts'
import { createHookCalls } from '../../support/hook-calls.ts'
import { agentIn } from '../../support/host-runs.ts'
import { holdIdle, releaseIdle } from '../../support/idle.ts'
import { useProject } from '../../support/project.ts'
import { scenario } from '../../support/scenario.ts'
import { fileOf } from '../../support/tree.ts'
import { becomes, diffPane, entry, fileRow, MOD, preview, previewRows, SOON, shownText } from '../../support/ui.ts'
import { inOneHost, useWindow } from '../../support/window.ts'

const LINES = Array.from({ length: 80 }, (_, i) => `line ${i}\n`).join('')
const edited = (n: number): string => LINES.replace(`line ${n}\n`, `edited ${n}\n`)

const START = Array.from({ length: 30 }, (_, i) => `line ${i}\n`).join('')
const FIRST = START.replace('line 3\n', 'RUN 3\n')
const MINE = FIRST.replace('line 12\n', 'mine 12\n')
const DONE = MINE.replace('line 24\n', 'RUN 24\n')

inOneHost('the edits of a run in the %s host', (name) => {
  const shop = useProject({ 'a.ts': LINES, 'b.ts': LINES, 'a.txt': START })
  const host = useWindow(name)
  let page: Page
  const slider = () => page.getByRole('slider', { name: 'Position in the replay' })
  const isAt = (step: string) => expect.poll(() => slider().getAttribute('aria-valuetext'), SOON).toContain(step)
  const shows = (text: string) => diffPane(page).locator('.view-line', { hasText: text }).first().waitFor()

  const changeOf = (of: number) => diffPane(host.page).getByRole('img', { name: new RegExp(`^Change \\d+ of ${of}$`) })
  const part = (label: string) => diffPane(host.page).getByRole('button', { name: label, exact: true })
  const text = (): Promise<string> => shownText(diffPane(host.page))

  beforeAll(async () => {
    await shop.add()
    page = await host.open(shop)
    const agent = createHookCalls(shop, 'session-1')
    await agent.changedRun('Edit both', { 'a.ts': edited(3), 'b.ts': edited(70) })
    const test = { tool_name: 'Bash', tool_input: { command: 'npm test' }, tool_use_id: 'test' }
    await agent.send('UserPromptSubmit', { prompt: 'Test and edit again' })
    await agent.send('PreToolUse', test)
    await agent.send('PostToolUse', { ...test, tool_response: { stdout: 'ok', stderr: '', interrupted: false } })
    const write = { tool_name: 'Write', tool_input: { file_path: `${shop.root}/a.ts` }, tool_use_id: 'again' }
    await agent.send('PreToolUse', write)
    shop.edit({ 'a.ts': edited(40) })
    await agent.send('PostToolUse', write)
    await agent.send('PreToolUse', { ...test, tool_use_id: 'test-2' })
    await agent.send('PostToolUseFailure', { ...test, tool_use_id: 'test-2', error: 'Exit code 1\n1 failed' })
    await agent.send('Stop', { background_tasks: [] })
  })

  scenario(
    '[TS-1] [TS-2] [RP-1] [RP-2] tests have marks, a run is replayed by keyboard, and G restores to the passed tests',
    {
      'the row and the header of the run say that its tests failed': async () => {
        await entry(page, /^Run, .*Test and edit again.*tests failed/).click()
        await page.getByRole('region', { name: 'Selected entry' }).getByText('tests failed').waitFor()
        expect(await violationsInLongForm(page)).toEqual([])
      },

      'Alt+R opens the replay at its start, and arrows lead through its edits': async () => {
        await entry(page, /^Run, .*Edit both/).click()
        await page.keyboard.press('Alt+r')
        await isAt('start, before 2 edits')
        expect(await page.locator('.replay [aria-busy="true"]').count()).toBe(0)
        await page.keyboard.press('ArrowRight')
        await isAt('edit 1 of 2, a.ts')
        await diffPane(page).locator('.first-code', { hasText: 'edited 3' }).waitFor()
        await shows('edited 3')
        await page.keyboard.press('End')
        await isAt('edit 2 of 2, b.ts')
        await shows('edited 70')
        expect(await violationsInLongForm(page)).toEqual([])
      },

      'the folder opened anew shows the same moment again': async () => {
        await expect.poll(() => page.url(), SOON).toMatch(/replay=run_[^&]*%402$/)
        await host.reopen()
        await isAt('edit 2 of 2, b.ts')
        await shows('edited 70')
      },

      'Space plays to the end, and Escape leaves': async () => {
        await page.keyboard.press('Home')
        await isAt('start')
        await page.keyboard.press('l')
        await page.keyboard.press('l')
        await isAt('edit 2 of 2')
        await page.keyboard.press('Escape')
        await slider().waitFor({ state: 'detached' })
        expect(page.url()).not.toContain('replay=')
      },

      'G opens the preview of a restore to where tests passed last': async () => {
        await page.keyboard.press('g')
        await preview(page).getByText('a.ts').first().waitFor()
        await page.keyboard.press('Escape')
      }
    }
  )

  test('[LG-4] [UI-44] [UI-45] this run’s edits, all edits, or outside edits are shown; undo reverts the run’s edits only', async () => {
    const before = shop.tree()
    const agent = await agentIn(shop)
    const edit = async (id: string, words: string): Promise<void> => {
      const tool = {
        tool_name: 'Write',
        tool_use_id: id,
        tool_input: { file_path: `${shop.root}/a.txt`, content: words }
      }
      await agent.send('PreToolUse', tool)
      shop.edit({ 'a.txt': words })
      await agent.send('PostToolUse', { ...tool, tool_response: {} })
    }
    await agent.send('UserPromptSubmit', { prompt: 'Shout twice', prompt_id: 'one' })
    await edit('one', FIRST)
    shop.edit({ 'a.txt': MINE })
    await shop.check()
    await edit('two', DONE)
    await agent.send('Stop', { last_assistant_message: 'Done.', background_tasks: [] })
    await entry(host.page, /^Run, .*Shout twice.*ended/).click()
    await fileRow(host.page, /^a\.txt, modified, .*also edited outside/).click()
    await diffPane(host.page)
      .getByText(/^1 outside edit \([\d:]+\) is not shown; dots mark its lines/)
      .waitFor()
    await changeOf(2).waitFor()
    const ruler = diffPane(host.page).locator('.change-ruler')
    await expect.poll(() => ruler.locator('i.others').count(), SOON).toBe(1)
    const [above, mark, below] = await Promise.all(
      [ruler.locator('i.add').first(), ruler.locator('i.others'), ruler.locator('i.add').last()].map(
        async (place) => (await place.boundingBox())?.y ?? 0
      )
    )
    expect([above, mark, below]).toEqual([above, mark, below].toSorted((a, b) => Number(a) - Number(b)))
    await diffPane(host.page).locator('main').focus()
    await host.page.keyboard.press('Alt+u')
    const dots = diffPane(host.page).locator('.editor.original .others-line')
    await expect.poll(() => dots.count(), SOON).toBe(1)
    await host.page.keyboard.press('Alt+u')
    expect(await violationsInLongForm(host.page)).toEqual([])
    await part('All edits').focus()
    await host.page.keyboard.press('Enter')
    await diffPane(host.page).getByText('All edits from start to end of the run, including 1 outside edit.').waitFor()
    await changeOf(3).waitFor()
    await expect.poll(() => diffPane(host.page).locator('.change-bar').count(), SOON).toBe(0)
    await part('Outside edits only').click()
    await changeOf(1).waitFor()
    await expect.poll(text, SOON).toContain('mine 12')
    expect(await text()).not.toContain('RUN 24')
    // The keys come before the editor has the text.
    await holdIdle(host.page)
    await part('This run only').click()
    await changeOf(2).waitFor()
    await diffPane(host.page).locator('main').focus()
    await host.page.keyboard.press('Alt+ArrowDown')
    await host.page.keyboard.press('Alt+z')
    await releaseIdle(host.page)
    await previewRows(host.page)
    await host.page.keyboard.press(`${MOD}+Enter`)
    await becomes(shop, { ...before, 'a.txt': fileOf(MINE) })
  })
})
