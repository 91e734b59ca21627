/** [RV-7] The real agents do not write again what was undone, and their model reads why. Opt-in like its neighbours. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { waitForExit } from '../main/cli/cli-project.ts'
import { createAgentProject, startRecorder } from '../support/agent-project.ts'
import { instructionForCalls } from '../support/fake-model/fake-model.ts'
import { programOf } from '../support/installed-agents.ts'
import { CLAUDE_CODE, CLINE, CODEX_CLI, GEMINI_CLI, OPENCODE, QWEN_CODE } from '../support/real-agents.ts'

/** What makes each one write with its file tool: a command would not be refused. */
const WRITE: Readonly<Record<string, (file: string) => string>> = {
  'claude-code': (file) => instructionForCalls([['Write', { file_path: file, content: 'hello\n' }]]),
  codex: () => '[[write notes.txt=hello]]',
  'gemini-cli': (file) => instructionForCalls([['write_file', { file_path: file, content: 'hello\n' }]]),
  'qwen-code': (file) => instructionForCalls([['write_file', { file_path: file, content: 'hello\n' }]]),
  opencode: (file) => instructionForCalls([['write', { filePath: file, content: 'hello\n' }]])
}

describe.each([CLAUDE_CODE, CODEX_CLI, GEMINI_CLI, QWEN_CODE, OPENCODE])('$id, the real one', (agent) => {
  test.skipIf(programOf(agent.program) === null)(
    'is kept from writing a file again that was undone',
    { tags: ['agent'], timeout: 300_000 },
    async () => {
      await using at = await createAgentProject(agent)
      const { place } = at
      await using _ = await startRecorder(place)
      const notes = join(place.root, 'notes.txt')
      const write = WRITE[agent.id]!(notes)
      await at.ask(`FIRST prompt: ${write}`)
      expect(existsSync(notes)).toBe(true)
      const [run] = await at.runs()
      await at.run(['undo-run', run!.id, '--yes'], ['settings', 'review.refuse-undone', 'on'])
      expect(existsSync(notes)).toBe(false)
      at.sent()
      await at.ask(`SECOND prompt: ${write}`, run!.session)
      expect(existsSync(notes)).toBe(false)
      expect(at.sent()).toContain('The user undid exactly this change of notes.txt')
    }
  )
})

// It resumes a session only in a terminal, so its file is undone while it works.
test.skipIf(programOf(CLINE.program) === null)(
  'the real Cline is kept from writing a file again that was undone',
  { tags: ['agent'], timeout: 300_000 },
  async () => {
    await using at = await createAgentProject(CLINE)
    const { place } = at
    await using _ = await startRecorder(place)
    const notes = join(place.root, 'notes.txt')
    const write = ['editor', { path: notes, new_text: 'hello\n' }] as const
    const wait = ['run_commands', { commands: ['until [ -e go ]; do sleep 0.1; done'] }] as const
    const working = waitForExit(at.start(`FIRST prompt: ${instructionForCalls([write, wait, write])}`))
    await expect
      .poll(async () => String((await place.call(['diff', 'latest'])).out), { timeout: 120_000, interval: 500 })
      .toContain('+hello')
    await at.runInTerminal(['undo-run', 'latest', 'notes.txt', '--while-live', '--yes'])
    await at.run(['settings', 'review.refuse-undone', 'on'])
    expect(existsSync(notes)).toBe(false)
    place.write('go', '')
    expect((await working).code).toBe(0)
    expect(existsSync(notes)).toBe(false)
    expect(at.sent()).toContain('The user undid exactly this change of notes.txt')
  }
)
