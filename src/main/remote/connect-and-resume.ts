/** One attempt to connect to a host, up to where its events continue after those of the last connection. */
import type { Client } from '../../contract/api.ts'
import { DriftlineError } from '../../contract/errors.ts'
import type { EventOrder } from '../../contract/event-order.ts'
import type { RemoteHost } from './host-files.ts'
import { type OpenedHost, type OpenOptions, openRemote } from './open-remote.ts'

interface AttemptOptions extends OpenOptions {
  readonly order: EventOrder
  /** The first calls of the new connection, beside the one for missed events; it counts as connected after them. */
  readonly greet: (client: Client) => Promise<void>
}

interface ResumedHost {
  readonly opened: OpenedHost
  /** Every event since the last connection was delivered. */
  readonly complete: boolean
}

/** Fails as `openRemote` and `greet` do; then nothing of the connection is left. */
export async function connectAndResume(
  dataDir: string,
  host: RemoteHost,
  { order, greet, ...options }: AttemptOptions
): Promise<ResumedHost> {
  if (order.position()) order.hold()
  const resumed = Promise.withResolvers<boolean>()
  // The attempt fails with the same, or with the reason for it.
  resumed.promise.catch(() => {})
  const opened = await openRemote(dataDir, host, {
    ...options,
    onOpened: (client) => resumed.resolve(resumeBeside(greet(client), order, client))
  })
  try {
    return { opened, complete: await resumed.promise }
  } catch (error) {
    opened.disconnect()
    throw error
  }
}

async function resumeBeside(greeting: Promise<void>, order: EventOrder, client: Client): Promise<boolean> {
  const [complete] = await Promise.all([resume(order, client), greeting])
  return complete
}

/** [WR-4] True when every event since the last one was delivered. */
async function resume(order: EventOrder, client: Client): Promise<boolean> {
  const last = order.position()
  if (last === null) return false
  try {
    return order.resume(await client.call('app.resume', last))
  } catch (error) {
    // Usage: a version that keeps no events.
    order.giveUp()
    if (error instanceof DriftlineError && error.code === 'Disconnected') throw error
    return false
  }
}
