/** Calls the engine from within a page without the page's own client: over the bridge in Electron, else a WebSocket. */
import type { Method, Params, Result } from '../../src/contract/api.ts'
import type { Frame } from '../../src/contract/wire.ts'
import type { RunningHost } from './host.ts'

interface Bridge {
  send(frame: string): void
  onFrame(listener: (frame: string) => void): () => void
}

/** Returns the result; rejects with the error's message. Receives the page's frames while it waits. */
export async function callFromPage<M extends Method>(
  host: RunningHost,
  method: M,
  params: Params<M>
): Promise<Result<M>> {
  const token = host.url === undefined ? '' : tokenOf(host.url)
  const text = await host.page.evaluate(
    ([call, secret]) =>
      new Promise<string>((resolve, reject) => {
        const id = 900_000_000 + Math.floor(Math.random() * 1_000_000)
        const frame = JSON.stringify({ id, ...JSON.parse(call) })
        const take = (heard: string): void => {
          if ((JSON.parse(heard) as { id?: number }).id === id) resolve(heard)
        }
        const bridge = (window as unknown as { driftline?: Bridge }).driftline
        if (bridge) {
          bridge.onFrame(take)
          bridge.send(frame)
          return
        }
        const socket = new WebSocket(`ws://${location.host}/ws`, ['driftline.v1', `token.${secret}`])
        socket.onmessage = (message) => take(String(message.data))
        socket.onopen = () => socket.send(frame)
        socket.onerror = () => reject(new Error('the WebSocket was refused'))
      }),
    [JSON.stringify({ method, params }), token] as const
  )
  const answer = JSON.parse(text) as Frame
  if ('error' in answer) throw new Error(answer.error.message)
  return ('result' in answer ? answer.result : undefined) as Result<M>
}

export function tokenOf(url: string): string {
  return new URLSearchParams(new URL(url).hash.slice(1)).get('token') ?? ''
}
