/** Resident memory of the headless host with 50,000 files, idle, after it has taken the first copy. */
import { join } from 'node:path'
import type { Figure } from './figure.ts'
import { residentMemory, startHost, untilIdle } from './host-process.ts'
import { inMegabytes } from './statistics.ts'

const WANTED = 250_000_000

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
          wanted: `<= ${inMegabytes(WANTED)}`,
          reached: idle <= WANTED,
          note: `${inMegabytes(before)} with nothing recorded, ${inMegabytes(after)} right after the first copy`,
          numbers: { idle, before, after }
        }
      ]
    } finally {
      await host.stop()
    }
  }
}
