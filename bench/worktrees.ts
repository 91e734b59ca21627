/** New worktrees of a recorded repository: what it costs to protect one, and twenty that are made at once. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { diskUse } from './disk-use.ts'
import type { Figure, Row, Setting } from './figure.ts'
import { type HostProcess, processorTime, startHost } from './host-process.ts'
import { inMegabytes, inSeconds } from './statistics.ts'

const FILES = 6000
const FOLDERS = 300
const AT_ONCE = 20

export const WORKTREES: Figure = {
  name: 'worktrees',
  measure: async (setting) => {
    if (process.platform !== 'linux') return []
    const rounds: Cost[] = []
    for (let n = 0; n < (setting.quick ? 1 : 5); n++) rounds.push(await measureWorktrees(setting, 1))
    const many = await measureWorktrees(setting, AT_ONCE)
    const worst = (of: (cost: Cost) => number): number => Math.max(...rounds.map(of))
    const [seconds, bytes] = [worst((cost) => cost.seconds), worst((cost) => cost.bytes)]
    return [
      {
        ...row(FILES, `${inSeconds(seconds)}, ${inMegabytes(bytes)}`, '≤ 0.3 s, ≤ 1 MB'),
        figure: 'a new worktree: protected after git made it, and its history',
        reached: seconds <= 0.3 && bytes <= 1_000_000,
        note: `the worst of ${rounds.length}, each the first one of a recorder`,
        numbers: { seconds: rounds.map((cost) => cost.seconds), bytes: rounds.map((cost) => cost.bytes) }
      },
      {
        ...row(FILES, inSeconds(worst((cost) => cost.processor)), ''),
        figure: '— processor time, with all that follows',
        reached: null,
        note: '',
        numbers: { processor: rounds.map((cost) => cost.processor) }
      },
      {
        ...row(AT_ONCE * FILES, `${inSeconds(many.seconds)}, ${inMegabytes(many.bytes)}`, ''),
        figure: `— ${AT_ONCE} at once: after the last \`git worktree add\``,
        reached: null,
        note: `processor time ${inSeconds(many.processor)}`,
        numbers: { seconds: many.seconds, bytes: many.bytes, processor: many.processor }
      }
    ]
  }
}

function row(files: number, ours: string, target: string): Omit<Row, 'figure' | 'reached' | 'note' | 'numbers'> {
  return { on: `${files} files`, ours, theirs: '', result: ours, target }
}

interface Cost {
  /** From the end of the last `git worktree add` until all are complete. */
  readonly seconds: number
  /** Of the recorder's processor time, until it does nothing any more. */
  readonly processor: number
  /** Of the histories of all worktrees. */
  readonly bytes: number
}

async function measureWorktrees(setting: Setting, count: number): Promise<Cost> {
  const root = realpathSync(repository(setting))
  const data = setting.folder('worktrees-data')
  const host = await startHost(data)
  try {
    const { workspace } = await host.client.call('workspaces.add', { folder: root, wait: true })
    await host.client.call('settings.set', { key: 'git.worktrees', value: 'on' })
    await settled(host)
    const before = processorTime(host.process.pid ?? 0)
    const place = setting.folder('worktrees')
    const complete = allComplete(host, workspace.id, count)
    for (let n = 0; n < count; n++) git(root, 'worktree', 'add', '-q', '--detach', join(place, `task-${n}`))
    const madeAt = performance.now()
    await complete
    const seconds = (performance.now() - madeAt) / 1000
    await settled(host)
    const processor = processorTime(host.process.pid ?? 0) - before
    const { worktrees } = await host.client.call('worktrees.list', { workspace: workspace.id })
    return { seconds, processor, bytes: worktrees.reduce((sum, { id }) => sum + diskUse(join(data, 'w', id)), 0) }
  } finally {
    await host.stop()
  }
}

/** Resolves when that many other folders than `main` are complete. */
function allComplete({ client }: HostProcess, main: string, count: number): Promise<void> {
  const complete = new Set<string>()
  return new Promise((resolve) => {
    client.on('coverage.changed', ({ workspace, coverage }) => {
      if (workspace !== main && coverage === 'complete') complete.add(workspace)
      if (complete.size === count) resolve()
    })
  })
}

/** Waits until the recorder does nothing any more, its comparisons in the background included. */
async function settled({ process: { pid = 0 } }: HostProcess): Promise<void> {
  for (let last = Number.NaN; last !== processorTime(pid); ) {
    last = processorTime(pid)
    await pause(1500)
  }
}

function repository(setting: Setting): string {
  const root = setting.folder('repository')
  for (let n = 0; n < FILES; n++) {
    const folder = join(root, 'packages', `part-${n % FOLDERS}`, 'src')
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, `module-${n}.ts`), `export const value${n} = ${n}\n`.repeat(60))
  }
  git(root, 'init', '-q')
  git(root, 'add', '.')
  git(root, '-c', 'user.name=b', '-c', 'user.email=b@b', 'commit', '-qm', 'all')
  return root
}

function git(cwd: string, ...args: readonly string[]): void {
  execFileSync('git', args, { cwd, stdio: 'ignore' })
}
