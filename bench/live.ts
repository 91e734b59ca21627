/** Commands and a hook while a recorder runs, compared with `node -e 0`: the size of the folder must not matter. */
import { mkdirSync } from 'node:fs'
import type { Figure, Row, Setting } from './figure.ts'
import { residentMemory, startHost, untilIdle } from './host-process.ts'
import { CLI, record } from './recorded.ts'
import { inMegabytes, inSeconds, median, times } from './statistics.ts'
import { timed } from './timed.ts'

const FEW = 1000
/** `driftline run -- true` / `node -e 0`. */
const RUN_TARGET = 3
/** `driftline status` - `node -e 0`, seconds. */
const STATUS_TARGET = 0.03

const COMMANDS: Readonly<Record<string, readonly string[]>> = {
  'driftline run -- true': ['run', '--', 'true'],
  'driftline status': ['status']
}

export const LIVE: Figure = {
  name: 'live',
  measure: async (setting) => {
    const rows: Row[] = []
    for (const files of [FEW, ...setting.sizes]) rows.push(...(await measured(setting, files)))
    return rows
  }
}

async function measured(setting: Setting, files: number): Promise<Row[]> {
  const rounds = setting.quick ? 5 : 25
  const tree = await setting.generated(files)
  const data = await record(setting, tree)
  const home = setting.folder('home')
  mkdirSync(home, { recursive: true })
  const host = await startHost(data, { env: { HOME: home } })
  const pid = host.process.pid as number
  const node: number[] = []
  const walls = new Map(Object.keys(COMMANDS).map((name) => [name, [] as number[]]))
  try {
    await untilIdle(pid)
    const idle = residentMemory(pid)
    // Alternating, so that other load affects all sides alike. The first round warms up.
    for (let round = -1; round < rounds; round++) {
      const bare = await timed(process.execPath, ['-e', '0'], tree)
      if (round >= 0) node.push(bare.wall)
      for (const [name, args] of Object.entries(COMMANDS)) {
        const { wall } = await timed(process.execPath, [CLI, '--data', data, ...args], tree)
        if (round >= 0) walls.get(name)?.push(wall)
      }
    }
    return [...walls].map(([name, all]) => {
      const ratio = median(all) / median(node)
      const more = median(all) - median(node)
      const isRun = name.includes('run')
      return {
        figure: `${name}, recorder live`,
        on: `${files} files`,
        ours: inSeconds(median(all)),
        theirs: `node -e 0 ${inSeconds(median(node))}`,
        result: isRun ? times(ratio) : `+${inSeconds(more)}`,
        target: isRun ? `<= ${times(RUN_TARGET)}` : `<= +${inSeconds(STATUS_TARGET)}`,
        reached: isRun ? ratio <= RUN_TARGET : more <= STATUS_TARGET,
        note: `the recorder takes ${inMegabytes(idle)} when idle`,
        numbers: { ratio, more, ours: median(all), node: median(node), idle }
      }
    })
  } finally {
    await host.stop()
  }
}
