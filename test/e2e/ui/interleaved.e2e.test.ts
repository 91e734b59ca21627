/** A file that a person edited between two edits of a run: whose changes are shown is a choice, and each is exact. */
import { beforeAll, expect, test } from 'vitest'
import { violations } from '../../support/axe.ts'
import { agentInProcess } from '../../support/hook-process-agent.ts'
import { holdIdle, releaseIdle } from '../../support/idle.ts'
import { useProject } from '../../support/project.ts'
import { createTranscriptAgent } from '../../support/transcript-agent.ts'
import { fileOf } from '../../support/tree.ts'
import { becomes, diffPane, entry, fileRow, MOD, previewRows, SOON, shownText } from '../../support/ui.ts'
import { inOneHost, useWindow } from '../../support/window.ts'

const START = Array.from({ length: 30 }, (_, i) => `line ${i}\n`).join('')
const FIRST = START.replace('line 3\n', 'RUN 3\n')
const MINE = FIRST.replace('line 12\n', 'mine 12\n')
const DONE = MINE.replace('line 24\n', 'RUN 24\n')

inOneHost('an interleaved file in the %s host', (name) => {
  const shop = useProject({ 'a.txt': START })
  const host = useWindow(name)

  const changeOf = (of: number) => diffPane(host.page).getByRole('img', { name: new RegExp(`^Change \\d+ of ${of}$`) })
  const part = (label: string) => diffPane(host.page).getByRole('button', { name: label, exact: true })
  const text = (): Promise<string> => shownText(diffPane(host.page))

  beforeAll(async () => {
    await shop.add()
    await host.open(shop)
    const agent = createTranscriptAgent(await agentInProcess(shop))
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
  })

  test('[LG-4] [UI-44] [UI-45] this run’s edits, all edits, or outside edits are shown; undo reverts the run’s edits only', async () => {
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
    expect(await violations(host.page)).toEqual([])
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
    await becomes(shop, { 'a.txt': fileOf(MINE) })
  })
})
