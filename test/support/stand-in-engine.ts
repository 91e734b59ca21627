/** An engine of a few calls, for tests of what carries frames: it answers, fails, falls over and floods on demand. */

import type { Channel, Frame } from '../../src/contract/wire.ts'
import type { EngineStart } from '../../src/main/host/thread-messages.ts'

export interface StandInEngine {
  readonly start: EngineStart
  close(): Promise<void>
}

export async function createEngine(start: EngineStart): Promise<StandInEngine> {
  if (start.dataDir.endsWith('newer')) {
    const { DriftlineError } = await import('../../src/contract/errors.ts')
    throw new DriftlineError('StoreNewer', 'A newer Driftline made this.')
  }
  return { start, close: async () => {} }
}

/** Methods: any real one answers its params; `stand-in.*` misbehave as their names say. */
export function serve(engine: StandInEngine, channel: Channel): () => void {
  channel.onFrame((text) => {
    const call = JSON.parse(text) as { id: number; method: string; params: { bytes?: number; folder?: string } }
    const reply = (result: unknown): void => channel.send(JSON.stringify({ id: call.id, result } satisfies Frame))
    switch (call.method) {
      case 'app.info':
        return reply({
          version: '0',
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
