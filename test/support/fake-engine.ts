/** An engine with a few methods, for tests of hosts and channels: it answers, fails, crashes and floods on demand. */
import type { EngineStart } from '../../src/contract/engine-start.ts'
import { PROTOCOL } from '../../src/contract/protocol.ts'
import type { Channel, Frame } from '../../src/contract/wire.ts'
import { createStatBatch, finishBatch, type StatBatch } from '../../src/main/engine/files/stat-batch.ts'

interface FakeStart extends EngineStart {
  readonly shareStats?: (batch: StatBatch) => void
}

export interface FakeEngine {
  readonly start: FakeStart
  emit(): void
  close(): Promise<void>
}

export async function createEngine(start: FakeStart): Promise<FakeEngine> {
  if (start.dataDir.endsWith('newer')) {
    const { DriftlineError } = await import('../../src/contract/errors.ts')
    throw new DriftlineError('StoreNewer', 'A newer Driftline made this.')
  }
  return { start, emit: () => {}, close: async () => {} }
}

/** A real method returns its parameters by default; the methods `stand-in.*` misbehave as named. */
export function serve(engine: FakeEngine, channel: Channel): () => void {
  channel.onFrame((text) => {
    const call = JSON.parse(text) as {
      id: number
      method: string
      params: { bytes?: number; folder?: string; path?: string }
    }
    const reply = (result: unknown): void => channel.send(JSON.stringify({ id: call.id, result } satisfies Frame))
    switch (call.method) {
      case 'app.info':
        return reply({
          version: '0',
          protocol: PROTOCOL,
          platform: process.platform,
          host: engine.start.host,
          pid: process.pid,
          dataDir: engine.start.dataDir,
          home: '/'
        })
      case 'host.state':
        return reply({ watching: 'on', lastEnd: engine.start.lastEnd ?? 'clean' })
      case 'workspaces.add':
        return reply({ workspace: { id: `ws_${call.params.folder}`, root: call.params.folder, name: '' } })
      case 'stand-in.crash':
        setImmediate(() => {
          throw new Error('fell over on purpose')
        })
        return
      case 'stand-in.silence':
        return
      // As the real one during a scan: its thread waits, and takes none itself.
      case 'stand-in.stat': {
        const paths = [call.params.path ?? '']
        const batch = createStatBatch(paths)
        engine.start.shareStats?.(batch)
        const blocksDone = 1
        Atomics.wait(new Int32Array(batch.memory), blocksDone, 0)
        return reply(finishBatch(batch, paths, 0)(0))
      }
      case 'stand-in.flood':
        for (let sent = 0; sent < (call.params.bytes ?? 0); sent += 1 << 20) {
          channel.send(JSON.stringify({ event: 'workspaces.changed', payload: 'x'.repeat(1 << 20) }))
        }
        return reply({})
      default:
        return reply(call.params)
    }
  })
  return () => {}
}
