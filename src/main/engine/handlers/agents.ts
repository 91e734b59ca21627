/** What agents tell through hooks. */
import { type GatewayContext, type Told, takeEvent } from '../agents/gateway.ts'
import { replaySpool } from '../agents/spool.ts'
import type { EngineContext } from '../engine.ts'
import type { Handlers } from './table.ts'

export const AGENTS: Handlers<'agent.event'> = {
  'agent.event': async (context, told) => {
    await takeSpooled(context)
    return takeEvent(gateway(context), told as Told)
  }
}

const TAKING = new WeakMap<EngineContext, Promise<void>>()

/** Takes what was spooled while nobody was there; one at a time, so that events keep their order. */
export function takeSpooled(context: EngineContext): Promise<void> {
  const before = TAKING.get(context) ?? Promise.resolve()
  const next = before.then(async () => {
    await replaySpool(context.options.dataDir, (told) => takeEvent(gateway(context), told, true))
  })
  // Each caller hears of its own failure; the next one starts anew.
  TAKING.set(
    context,
    next.catch(() => {})
  )
  return next
}

function gateway(context: EngineContext): GatewayContext {
  return {
    registry: context.registry,
    clock: context.clock,
    home: context.home,
    emit: (event, payload) => context.emit(event, payload)
  }
}
