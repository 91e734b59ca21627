/**
 * A hook as an agent runs it, the settings' shell and the launcher included, against `node -e 0`: with a host and without
 * one. Without a host the folder is small: a command's hooks look at every file in it, which the figure of drift checks has.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { guarded } from '../src/main/engine/agents/connect/launcher.ts'
import type { Figure, Row, Setting } from './figure.ts'
import { startHost } from './host-process.ts'
import { CLI, openEngine, record, workspaceOf } from './recorded.ts'
import { inSeconds, median, times } from './statistics.ts'

const WANTED = { with: 1.5, without: 2 }
/** With a host the size of the folder must not count. */
const [FEW, MANY] = [100, 10_000]

interface Told {
  readonly event: string
  readonly input: Readonly<Record<string, unknown>>
  /** What the tool does after it. */
  readonly work?: () => void
}

export const HOOK: Figure = {
  name: 'hook',
  measure: async (setting) => [
    await measured(setting, 'without', FEW),
    await measured(setting, 'with', FEW),
    await measured(setting, 'with', MANY)
  ]
}

async function measured(setting: Setting, host: 'with' | 'without', files: number): Promise<Row> {
  const rounds = setting.quick ? 4 : 20
  const tree = await setting.generated(files)
  const data = await record(setting, tree)
  const home = setting.folder('home')
  mkdirSync(join(home, '.claude'))
  const env = { ...process.env, HOME: home, DRIFTLINE_DATA: data }
  const connected = spawnSync(process.execPath, [CLI, 'connect', 'claude-code', '--yes'], { env, encoding: 'utf8' })
  if (connected.status !== 0) throw new Error(connected.stderr)
  const running = host === 'with' ? await startHost(data, { env: { HOME: home } }) : null
  const hooks: number[] = []
  const nodes: number[] = []
  const worked = { hooks: 0, nodes: 0 }
  try {
    for (let round = -1; round < rounds; round++) {
      for (const { event, input, work } of conversation(tree, round)) {
        const before = childrensTime()
        const bare = wall(process.execPath, ['-e', '0'], '', env)
        const between = childrensTime()
        const ours = wall('sh', ['-c', guarded(data, 'claude-code', event)], JSON.stringify(input), env)
        worked.nodes += between - before
        worked.hooks += childrensTime() - between
        work?.()
        // The first conversation warms up both sides.
        if (round < 0) continue
        nodes.push(bare)
        hooks.push(ours)
      }
    }
  } finally {
    await running?.stop()
  }
  await everythingWasTaken(data, rounds + 1)
  const ratio = median(hooks) / median(nodes)
  return {
    figure: `a hook, ${host} a host`,
    on: `${hooks.length} events, ${files} files`,
    ours: inSeconds(median(hooks)),
    theirs: `node -e 0 ${inSeconds(median(nodes))}`,
    result: times(ratio),
    wanted: `<= ${times(WANTED[host])}`,
    reached: ratio <= WANTED[host],
    note: `processor time ${times(worked.hooks / worked.nodes)}, which other work beside it changes less`,
    numbers: { ratio, processor: worked.hooks / worked.nodes, hook50: median(hooks), node50: median(nodes) }
  }
}

/** A prompt, a file that is written, a command that changes two, and the end. */
function conversation(tree: string, round: number): Told[] {
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

function wall(program: string, args: readonly string[], input: string, env: NodeJS.ProcessEnv): number {
  const started = performance.now()
  const { status, stdout, stderr } = spawnSync(program, args, { input, env, encoding: 'utf8' })
  if (status !== 0 || stdout !== '' || stderr !== '') throw new Error(`a hook ended with ${status}: ${stdout}${stderr}`)
  return (performance.now() - started) / 1000
}

/** Processor time of all children so far, in ticks; it says nothing where there is no /proc. */
function childrensTime(): number {
  if (!existsSync('/proc/self/stat')) return Number.NaN
  const stat = readFileSync('/proc/self/stat', 'latin1')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return Number(fields[13]) + Number(fields[14])
}

/** A hook that fails is silent and fast: what it should have recorded has to be there. */
async function everythingWasTaken(data: string, runs: number): Promise<void> {
  const spool = join(data, 'spool')
  const left = existsSync(spool) ? readdirSync(spool).length : 0
  const engine = await openEngine(data, false)
  try {
    const workspace = await workspaceOf(engine)
    const { entries } = await engine.call('timeline.list', { workspace, limit: 1000, kinds: ['run'] })
    const changed = entries.filter((entry) => entry.kind === 'run' && entry.files === 3).length
    if (left > 0 || changed !== runs) throw new Error(`${changed} of ${runs} runs were recorded, ${left} events left`)
  } finally {
    await engine.close()
  }
}
