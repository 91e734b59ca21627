/** The headless host, from its arguments to its exit code. */
import { resolve } from 'node:path'
import { DriftlineError, exitCodeOf, toErrorShape } from '../../contract/errors.ts'
import type { EndReason } from '../../contract/recorder.ts'
import type { Channel } from '../../contract/wire.ts'
import { dataDirOf } from '../host/data-dir.ts'
import { type Host, openHost } from '../host/host.ts'
import { createIdleTimer } from '../host/idle-timer.ts'
import { registerFolderOnHost } from '../host/internal-client.ts'
import { withWorkspace } from '../host/one-time-url.ts'
import { openOrFindHost, type RunningHost } from '../host/second-host.ts'
import { PROGRAM_ROOT, PROGRAMS } from '../programs.ts'
import { createRelay } from '../remote/relay.ts'
import { parseServeArguments, SERVE_USAGE, type ServeArguments } from './arguments.ts'
import { type HttpServer, startHttpServer } from './http-server.ts'
import { readLastPort, writeLastPort } from './last-port.ts'
import { hasDisplay, openBrowser, openRunningHost } from './open-browser.ts'
import { readPageKey } from './page-key.ts'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Runs `serve` with the arguments after the command name. Resolves with the exit code once the host is closed. */
export async function runServer(argv: readonly string[]): Promise<number> {
  let json = false
  // The starter may close its end of the pipe after it has read the URL. EPIPE must not end the host.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
  try {
    const args = parseServeArguments(argv)
    json = args.json
    if (args.help) {
      process.stdout.write(SERVE_USAGE)
      return 0
    }
    return await serveUntilDone(args)
  } catch (error) {
    const shape = toErrorShape(error)
    if (json) process.stdout.write(`${JSON.stringify({ error: shape })}\n`)
    else console.error(shape.message)
    return exitCodeOf(shape.code)
  }
}

async function serveUntilDone(args: ServeArguments): Promise<number> {
  const dataDir = dataDirOf(args.data)
  const done = Promise.withResolvers<EndReason>()
  // The engine may fail before `done` is awaited; without a handler the rejection would end the process.
  done.promise.catch(() => {})
  const connected = { browsers: 0, socketClients: 0 }
  const timer = args.stay ? null : startIdleTimer(() => done.resolve('closed'))
  const updateTimer = (): void => timer?.update(connected)

  const folder = args.folder === undefined ? undefined : resolve(args.folder)
  const open = (): Promise<Host> =>
    openHost({
      dataDir,
      kind: 'server',
      onGiveUp: (error) => done.reject(error),
      onStopRequested: done.resolve,
      onSocketClients: (clients) => {
        connected.socketClients = clients
        updateTimer()
      }
    })
  const opened = await openOrFindHost(open, dataDir, folder)
  if ('running' in opened) return showRunningHost(args, opened.running)
  const { host } = opened
  const stop = (): void => done.resolve('stopped')
  for (const signal of SIGNALS) process.on(signal, stop)

  let http: HttpServer | undefined
  let why: EndReason = 'failed'
  const relay = createRelay({ ...host, root: PROGRAM_ROOT })
  const onChannel = (channel: Channel): void => {
    connected.browsers += 1
    updateTimer()
    relay.connect(channel, () => {
      connected.browsers -= 1
      updateTimer()
    })
  }
  try {
    await Promise.race([host.ready, done.promise])
    const listen = (port: number) =>
      startHttpServer({ port, pages: PROGRAMS.renderer, pageKey: readPageKey(dataDir), onChannel })
    http = args.port === 0 ? await listenAgain(listen, dataDir) : await listen(args.port).catch(refusePort(args.port))
    host.announce(http.url)
    const workspace = folder === undefined ? '' : await registerFolderOnHost(host, folder)
    printUrl(args, withWorkspace(http.url, workspace), process.pid)
    if (args.open && hasDisplay()) openBrowser(http.oneTimeUrl(workspace))
    why = await done.promise
    return 0
  } finally {
    timer?.stop()
    await http?.close()
    relay.close()
    await host.close(why)
    for (const signal of SIGNALS) process.off(signal, stop)
  }
}

/** At the port of the last host, or a free one. */
async function listenAgain(listen: (port: number) => Promise<HttpServer>, dataDir: string): Promise<HttpServer> {
  // Expected: EADDRINUSE, another program has it now.
  const http = await listen(readLastPort(dataDir)).catch(() => listen(0))
  writeLastPort(dataDir, http.port)
  return http
}

function refusePort(port: number): (error: unknown) => never {
  return (error) => {
    // Expected: EADDRINUSE, EACCES.
    throw new DriftlineError(
      'Usage',
      `Port ${port} is not available: ${(error as Error).message}. Nothing was started.`
    )
  }
}

/** A second start opens the running host. */
async function showRunningHost(args: ServeArguments, running: RunningHost & { readonly url: string }): Promise<number> {
  printUrl(args, withWorkspace(running.url, running.workspace), running.pid)
  console.error('Driftline is already running at this URL.')
  if (args.open && hasDisplay()) await openRunningHost(running.url, running.workspace)
  return 0
}

/** Prints the only line on stdout. Other programs parse it. */
function printUrl(args: ServeArguments, url: string, pid: number): void {
  process.stdout.write(args.json ? `${JSON.stringify({ url, pid })}\n` : `${url}\n`)
}

/** Time without a client before the host exits, ms. */
const IDLE_MS = 60_000

/**
 * Calls `onIdle` once no client has been connected for a minute. The timer starts only after a first browser. Clients
 * of the local socket keep the host running, but do not count as that first one.
 */
export function startIdleTimer(onIdle: () => void) {
  let hadBrowser = false
  const timer = createIdleTimer(IDLE_MS, onIdle)
  return {
    /** Must be called whenever the number of browsers or of clients on the local socket changes. */
    update({ browsers, socketClients }: { readonly browsers: number; readonly socketClients: number }): void {
      if (browsers > 0) hadBrowser = true
      if (hadBrowser) timer.update(browsers + socketClients)
    },
    stop: timer.stop
  }
}
