/** A file that a person edited between two edits of a run: whose changes are shown is a choice, and each is exact. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { violations } from '../../support/axe.ts'
import { type HookingAgent, hookingAgent } from '../../support/hooking-agent.ts'
import { BROWSER, type RunningHost } from '../../support/host.ts'
import { talkingAgent } from '../../support/talking-agent.ts'
import {
  becomes,
  diffPane,
  entry,
  fileRow,
  HOSTS,
  MOD,
  type Project,
  previewRows,
  project,
  SOON,
  shootFailures,
  windowOn
} from '../../support/ui.ts'

const START = Array.from({ length: 30 }, (_, i) => `line ${i}\n`).join('')
const FIRST = START.replace('line 3\n', 'RUN 3\n')
const MINE = FIRST.replace('line 12\n', 'mine 12\n')
const DONE = MINE.replace('line 24\n', 'RUN 24\n')

describe.skipIf(!BROWSER).each(HOSTS)('an interleaved file in the %s host', (name) => {
  let shop: Project
  let host: RunningHost
  let place: HookingAgent
  shootFailures(() => host)

  const place1 = (of: number) => diffPane(host.page).getByRole('img', { name: new RegExp(`^Change \\d+ of ${of}$`) })
  const part = (label: string) => diffPane(host.page).getByRole('button', { name: label, exact: true })
  const text = async (): Promise<string> =>
    (await diffPane(host.page).locator('.editor.modified .view-lines[role="presentation"]').innerText()).replaceAll(
      '\u00a0',
      ' '
    )

  beforeAll(async () => {
    shop = project({ 'a.txt': START })
    shop.driftline('add', shop.root)
    host = await windowOn(name, shop)
    place = hookingAgent(shop)
    const agent = talkingAgent(place)
    const edit = async (id: string, words: string): Promise<void> => {
      const tool = {
        tool_name: 'Write',
        tool_use_id: id,
        tool_input: { file_path: `${shop.root}/a.txt`, content: words }
      }
      await agent.tell('PreToolUse', tool)
      shop.edit({ 'a.txt': words })
      await agent.tell('PostToolUse', { ...tool, tool_response: {} })
    }
    await agent.tell('UserPromptSubmit', { prompt: 'Shout twice', prompt_id: 'one' })
    await edit('one', FIRST)
    shop.edit({ 'a.txt': MINE })
    shop.driftline('status')
    await edit('two', DONE)
    await agent.tell('Stop', { last_assistant_message: 'Done.', background_tasks: [] })
    await entry(host.page, /^Run, .*Shout twice.*ended/).click()
    await fileRow(host.page, /^a\.txt, modified, .*also edited outside/).click()
  })
  afterAll(async () => {
    await place?.die()
    await host?.close()
    shop?.[Symbol.dispose]()
  })

  test('[LG-4] this run only, everything, outside edits only; undo takes the run’s part alone', async () => {
    await diffPane(host.page)
      .getByText(/^1 outside edit at [\d:]+ between two of this run’s edits/)
      .waitFor()
    await place1(2).waitFor()
    expect(await violations(host.page)).toEqual([])
    await part('Everything').focus()
    await host.page.keyboard.press('Enter')
    await diffPane(host.page).getByText('Everything between start and end, with 1 outside edit.').waitFor()
    await place1(3).waitFor()
    expect(await diffPane(host.page).locator('.change-bar').count()).toBe(0)
    await part('Outside edits only').click()
    await place1(1).waitFor()
    await expect.poll(text, SOON).toContain('mine 12')
    expect(await text()).not.toContain('RUN 24')
    await part('This run only').click()
    await place1(2).waitFor()
    await diffPane(host.page).locator('main').focus()
    await host.page.keyboard.press('Alt+ArrowDown')
    await host.page.keyboard.press('Alt+z')
    await previewRows(host.page)
    await host.page.keyboard.press(`${MOD}+Enter`)
    await becomes(shop, { 'a.txt': `file 644 ${Buffer.from(MINE).toString('base64')}` })
  })
})
