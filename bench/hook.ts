/** A hook as an agent runs it, including the shell and the launcher, compared with `node -e 0`, while a recorder runs. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { guardedHookCommand } from '../src/main/engine/agents/connect/launcher.ts'
import type { Figure, Row, Setting } from './figure.ts'
import { startHost } from './host-process.ts'
import { CLI, openEngine, record, workspaceOf } from './recorded.ts'
import { inSeconds, median, times } from './statistics.ts'

const TARGET = 1.6
/** Numbers of files: the size of the folder must not matter. */
const [FEW, MANY] = [100, 10_000]

interface HookCall {
  readonly event: string
  readonly input: Readonly<Record<string, unknown>>
  /** The work of the tool after this event. */
  readonly work?: () => void
}

export const HOOK: Figure = {
  name: 'hook',
  measure: async (setting) => [await measured(setting, FEW), await measured(setting, MANY)]
}

async function measured(setting: Setting, files: number): Promise<Row> {
  const rounds = setting.quick ? 4 : 20
  const tree = await setting.generated(files)
  const data = await record(setting, tree)
  const home = setting.folder('home')
  mkdirSync(join(home, '.claude'))
  const env = { ...process.env, HOME: home, DRIFTLINE_DATA: data }
  const connected = spawnSync(process.execPath, [CLI, 'connect', 'claude-code', '--yes'], { env, encoding: 'utf8' })
  if (connected.status !== 0) throw new Error(connected.stderr)
  const running = await startHost(data, { env: { HOME: home } })
  const hooks: number[] = []
  const nodes: number[] = []
  const processorTime = { hooks: 0, nodes: 0 }
  try {
    for (let round = -1; round < rounds; round++) {
      for (const { event, input, work } of conversation(tree, round)) {
        const before = childrenTime()
        const bare = wall(process.execPath, ['-e', '0'], '', env)
        const between = childrenTime()
        const ours = wall('sh', ['-c', guardedHookCommand(data, 'claude-code', event)], JSON.stringify(input), env)
        processorTime.nodes += between - before
        processorTime.hooks += childrenTime() - between
        work?.()
        // The first conversation warms up both sides.
        if (round < 0) continue
        nodes.push(bare)
        hooks.push(ours)
      }
    }
  } finally {
    await running.stop()
  }
  await checkAllRecorded(data, rounds + 1)
  const ratio = median(hooks) / median(nodes)
  return {
    figure: 'a hook, recorder live',
    on: `${hooks.length} events, ${files} files`,
    ours: inSeconds(median(hooks)),
    theirs: `node -e 0 ${inSeconds(median(nodes))}`,
    result: times(ratio),
    target: `<= ${times(TARGET)}`,
    reached: ratio <= TARGET,
    note: `processor time ${times(processorTime.hooks / processorTime.nodes)}, which depends less on other load`,
    numbers: {
      ratio,
      processor: processorTime.hooks / processorTime.nodes,
      hook50: median(hooks),
      node50: median(nodes)
    }
  }
}

/** The events of one run: a prompt, a written file, a command that changes two files, and the stop. */
function conversation(tree: string, round: number): HookCall[] {
  const base = { session_id: 'bench', cwd: tree, permission_mode: 'default' }
  const tool = (name: string, id: string, input: object): Readonly<Record<string, unknown>> => ({
    ...base,
    tool_name: name,
    tool_use_id: `${id}${round}`,
    tool_input: input
  })
  const written = join(tree, 'written.ts')
  const write = tool('Write', 'w', { file_path: written, content: `${round}` })
  const shell = tool('Bash', 's', { command: 'make' })
  return [
    { event: 'UserPromptSubmit', input: { ...base, prompt: `round ${round}`, prompt_id: `p${round}` } },
    { event: 'PreToolUse', input: write, work: () => writeFileSync(written, `export const round = ${round}\n`) },
    { event: 'PostToolUse', input: write },
    {
      event: 'PreToolUse',
      input: shell,
      work: () => {
        for (const name of ['one.txt', 'two.txt']) writeFileSync(join(tree, name), `made in ${round}\n`)
      }
    },
    { event: 'PostToolUse', input: shell },
    { event: 'Stop', input: { ...base, background_tasks: [] } }
  ]
}

export function wall(program: string, args: readonly string[], input: string, env: NodeJS.ProcessEnv): number {
  const started = performance.now()
  const { status, stdout, stderr } = spawnSync(program, args, { input, env, encoding: 'utf8' })
  if (status !== 0 || stdout !== '' || stderr !== '') throw new Error(`a hook ended with ${status}: ${stdout}${stderr}`)
  return (performance.now() - started) / 1000
}

/** Processor time of all children so far, in clock ticks; NaN without /proc. */
function childrenTime(): number {
  if (!existsSync('/proc/self/stat')) return Number.NaN
  const stat = readFileSync('/proc/self/stat', 'latin1')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return Number(fields[13]) + Number(fields[14])
}

/** Checks that all events were recorded: a failing hook would be silent and fast. */
async function checkAllRecorded(data: string, runs: number): Promise<void> {
  const spool = join(data, 'spool')
  const spooled = existsSync(spool) ? readdirSync(spool).length : 0
  const engine = await openEngine(data, false)
  try {
    const workspace = await workspaceOf(engine)
    const { entries } = await engine.call('timeline.list', { workspace, limit: 1000, kinds: ['run'] })
    const changed = entries.filter((entry) => entry.kind === 'run' && entry.files === 3).length
    if (spooled > 0 || changed !== runs)
      throw new Error(`${changed} of ${runs} runs were recorded, ${spooled} events still spooled`)
  } finally {
    await engine.close()
  }
}
