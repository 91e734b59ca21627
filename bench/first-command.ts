/**
 * The first command in a folder of a git repository, as a user starts it: it starts the recorder and gets its first comparison.
 * Compared with `git status` and `node -e 0`, one after the other.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Figure, Row, Setting } from './figure.ts'
import { writeTree } from './generated-tree.ts'
import { LAUNCHER, record } from './recorded.ts'
import { inSeconds, median, times } from './statistics.ts'
import { timed } from './timed.ts'

const TARGET = 3
const FILES = 10_000
const QUICK_FILES = 2000

const COMMANDS: Readonly<Record<string, readonly string[]>> = {
  'driftline status': ['status'],
  'driftline run -- true': ['run', '--', 'true']
}

export const FIRST_COMMAND: Figure = {
  name: 'first-command',
  measure: async (setting) => {
    const files = setting.quick ? QUICK_FILES : FILES
    const tree = await repositoryOf(setting, files)
    const data = await record(setting, tree)
    // The figures without a host have set it to `off`.
    process.env.DRIFTLINE_RECORDER = 'on'
    process.env.DRIFTLINE_DATA = data
    try {
      return await measured(setting, tree, files)
    } finally {
      await timed(LAUNCHER, ['recorder', 'stop'])
      process.env.DRIFTLINE_RECORDER = 'off'
      delete process.env.DRIFTLINE_DATA
    }
  }
}

/** A tree of its own: the generated ones of other figures are no repositories. */
async function repositoryOf(setting: Setting, files: number): Promise<string> {
  const tree = join(setting.folder('repository'), 'tree')
  mkdirSync(tree)
  await writeTree(tree, files)
  const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: tree, stdio: 'ignore' })
  git('init', '-q')
  git('add', '-A')
  git('-c', 'user.name=b', '-c', 'user.email=b@b', 'commit', '-qm', 'all')
  return tree
}

async function measured(setting: Setting, tree: string, files: number): Promise<Row[]> {
  const rounds = setting.quick ? 3 : 11
  const theirs: number[] = []
  const ours = new Map(Object.keys(COMMANDS).map((name) => [name, [] as number[]]))
  const driftline = (args: readonly string[]) => timed(LAUNCHER, args, tree)
  // Alternating, so that other load affects all sides alike. The first round warms up.
  for (let round = -1; round < rounds; round++)
    for (const [name, args] of Object.entries(COMMANDS)) {
      await driftline(['recorder', 'stop'])
      const git = await timed('git', ['status'], tree)
      const node = await timed(process.execPath, ['-e', '0'], tree)
      const { wall } = await driftline(args)
      if (round < 0) continue
      theirs.push(git.wall + node.wall)
      ours.get(name)?.push(wall)
    }
  return [...ours].map(([name, all]) => {
    const ratio = median(all) / median(theirs)
    return {
      figure: `first ${name}, which starts the recorder`,
      on: `${files} files`,
      ours: inSeconds(median(all)),
      theirs: `git status, then node -e 0 ${inSeconds(median(theirs))}`,
      result: times(ratio),
      target: `<= ${times(TARGET)}`,
      reached: ratio <= TARGET,
      note: '',
      numbers: { ratio, ours: median(all), theirs: median(theirs) }
    }
  })
}
