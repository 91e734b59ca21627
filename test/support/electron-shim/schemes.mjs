// `protocol`: each privileged scheme is an HTTP server on 127.0.0.1, `app://host/x` is `http://host.localhost:<port>/x`.
import { createServer } from 'node:http'
import { isReady } from './app.mjs'
import { strict } from './strict.mjs'

const schemes = new Map()
const freePorts = []

/** Ports are chosen before the main module runs, because `protocol.handle` cannot wait for one. */
export async function reservePorts() {
  for (let index = 0; index < 3; index++) {
    const server = createServer()
    await new Promise((done) => server.listen(0, '127.0.0.1', done))
    freePorts.push(server.address().port)
    await new Promise((done) => server.close(done))
  }
}

export function toHttp(url) {
  const { protocol, host, pathname, search, hash } = new URL(url)
  const port = schemes.get(protocol.slice(0, -1))
  return port ? `http://${host}.localhost:${port}${pathname}${search}${hash}` : url
}

export function fromHttp(url) {
  const match = /^http:\/\/([^.:/]+)\.localhost:(\d+)(.*)$/.exec(url)
  for (const [scheme, port] of schemes)
    if (match && Number(match[2]) === port) return `${scheme}://${match[1]}${match[3]}`
  return url
}

export const protocol = strict('protocol', {
  registerSchemesAsPrivileged(list) {
    if (isReady()) throw new Error('protocol.registerSchemesAsPrivileged should be called before app is ready')
    for (const { scheme } of list) schemes.set(scheme, freePorts.shift())
  },
  handle(scheme, handler) {
    if (!schemes.has(scheme)) throw new Error(`electron shim: ${scheme} was not registered as privileged`)
    createServer((request, response) => {
      const host = (request.headers.host ?? '').split('.')[0]
      const headers = Object.entries(request.headers).filter(([name]) => name !== 'connection' && name !== 'host')
      const asked = new Request(`${scheme}://${host}${request.url}`, {
        method: request.method,
        headers: headers.map(([name, value]) => [name, String(value)])
      })
      Promise.resolve(handler(asked))
        .then(async (answer) => {
          response.writeHead(answer.status, Object.fromEntries(answer.headers))
          response.end(Buffer.from(await answer.arrayBuffer()))
        })
        .catch((error) => {
          console.error(error)
          response.writeHead(500).end()
        })
    }).listen(schemes.get(scheme), '127.0.0.1')
  }
})
