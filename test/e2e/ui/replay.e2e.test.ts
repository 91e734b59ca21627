/** [RP-1] A replay of a run in the window, and the marks of its tests. */
import type { Page } from 'playwright-core'
import { beforeAll, expect } from 'vitest'
import { violationsInBothThemes, violationsInLongForm } from '../../support/axe.ts'
import { createHookCalls } from '../../support/hook-calls.ts'
import { useProject } from '../../support/project.ts'
import { scenario } from '../../support/scenario.ts'
import { diffPane, entry, preview, SOON } from '../../support/ui.ts'
import { inOneHost, useWindow } from '../../support/window.ts'

const LINES = Array.from({ length: 80 }, (_, i) => `line ${i}\n`).join('')
const edited = (n: number): string => LINES.replace(`line ${n}\n`, `edited ${n}\n`)

inOneHost('a replay in the %s host', (name) => {
  const shop = useProject({ 'a.ts': LINES, 'b.ts': LINES })
  const host = useWindow(name)
  let page: Page
  const slider = () => page.getByRole('slider', { name: 'Position in the replay' })
  const isAt = (step: string) => expect.poll(() => slider().getAttribute('aria-valuetext'), SOON).toContain(step)
  const shows = (text: string) => diffPane(page).locator('.view-line', { hasText: text }).first().waitFor()

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
        expect(await violationsInBothThemes(page)).toEqual([])
      },

      'the folder opened anew shows the same moment again': async () => {
        await expect.poll(() => page.url(), SOON).toMatch(/replay=run_[^&]*%40\d+/)
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
})
