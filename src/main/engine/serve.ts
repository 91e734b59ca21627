/** Serves the engine on one channel: requests in, replies and events out. Used by hosts, the CLI and tests. */
import { DriftlineError, toErrorShape } from '../../contract/errors.ts'
import type { Channel, Frame } from '../../contract/wire.ts'
import type { Engine } from './engine.ts'

/** Answers frames until the channel closes. Returns a function that stops serving. */
export function serve(engine: Engine, channel: Channel): () => void {
  let open = true
  const send = (frame: Frame): void => {
    if (open) channel.send(JSON.stringify(frame))
  }
  const off = engine.onAny((event, payload, place) => send({ event, payload, ...place }))
  const stop = (): void => {
    open = false
    off()
  }
  channel.onClose(stop)
  channel.onFrame((text) => {
    let frame: { id?: unknown; method?: unknown; params?: unknown; host?: unknown }
    try {
      frame = JSON.parse(text)
    } catch (error) {
      // Not our protocol, so there is no id to reply to.
      if (error instanceof SyntaxError) return
      throw error
    }
    const { id, method, params, host } = frame
    if (typeof id !== 'number' || typeof method !== 'string') return
    // Meant for another machine: answering it here would show or change the wrong one.
    if (host !== undefined) return send({ id, error: toErrorShape(noRelay()) })
    engine.callUntyped(method, params ?? {}).then(
      (result) => send({ id, result }),
      (error: unknown) => send({ id, error: toErrorShape(error) })
    )
  })
  return stop
}

function noRelay(): DriftlineError {
  return new DriftlineError(
    'Usage',
    'This connection reaches this computer alone. Nothing was changed. Leave out `host`.'
  )
}
