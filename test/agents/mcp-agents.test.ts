/**
 * Real MCP clients, against a fake model and offline, edit, move and delete in a real project through our tools; the
 * run is reviewed and undone byte for byte. Opt-in like its neighbour.
 */
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type CliProject, createCliProject, waitForExit } from '../main/cli/cli-project.ts'
import { instructionForCalls } from '../support/fake-model/fake-model.ts'
import { besideModel, programOf } from '../support/installed-agents.ts'
import { CLAUDE_CODE, CODEX_CLI, OPENCODE, type RealAgent, settle } from '../support/real-agents.ts'
import { readTree } from '../support/tree.ts'

const LONG = 180_000

interface McpAgent extends RealAgent {
  /** Its settings before it is connected: file below the home folder, and text. */
  readonly settings: { readonly file: string; readonly text: string }
}

const AGENTS: readonly McpAgent[] = [
  {
    ...CLAUDE_CODE,
    // Without it, the first call may come before our server has started.
    env: { ...CLAUDE_CODE.env, MCP_CONNECTION_NONBLOCKING: 'false' },
    settings: { file: '.claude.json', text: '{ "theme": "dark" }\n' }
  },
  {
    ...CODEX_CLI,
    ask: (prompt, session) => {
      const [verb = '', ...words] = CODEX_CLI.ask(prompt, session)
      return [verb, '-c', 'mcp_servers.driftline.required=true', ...words]
    },
    settings: { file: '.codex/config.toml', text: '# mine\nfile_opener = "none"\n' }
  },
  { ...OPENCODE, settings: settingsOf(OPENCODE, '.config/opencode/opencode.json') }
]

function settingsOf({ settled }: RealAgent, file: string): McpAgent['settings'] {
  return { file, text: settled?.('')[file] ?? '' }
}

let base: string
let place: CliProject

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(homedir(), '.driftline-agents-')))
  place = createCliProject(base)
})
afterEach(() => {
  place.remove()
  rmSync(base, { recursive: true, force: true, maxRetries: 5 })
})

async function ask(agent: McpAgent, prompt: string): Promise<void> {
  const [program = '', ...words] = [
    ...besideModel(join(base, 'requests.jsonl')),
    ...[programOf(agent.program) ?? '', ...agent.ask(prompt, null)]
  ]
  const { code, out, err } = await waitForExit(
    spawn(program, words, { cwd: place.root, env: { ...place.env, ...agent.env }, stdio: ['ignore', 'pipe', 'pipe'] })
  )
  expect(code, `${out}${err}`).toBe(0)
}

interface Run {
  readonly id: string
  readonly agent: string
  readonly title: string
  readonly state: string
  readonly files: number
}

const WORK = instructionForCalls([
  [
    'edit_file',
    {
      path: 'src/total.ts',
      old_string: 'function total(items) {\n    return items.length // "all"\n}',
      new_string: 'function total(items) {\n    if (!items) return 0\n    return items.length // "all"\n}'
    }
  ],
  ['move_file', { source: 'old/name.txt', destination: 'new/name.txt' }],
  ['delete_file', { path: 'gone.bin' }]
])

describe.each(AGENTS)('$id, the real one, with our tools', (agent) => {
  const missing = programOf(agent.program) === null

  beforeEach(async () => {
    place.write('src/total.ts', 'function total(items) {\r\n\treturn items.length // “all”\r\n}\r\n')
    place.write('old/name.txt', 'name\n')
    place.write('gone.bin', Buffer.from([0, 255, 10, 13, 0]))
    symlinkSync('../src/total.ts', join(place.root, 'old/link.ts'))
    settle(agent, base, place.root)
    const settings = join(base, agent.settings.file)
    mkdirSync(join(settings, '..'), { recursive: true })
    writeFileSync(settings, agent.settings.text)
    expect((await place.call(['add'])).code).toBe(0)
    expect((await place.call(['connect', agent.id, '--mcp'])).code).toBe(0)
  })

  const runs = async (): Promise<Run[]> => (await place.json<{ entries: Run[] }>(['log', '--kind', 'run'])).doc.entries

  test.skipIf(missing)(
    'edits, moves and deletes; the run is reviewed and undone byte for byte',
    { tags: ['agent'], timeout: LONG },
    async () => {
      const before = readTree(place.root)
      await ask(agent, `Please ${WORK}`)
      expect(place.read('src/total.ts')).toBe(
        'function total(items) {\r\n\tif (!items) return 0\r\n\treturn items.length // “all”\r\n}\r\n'
      )
      const [run, ...others] = await runs()
      expect(others).toEqual([])
      expect(run).toMatchObject({ agent: `${agent.id} over MCP`, title: 'Edit src/total.ts', state: 'ended', files: 3 })
      const { doc } = await place.json<{ files: { path: string; attribution: string }[] }>(['diff', run!.id])
      expect(doc.files.filter((file) => file.path !== 'new').map((file) => [file.path, file.attribution])).toEqual([
        ['gone.bin', 'declared'],
        ['new/name.txt', 'declared'],
        ['src/total.ts', 'declared']
      ])
      expect((await place.call(['undo-run', run!.id, '--yes'])).code).toBe(0)
      expect(readTree(place.root)).toEqual(before)
      expect((await place.call(['undo', '--yes'])).code).toBe(0)
      expect(readTree(place.root)).not.toEqual(before)
      expect((await place.call(['redo', '--yes'])).code).toBe(0)
      expect(readTree(place.root)).toEqual(before)
    }
  )

  test.skipIf(missing || agent.id === 'opencode')(
    'with its hooks connected, too, the same work is one run: its prompt’s',
    { tags: ['agent'], timeout: LONG },
    async () => {
      expect((await place.call(['connect', agent.id])).code).toBe(0)
      const before = readTree(place.root)
      await ask(agent, `Please ${WORK}`)
      const [run, ...others] = await runs()
      expect(others).toEqual([])
      expect(run).toMatchObject({ agent: agent.id, title: expect.stringContaining('Please'), state: 'ended', files: 3 })
      expect((await place.call(['undo-run', run!.id, '--yes'])).code).toBe(0)
      expect(readTree(place.root)).toEqual(before)
    }
  )

  test.skipIf(missing || agent.id === 'claude-code')(
    'disconnecting restores its settings byte for byte',
    { tags: ['agent'] },
    async () => {
      expect((await place.call(['disconnect', agent.id, '--mcp'])).code).toBe(0)
      expect(readFileSync(join(base, agent.settings.file), 'utf8')).toBe(agent.settings.text)
    }
  )
})
