// Preloaded into the host: writes the event loop delays of its main thread as JSON on exit.
import { writeFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { isMainThread } from 'node:worker_threads'

if (isMainThread && process.env.BENCH_LOOP_DELAY) {
  const delays = monitorEventLoopDelay({ resolution: 1 })
  delays.enable()
  // Excludes the start of the process.
  process.once('SIGUSR2', () => delays.reset())
  process.once('exit', () => {
    const inMs = (nanoseconds) => nanoseconds / 1e6
    writeFileSync(
      process.env.BENCH_LOOP_DELAY,
      JSON.stringify({
        count: delays.count,
        p50: inMs(delays.percentile(50)),
        p99: inMs(delays.percentile(99)),
        p999: inMs(delays.percentile(99.9)),
        max: inMs(delays.max)
      })
    )
  })
}
