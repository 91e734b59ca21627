/** Event loop delay of the host's main thread during an initial snapshot: windows and sockets wait that long. */
import { readFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { countFiles } from './disk-use.ts'
import type { Figure } from './figure.ts'
import { startHost, untilIdle } from './host-process.ts'
import { inSeconds } from './statistics.ts'

const P999_TARGET = 0.02
const MAX_TARGET = 0.05
const FILES = 44_000

export const CALM: Figure = {
  name: 'calm',
  measure: async (setting) => {
    const tree = setting.tree ?? (await setting.generated(setting.quick ? 2000 : FILES))
    const delays = join(setting.folder('delays'), 'delays.json')
    // This process only waits, so its own delay shows the influence of the computer.
    const idle = monitorEventLoopDelay({ resolution: 1 })
    const host = await startHost(join(setting.folder('data'), 'driftline'), {
      preload: resolve(import.meta.dirname, 'loop-delay.mjs'),
      env: { BENCH_LOOP_DELAY: delays }
    })
    try {
      await untilIdle(host.process.pid as number)
      host.process.kill('SIGUSR2')
      idle.enable()
      await host.client.call('workspaces.add', { folder: tree, wait: true })
      idle.disable()
    } finally {
      await host.stop()
    }
    const measured = JSON.parse(readFileSync(delays, 'utf8')) as Record<
      'count' | 'p50' | 'p99' | 'p999' | 'max',
      number
    >
    const [p999, max] = [measured.p999 / 1000, measured.max / 1000]
    return [
      {
        figure: "host's event loop during the initial snapshot",
        on: `${basename(tree)} (${countFiles(tree)} files)`,
        ours: `p99.9 ${inSeconds(p999)}, max ${inSeconds(max)}`,
        theirs: `a waiting process p99.9 ${inSeconds(idle.percentile(99.9) / 1e9)}, max ${inSeconds(idle.max / 1e9)}`,
        result: inSeconds(max),
        target: `p99.9 <= ${inSeconds(P999_TARGET)}, max <= ${inSeconds(MAX_TARGET)}`,
        reached: p999 <= P999_TARGET && max <= MAX_TARGET,
        note: `p50 ${measured.p50.toFixed(1)} ms, p99 ${measured.p99.toFixed(1)} ms of ${measured.count} ticks`,
        numbers: { ...measured, idleP999: idle.percentile(99.9) / 1e6, idleMax: idle.max / 1e6 }
      }
    ]
  }
}
