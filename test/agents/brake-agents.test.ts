/** [BR-4] [BR-5] The brake with the real agents: their command is frozen, and their model reads why. Opt-in like its neighbours. */
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readProcess } from '../../src/main/engine/ports/process-table.ts'
import { waitForExit } from '../main/cli/cli-project.ts'
import { createAgentProject, startRecorder } from '../support/agent-project.ts'
import { instructionForCalls } from '../support/fake-model/fake-model.ts'
import { programOf } from '../support/installed-agents.ts'
import { CLAUDE_CODE, GEMINI_CLI, OPENCODE, QWEN_CODE } from '../support/real-agents.ts'

const FILES = 60
/** Deletes all, and still runs when it is found out. */
const COMMAND = 'rm -rf old; until [ -e never ]; do sleep 0.1; done'

type Calls = (file: string) => string
const CALLS: Readonly<Record<string, Calls>> = {
  'claude-code': (file) =>
    instructionForCalls([
      ['Bash', { command: COMMAND, description: 'tidy up' }],
      ['Write', { file_path: file, content: 'hello\n' }]
    ]),
  'gemini-cli': (file) =>
    instructionForCalls([
      ['run_shell_command', { command: COMMAND }],
      ['write_file', { file_path: file, content: 'hello\n' }]
    ]),
  'qwen-code': (file) =>
    instructionForCalls([
      ['run_shell_command', { command: COMMAND, is_background: false }],
      ['write_file', { file_path: file, content: 'hello\n' }]
    ]),
  opencode: (file) =>
    instructionForCalls([
      ['bash', { command: COMMAND, description: 'tidy up' }],
      ['write', { filePath: file, content: 'hello\n' }]
    ])
}

interface Stops {
  readonly stopped: readonly { readonly run: string; readonly agent: string; readonly pids: readonly number[] }[]
}

describe.each([CLAUDE_CODE, GEMINI_CLI, QWEN_CODE, OPENCODE])('$id, the real one', (agent) => {
  test.skipIf(programOf(agent.program) === null)(
    'is stopped while its command deletes files, and writes nothing after a person ended it',
    { tags: ['agent', 'linux'], timeout: 300_000 },
    async () => {
      await using at = await createAgentProject(agent)
      const { place } = at
      for (let n = 0; n < FILES; n++) place.write(`old/f${n}.txt`, `${n}\n`)
      await using _ = await startRecorder(place)
      await at.run(['settings', 'brake.files', '50'], ['status'])
      const notes = join(place.root, 'notes.txt')
      const working = waitForExit(at.start(`FIRST prompt: ${CALLS[agent.id]!(notes)}`))
      const stops = async () => (await place.json<Stops>(['brake'])).doc.stopped
      await expect
        .poll(async () => (await stops())[0]?.pids.length, { timeout: 120_000, interval: 300 })
        .toBeGreaterThan(0)
      const [stopped] = await stops()
      expect(stopped?.agent).toBe(agent.id)
      expect(new Set(stopped?.pids.map((pid) => readProcess(pid)?.state))).toEqual(new Set(['T']))
      await at.run(['brake', 'end', stopped!.run])
      await working
      expect(existsSync(notes)).toBe(false)
      expect(at.sent()).toContain('Driftline stopped this run because it deleted')
      await at.run(['undo-run', stopped!.run, '--yes'])
      expect(readdirSync(join(place.root, 'old'))).toHaveLength(FILES)
      for (let n = 0; n < FILES; n++) expect(place.read(`old/f${n}.txt`)).toBe(`${n}\n`)
    }
  )
})
