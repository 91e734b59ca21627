/** [RV-7] A file tool that would write again exactly what a person undid is refused, if the setting says so. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type Line, PROJECT, recordedEvents, replay, toHookEvent } from '../../../support/agent-replay.ts'
import { recordedFolder } from '../../../support/recorded-folder.ts'
import { LONG } from '../../../support/scale.ts'
import { writeFiles } from '../../../support/tree.ts'

const REASON = /^The user undid exactly this change of (.+), so Driftline refused to write it again\./

/** The reason in the form that an agent takes; what else is printed is a failure. */
function reasonOf(agent: string, event: string, answer: string): string {
  const { contextModification, refused, reason, hookSpecificOutput: output } = JSON.parse(answer)
  const forms: Readonly<Record<string, [string, object]>> = {
    cline: [contextModification, { cancel: false, overrideInput: {}, contextModification }],
    opencode: [refused, { refused }],
    'gemini-cli': [reason, { decision: 'deny', reason }]
  }
  const why = output?.permissionDecisionReason
  const denied = { hookEventName: event, permissionDecision: 'deny', permissionDecisionReason: why }
  const [text, form] = forms[agent] ?? [why, { hookSpecificOutput: denied }]
  expect(JSON.parse(answer)).toEqual(form)
  return text
}

describe('[RV-7] after everything was undone, the file tools of the same conversation are refused', () => {
  const agents: readonly (readonly [agent: string, fixture: string])[] = [
    ['claude-code', 'claude'],
    ['gemini-cli', 'gemini'],
    ['opencode', 'opencode'],
    ['cline', 'cline']
  ]
  /** Their answers have the form of Claude Code's. */
  const alike: typeof agents = [
    ['codex', 'codex'],
    ['qwen-code', 'qwen']
  ]
  test.each(LONG ? [...agents, ...alike] : agents)('%s', async (agent, fixture) => {
    await using folder = await recordedFolder({ files: PROJECT })
    const { workspace, engine } = folder
    const lines = recordedEvents(fixture, folder.root).map((line) =>
      agent === 'opencode' ? { ...line, input: { ...line.input, directory: folder.root } } : line
    )
    const before = folder.tree()
    await replay(folder, agent, lines)
    const { entries } = await engine.call('timeline.list', { workspace, limit: 50, kinds: ['run'] })
    await folder.apply({ kind: 'restore', target: `${entries.at(-1)!.id}:start`, mode: 'files' })
    expect(folder.tree()).toEqual(before)

    const refused = async (): Promise<string[]> => {
      const paths: string[] = []
      for (const line of lines) {
        const { answer } = await engine.call('agent.event', toHookEvent(agent, line))
        if (answer !== undefined) paths.push(REASON.exec(reasonOf(agent, line.event, answer))?.[1] ?? answer)
      }
      return paths
    }
    expect(await refused()).toEqual([])
    await engine.call('settings.set', { key: 'review.refuse-undone', value: 'on' })
    expect(await refused()).toEqual(['notes.txt', 'app.txt'])
  })
})

describe('[RV-7] a call', () => {
  const OLD = 'one\ntwo\nthree\nfour\nfive\n'
  const edit = (from: string, to: string) => ({ old_string: from, new_string: to })

  /** A folder in which the change of two lines, far from each other, was undone; and what the hook answers then. */
  async function withUndone() {
    const folder = await recordedFolder({ files: { 'a.ts': OLD } })
    const send = async (event: string, input: object) => {
      const payload = { session_id: 'one', cwd: folder.root, ...input }
      return (await folder.engine.call('agent.event', toHookEvent('claude-code', { event, input: payload } as Line)))
        .answer
    }
    let calls = 0
    const call = (tool_name: string, input: object) => ({
      tool_name,
      tool_input: { file_path: join(folder.root, 'a.ts'), ...input },
      tool_use_id: `call-${++calls}`
    })
    await send('UserPromptSubmit', { prompt: 'change it' })
    const bash = call('Bash', { command: 'make' })
    await send('PreToolUse', bash)
    writeFiles(folder.root, { 'a.ts': OLD.replace('one', 'ONE').replace('five', 'FIVE') })
    await send('PostToolUse', bash)
    await send('Stop', { background_tasks: [] })
    await folder.apply({ kind: 'undo-run', run: 'latest' })
    await folder.engine.call('settings.set', { key: 'review.refuse-undone', value: 'on' })
    await send('UserPromptSubmit', { prompt: 'go on' })
    return {
      folder,
      isRefused: async (tool: string, input: object) => (await send('PreToolUse', call(tool, input))) !== undefined
    }
  }

  test('that repeats a part of what was undone is refused; any other edit is not', async () => {
    const { folder, isRefused } = await withUndone()
    await using _ = folder
    expect(await isRefused('Edit', edit('five', 'FIVE'))).toBe(true)
    expect(await isRefused('Write', { content: OLD.replace('one', 'ONE') })).toBe(true)
    expect(await isRefused('Edit', edit('five', 'Five'))).toBe(false)
    expect(await isRefused('Write', { content: OLD.replace('one', 'ONE').replace('two', '2') })).toBe(false)
    expect(await isRefused('Edit', edit('not there', 'FIVE'))).toBe(false)
    expect(await isRefused('Bash', { command: 'make' })).toBe(false)
  })

  test('is not refused once the undo was undone, and leaves no open call when it was', async () => {
    const { folder, isRefused } = await withUndone()
    await using _ = folder
    expect(await isRefused('Edit', edit('five', 'FIVE'))).toBe(true)
    const { calls } = await folder.engine.call('entry.show', { workspace: folder.workspace, target: 'latest' })
    expect(calls).toEqual([])
    const request = { kind: 'undo' } as const
    await folder.engine.call('restore.apply', { workspace: folder.workspace, request, whileLive: true })
    rmSync(join(folder.root, 'a.ts'))
    writeFiles(folder.root, { 'a.ts': OLD })
    expect(await isRefused('Edit', edit('five', 'FIVE'))).toBe(false)
  })
})
