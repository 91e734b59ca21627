/** How long the host's main thread is held up while a folder is taken in: windows and sockets wait that long. */
import { readFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { countFiles } from './disk-use.ts'
import type { Figure } from './figure.ts'
import { startHost, untilIdle } from './host-process.ts'
import { inSeconds } from './statistics.ts'

const P999_WANTED = 0.02
const MAX_WANTED = 0.05
const FILES = 44_000

export const CALM: Figure = {
  name: 'calm',
  measure: async (setting) => {
    const tree = setting.tree ?? (await setting.generated(setting.quick ? 2000 : FILES))
    const delays = join(setting.folder('delays'), 'delays.json')
    // This process only waits meanwhile: what holds up its loop is the machine.
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
    const told = JSON.parse(readFileSync(delays, 'utf8')) as Record<'count' | 'p50' | 'p99' | 'p999' | 'max', number>
    const [p999, max] = [told.p999 / 1000, told.max / 1000]
    return [
      {
        figure: "host's event loop during the first copy",
        on: `${basename(tree)} (${countFiles(tree)} files)`,
        ours: `p99.9 ${inSeconds(p999)}, max ${inSeconds(max)}`,
        theirs: `a waiting process p99.9 ${inSeconds(idle.percentile(99.9) / 1e9)}, max ${inSeconds(idle.max / 1e9)}`,
        result: inSeconds(max),
        wanted: `p99.9 <= ${inSeconds(P999_WANTED)}, max <= ${inSeconds(MAX_WANTED)}`,
        reached: p999 <= P999_WANTED && max <= MAX_WANTED,
        note: `p50 ${told.p50.toFixed(1)} ms, p99 ${told.p99.toFixed(1)} ms of ${told.count} ticks`,
        numbers: { ...told, idleP999: idle.percentile(99.9) / 1e6, idleMax: idle.max / 1e6 }
      }
    ]
  }
}
