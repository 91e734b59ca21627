// Loaded before the host: writes the delays of its main thread's event loop as JSON when it ends.
import { writeFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { isMainThread } from 'node:worker_threads'

if (isMainThread && process.env.BENCH_LOOP_DELAY) {
  const delays = monitorEventLoopDelay({ resolution: 1 })
  delays.enable()
  // The start of the process is not what is measured.
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
