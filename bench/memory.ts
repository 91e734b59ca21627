/** Resident memory of the idle headless host after the initial snapshot of 50,000 files. */
import { join } from 'node:path'
import type { Figure } from './figure.ts'
import { residentMemory, startHost, untilIdle } from './host-process.ts'
import { inMegabytes } from './statistics.ts'

const TARGET = 250_000_000

export const MEMORY: Figure = {
  name: 'memory',
  measure: async (setting) => {
    const files = setting.quick ? 2000 : 50_000
    const tree = await setting.generated(files)
    const host = await startHost(join(setting.folder('data'), 'driftline'))
    const pid = host.process.pid as number
    try {
      await untilIdle(pid)
      const before = residentMemory(pid)
      await host.client.call('workspaces.add', { folder: tree, wait: true })
      const after = residentMemory(pid)
      await untilIdle(pid)
      const idle = residentMemory(pid)
      return [
        {
          figure: "headless host's memory",
          on: `${files} files, idle`,
          ours: inMegabytes(idle),
          theirs: '',
          result: inMegabytes(idle),
          target: `<= ${inMegabytes(TARGET)}`,
          reached: idle <= TARGET,
          note: `${inMegabytes(before)} before the snapshot, ${inMegabytes(after)} right after it`,
          numbers: { idle, before, after }
        }
      ]
    } finally {
      await host.stop()
    }
  }
}
