/** The headless host from its arguments to its end. */
import { resolve } from 'node:path'
import { DriftlineError, exitCodeOf, toErrorShape } from '../../contract/errors.ts'
import type { Channel } from '../../contract/wire.ts'
import { withCloseNotice } from '../host/close-notice.ts'
import { dataDirOf } from '../host/data-dir.ts'
import { type Host, openHost } from '../host/host.ts'
import { workspaceToOpen } from '../host/inner-client.ts'
import { becomeHostOrFind, type RunningHost } from '../host/second-host.ts'
import { PROGRAMS } from '../programs.ts'
import { parseServeArguments, SERVE_USAGE, type ServeArguments } from './arguments.ts'
import { type HttpServer, onWorkspace, startHttpServer } from './http-server.ts'
import { leaveTimer } from './leave-timer.ts'
import { hasDisplay, openBrowser, openRunningHost } from './open-browser.ts'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Runs `serve` with the arguments after the word. Resolves with the exit code when the host has closed. */
export async function runServer(argv: readonly string[]): Promise<number> {
  let json = false
  // Whoever started this may close its end of a pipe once it has read the address; that must not end the host.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
  try {
    const asked = parseServeArguments(argv)
    json = asked.json
    if (asked.help) {
      process.stdout.write(SERVE_USAGE)
      return 0
    }
    return await serveUntilDone(asked)
  } catch (error) {
    const shape = toErrorShape(error)
    if (json) process.stdout.write(`${JSON.stringify({ error: shape })}\n`)
    else console.error(shape.message)
    return exitCodeOf(shape.code)
  }
}

async function serveUntilDone(asked: ServeArguments): Promise<number> {
  const dataDir = dataDirOf(asked.data)
  const done = Promise.withResolvers<number>()
  // The engine may fail before anybody waits for the end.
  done.promise.catch(() => {})
  const present = { browsers: 0, callers: 0 }
  const timer = asked.stay ? null : leaveTimer(() => done.resolve(0))
  const changed = (): void => timer?.clients(present)

  const folder = asked.folder === undefined ? undefined : resolve(asked.folder)
  const open = (): Promise<Host> =>
    openHost({
      dataDir,
      kind: 'server',
      onRestart: (sentence) => console.error(sentence),
      onGiveUp: (error) => done.reject(error),
      onSocketCallers: (callers) => {
        present.callers = callers
        changed()
      }
    })
  const first = await becomeHostOrFind(open, dataDir, folder)
  if ('running' in first) return showRunningHost(asked, first.running)
  const { host } = first
  const stop = (): void => done.resolve(0)
  for (const signal of SIGNALS) process.on(signal, stop)

  let http: HttpServer | undefined
  const onChannel = (channel: Channel): void => {
    present.browsers += 1
    changed()
    const left = (): void => {
      present.browsers -= 1
      changed()
    }
    host.connect(withCloseNotice(channel, left))
  }
  try {
    await Promise.race([host.ready, done.promise])
    http = await startHttpServer({ port: asked.port, pages: PROGRAMS.renderer, onChannel }).catch((error: unknown) => {
      // Expected: EADDRINUSE, EACCES.
      throw new DriftlineError(
        'Usage',
        `Port ${asked.port} cannot be used: ${(error as Error).message}. Nothing was started.`
      )
    })
    host.announce(http.url)
    const workspace = folder === undefined ? '' : await workspaceToOpen(host, folder)
    printAddress(asked, onWorkspace(http.url, workspace), process.pid)
    if (asked.open && hasDisplay()) openBrowser(http.oneTimeUrl(workspace))
    return await done.promise
  } finally {
    timer?.stop()
    await http?.close()
    await host.close()
    for (const signal of SIGNALS) process.off(signal, stop)
  }
}

/** A second start is a wish to see the first one. */
async function showRunningHost(
  asked: ServeArguments,
  running: RunningHost & { readonly url: string }
): Promise<number> {
  printAddress(asked, onWorkspace(running.url, running.workspace), running.pid)
  console.error('Driftline already runs here; this is its address.')
  if (asked.open && hasDisplay()) await openRunningHost(running.url, running.workspace)
  return 0
}

/** The one line on standard output; other programs read it. */
function printAddress(asked: ServeArguments, url: string, pid: number): void {
  process.stdout.write(asked.json ? `${JSON.stringify({ url, pid })}\n` : `${url}\n`)
}
