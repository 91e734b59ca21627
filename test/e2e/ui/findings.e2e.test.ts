/** What to look at first in a run, in the window: the list in its header, and the lines in the diff. */
import type { Page } from 'playwright-core'
import { beforeAll, expect } from 'vitest'
import { violationsInBothThemes, violationsInLongForm } from '../../support/axe.ts'
import { callHost } from '../../support/call-host.ts'
import { createHookCalls } from '../../support/hook-calls.ts'
import { agentIn } from '../../support/host-runs.ts'
import { type Project, useProject } from '../../support/project.ts'
import { LONG } from '../../support/scale.ts'
import { scenario } from '../../support/scenario.ts'
import type { TranscriptAgent } from '../../support/transcript-agent.ts'
import { diffPane, entry, fileRow, openSettings, SOON } from '../../support/ui.ts'
import { inOneHost, useWindow } from '../../support/window.ts'

const LINES = Array.from({ length: 60 }, (_, i) => `line ${i}\n`).join('')
const TESTS = `${LINES}test('a', () => {})\n`

/** One tool call that writes files, in a run that stays live. */
async function write(on: Project, agent: TranscriptAgent, files: Readonly<Record<string, string>>): Promise<void> {
  const call = { tool_name: 'Bash', tool_input: { command: 'make' }, tool_use_id: JSON.stringify(files).slice(-60) }
  await agent.send('PreToolUse', call)
  on.edit(files)
  await agent.send('PostToolUse', call)
}

function findingsOn(page: () => Page) {
  const list = () => page().getByRole('region', { name: 'Findings' })
  const note = (text: string) => diffPane(page()).getByRole('note').filter({ hasText: text })
  /** Where a line of the text is on screen. */
  const placeOf = (line: string) => diffPane(page()).locator('.view-line', { hasText: line }).last().boundingBox()
  /** Whether a note is on screen, directly below a line of the text. */
  const isBelow = async (text: string, line: string): Promise<boolean> => {
    const [above, below] = [await placeOf(line), await note(text).boundingBox()]
    return above !== null && below !== null && Math.abs(above.y + above.height - below.y) < 24
  }
  return { list, note, placeOf, isBelow }
}

inOneHost('findings in the %s host', (name) => {
  const shop = useProject({
    'a.test.ts': TESTS,
    'b.ts': LINES,
    'c.lock': 'c\n',
    'live.test.ts': TESTS,
    'live.ts': LINES
  })
  const host = useWindow(name)
  let page: Page
  /** Of the live run. */
  let agent: TranscriptAgent
  const { list, note, placeOf, isBelow } = findingsOn(() => page)

  beforeAll(async () => {
    page = await host.open(shop)
    await createHookCalls(shop, 'session-1').changedRun('Go faster', {
      'a.test.ts': TESTS.replace("test('a'", "test.skip('a'"),
      'b.ts': LINES.replace('line 50\n', '// @ts-ignore\nline 50\n'),
      'package-lock.json': '{}\n'
    })
  })

  scenario('[UI-42] findings are listed in the header and shown at their lines, by keyboard', {
    'the header names them, the most serious first': async () => {
      await entry(page, /^Run, .*Go faster/).click()
      await list().getByRole('button', { name: '3 findings' }).waitFor()
      await expect
        .poll(() => list().innerText(), SOON)
        .toMatch(/Test skipped in a\.test\.ts:61 · Check disabled in b\.ts:51/)
      expect(await violationsInLongForm(page)).toEqual([])
    },

    'N leads to each in its file and line, and from the last to the first': async () => {
      await page.keyboard.press('n')
      await expect.poll(() => isBelow('Test skipped', 'test.skip'), SOON).toBe(true)
      await expect.poll(() => page.evaluate(() => document.activeElement?.closest('#diff-pane') !== null)).toBe(true)
      await page.keyboard.press('n')
      await expect.poll(() => isBelow('Check disabled', '@ts-ignore'), SOON).toBe(true)
      expect(await violationsInBothThemes(page)).toEqual([])
      await page.keyboard.press('n')
      await note('Dependencies changed').waitFor()
      await page.keyboard.press('n')
      await expect.poll(() => isBelow('Test skipped', 'test.skip'), SOON).toBe(true)
      await page.keyboard.press('Shift+N')
      await note('Dependencies changed').waitFor()
    },

    'the menu leads to a finding, in the long form with all files in one scroll': async () => {
      if (LONG) await page.keyboard.press('Alt+a')
      if (LONG) await diffPane(page).getByRole('feed').waitFor()
      await list().getByRole('button', { name: '3 findings' }).click()
      await page.getByRole('menuitem', { name: /^Check disabled/ }).click()
      await expect.poll(() => isBelow('Check disabled', '@ts-ignore'), SOON).toBe(true)
      if (LONG) await page.keyboard.press('Alt+a')
      await fileRow(page, /^b\.ts/).waitFor()
    },

    'a kind that is switched off in the settings is not listed, until it is switched on again': async () => {
      const settings = await openSettings(page, 'Agents')
      await settings.getByRole('switch', { name: 'Dependencies changed' }).click()
      expect(await violationsInLongForm(page)).toEqual([])
      await page.keyboard.press('Escape')
      await list().getByRole('button', { name: '2 findings' }).waitFor()
      const { values } = await callHost(shop.dataDir, 'settings.get', {})
      expect(values['review.findings-off']).toMatch(/dependencies/)
      await callHost(shop.dataDir, 'settings.set', { key: 'review.findings-off', value: '' })
      await list().getByRole('button', { name: '3 findings' }).waitFor()
    }
  })

  // Long: that nothing moves below a reader is a test of the panes and of late-timeline.
  scenario(
    '[UI-42] [UI-3] findings of a live run are listed as it writes, and nothing moves that a person reads',
    { tags: ['long'] },
    {
      'the list has its place before there is anything in it': async () => {
        agent = await agentIn(shop)
        await agent.send('UserPromptSubmit', { prompt: 'Work on' })
        await write(shop, agent, { 'live.ts': LINES.replace('line 3\n', 'written by the agent\n') })
        await entry(page, /^Run, .*Work on/).click()
        await fileRow(page, /^live\.ts/).click()
        await diffPane(page).locator('.view-line', { hasText: 'written by the agent' }).first().waitFor()
        await list().getByText('Nothing stands out so far.').waitFor()
      },

      'what the agent writes is listed; the text on screen stays where it is, without new marks': async () => {
        const before = await placeOf('written by the agent')
        await write(shop, agent, {
          'live.ts': LINES.replace('line 3\n', '// @ts-ignore\nwritten by the agent\n'),
          'live.test.ts': LINES
        })
        await list().getByRole('button', { name: '2 findings' }).waitFor()
        await expect
          .poll(() => list().innerText(), SOON)
          .toMatch(/Test deleted in live\.test\.ts.* · Check disabled in live\.ts:4/)
        expect(await placeOf('written by the agent')).toEqual(before)
        expect(await note('Check disabled').count()).toBe(0)
      },

      'a new text has its marks, also when the run ends, and N leads through them': async () => {
        await diffPane(page).getByRole('button', { name: 'Show', exact: true }).click()
        await expect.poll(() => isBelow('Check disabled', '@ts-ignore'), SOON).toBe(true)
        await agent.send('Stop', {})
        await entry(page, /^Run, .*Work on.*ended/).waitFor()
        await page.keyboard.press('n')
        await fileRow(page, /^live\.test\.ts/)
          .and(page.locator('[aria-selected="true"]'))
          .waitFor()
        await page.keyboard.press('n')
        await expect.poll(() => isBelow('Check disabled', '@ts-ignore'), SOON).toBe(true)
      }
    }
  )
})
