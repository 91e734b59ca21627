/**
 * Hosts in the window, by the system's ssh and sshd behind a link of 50 ms each way and 100 Mbit/s: adding one, opening a run
 * of it, the memory of ten, and what a connection costs that is cut again and again.
 */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer } from 'node:net'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { type Browser, chromium, type Page } from 'playwright-core'
import { WebSocket } from 'ws'
import type { Client } from '../src/contract/api.ts'
import { createClient, type EventFrame, openChannel } from '../src/contract/wire.ts'
import { readEngineFile } from '../src/main/host/engine-file.ts'
import { socketChannel } from '../src/main/host/socket-channel.ts'
import { BROWSER_SWITCHES, findBrowser } from '../test/support/browser.ts'
import { type FarHost, farHost } from '../test/support/far-host.ts'
import { equipSsh } from '../test/support/ssh-to.ts'
import type { Figure, Row, Setting } from './figure.ts'
import { type HostProcess, residentMemory, startHost, untilIdle } from './host-process.ts'
import { clickUntilPainted, DIFF_LINES } from './painted.ts'
import { inMegabytes, inSeconds, median } from './statistics.ts'

const ONE_WAY_MS = 50
const MBIT = 100
const ADD_TARGET = 15
const DIFF_TARGET = 0.3 + (2 * ONE_WAY_MS) / 1000
const MEMORY_TARGET = 60_000_000
const RESUME_TARGET = 2
const SLOW_LINK = resolve(import.meta.dirname, 'slow-link.mjs')

export const HOSTS: Figure = {
  name: 'hosts',
  measure: async (setting) => {
    const browserPath = findBrowser()
    if (browserPath === undefined) return []
    const far = farHost()
    const host = await startHost(join(setting.folder('data'), 'driftline'))
    const { command, stop } = await startSsh(far, join(setting.folder('ssh'), 'keys'))
    const browser = await chromium.launch({ executablePath: browserPath, args: [...BROWSER_SWITCHES] })
    try {
      const page = openPage(host)
      const rows = [await adding(page, command)]
      far.write('app/a.txt', 'one\n')
      const { workspace } = await page.client.call(
        'workspaces.add',
        { folder: join(far.home, 'app'), wait: true },
        'box'
      )
      rows.push(await cutting(setting, { far, host, page, command, workspace: workspace.id }))
      rows.push(await firstDiff(setting, { far, host, browser, workspace: workspace.id }))
      rows.push(await memory({ host, browser, page, command }))
      return rows
    } finally {
      await browser.close()
      await host.stop()
      stop()
      far.remove()
    }
  }
}

/** An sshd on a port of this computer, behind the link. Needs the superuser or none: it lets only its own user in. */
async function startSsh(far: FarHost, folder: string) {
  const own = createServer().listen(0, '127.0.0.1')
  await once(own, 'listening')
  const { port } = own.address() as AddressInfo
  own.close()
  const link = spawn(process.execPath, [SLOW_LINK, String(ONE_WAY_MS), String(MBIT), String(port)], {
    stdio: ['ignore', 'pipe', 'inherit']
  })
  const [entrance] = (await once(createInterface({ input: link.stdout }), 'line')) as [string]
  const command = equipSsh(far, folder, Number(entrance))
  const server = spawn('/usr/sbin/sshd', ['-D', '-p', String(port), '-f', join(folder, 'sshd_config')], {
    stdio: ['ignore', 'ignore', 'inherit']
  })
  await untilListening(port)
  const stop = (): void => {
    for (const child of [link, server]) child.kill()
  }
  return { command, stop }
}

/** A login before would be refused. */
async function untilListening(port: number): Promise<void> {
  for (;;) {
    const socket = connect(port, '127.0.0.1')
    try {
      await once(socket, 'connect')
      return
    } catch {
      // ECONNREFUSED: not yet.
      await pause(10)
    } finally {
      socket.destroy()
    }
  }
}

/** How long the login alone takes, s. */
function login(command: readonly string[]): number {
  const started = performance.now()
  const words = [...command.slice(0, command.indexOf('box') + 1), 'true']
  if (spawnSync(words[0] ?? '', words.slice(1)).status !== 0) throw new Error('ssh could not log in')
  return (performance.now() - started) / 1000
}

interface PageClient {
  readonly client: Client
  readonly events: EventFrame[]
}

/** What a page has: a WebSocket to the recorder, with all events that arrive. */
function openPage({ url }: HostProcess): PageClient {
  const { origin, hash, host } = new URL(url)
  const token = new URLSearchParams(hash.slice(1)).get('token') ?? ''
  const socket = new WebSocket(`ws://${host}/ws`, ['driftline.v1', `token.${token}`], { origin })
  const unsent: string[] = []
  const { channel, deliver } = openChannel((frame) =>
    socket.readyState === socket.OPEN ? socket.send(frame) : void unsent.push(frame)
  )
  socket.on('open', () => {
    for (const frame of unsent) socket.send(frame)
  })
  socket.on('message', (data) => deliver(String(data)))
  const events: EventFrame[] = []
  return { client: createClient(channel, { onEvent: (frame) => void events.push(frame) }), events }
}

async function adding({ client }: PageClient, command: readonly string[]): Promise<Row> {
  const started = performance.now()
  await client.call('hosts.add', { name: 'box', command })
  const spent = (performance.now() - started) / 1000
  return row({
    figure: 'adding a fresh host by ssh',
    on: `${2 * ONE_WAY_MS} ms round trip, ${MBIT} Mbit/s`,
    result: inSeconds(spent),
    target: `<= ${ADD_TARGET} s`,
    reached: spent <= ADD_TARGET,
    numbers: { spent }
  })
}

interface Cutting {
  readonly command: readonly string[]
  readonly far: FarHost
  readonly host: HostProcess
  readonly page: PageClient
  readonly workspace: string
}

/** Kills ssh at random moments while files change there, and compares the events with those that the recorder there sent. */
async function cutting(setting: Setting, { far, host, page, command, workspace }: Cutting): Promise<Row> {
  const cuts = setting.quick ? 10 : 100
  const sent: EventFrame[] = []
  const socket = connect(readEngineFile(far.data)?.socket ?? '')
  const truth = createClient(socketChannel(socket), { onEvent: (frame) => void sent.push(frame) })
  await truth.call('app.info', {})
  const ofWorkspace = (frames: readonly EventFrame[]): string[] =>
    frames.flatMap(({ event, payload }) => {
      const { workspace: of, ...rest } = payload as { readonly workspace: string }
      return event === 'workspace.changed' && workspace.endsWith(of) ? [JSON.stringify(rest)] : []
    })
  await pause(1500)
  sent.length = 0
  page.events.length = 0
  let n = 0
  const writer = setInterval(() => far.write(`app/file-${n % 50}.txt`, `${n++}\n`), 150)
  const resumed: number[] = []
  const logins: number[] = []
  for (let cut = 0; cut < cuts; cut++) {
    await pause(Math.random() * 1500)
    const before = page.events.filter(({ event }) => event === 'host.reached').length
    const started = performance.now()
    killConnection(host)
    while (page.events.filter(({ event }) => event === 'host.reached').length === before) await pause(5)
    resumed.push((performance.now() - started) / 1000)
    if (cut % 5 === 0) logins.push(login(command))
  }
  clearInterval(writer)
  const settled = (): boolean => ofWorkspace(sent).length === ofWorkspace(page.events).length
  for (let i = 0; i < 100 && !settled(); i++) await pause(100)
  socket.destroy()
  const isSame = JSON.stringify(ofWorkspace(sent)) === JSON.stringify(ofWorkspace(page.events))
  const incomplete = page.events.filter(
    ({ event, payload }) => event === 'host.reached' && !(payload as { complete: boolean }).complete
  ).length
  const sorted = resumed.toSorted((a, b) => a - b)
  const within = sorted.filter((spent) => spent <= RESUME_TARGET).length
  return row({
    figure: `${cuts} cuts at random moments: resumed after`,
    on: `${ofWorkspace(sent).length} events`,
    result: `${inSeconds(median(sorted))}, at most ${inSeconds(sorted.at(-1) ?? 0)}`,
    target: `<= ${RESUME_TARGET} s, no event lost or twice`,
    reached: isSame && within === cuts,
    note: `the login by ssh alone ${inSeconds(median(logins))}; ${isSame ? 'the same events in the same order' : 'EVENTS DIFFER'}; ${within} of ${cuts} within ${RESUME_TARGET} s; ${incomplete} not complete`,
    numbers: { resumed: sorted, logins }
  })
}

function killConnection({ process: { pid } }: HostProcess): void {
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'latin1')
      const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
      if (parent === pid && readFileSync(`/proc/${name}/cmdline`, 'utf8').startsWith('ssh'))
        process.kill(Number(name), 'SIGKILL')
    } catch {
      // ENOENT: a process that ended meanwhile.
    }
  }
}

interface FirstDiff {
  readonly far: FarHost
  readonly host: HostProcess
  readonly browser: Browser
  readonly workspace: string
}

const FILES = 200
/** A person needs as long from reaching a row until the press. */
const HOVER_MS = 250

async function firstDiff(setting: Setting, { far, host, browser, workspace }: FirstDiff): Promise<Row> {
  const runs = setting.quick ? 6 : 14
  const script = join(far.home, 'rewrite.mjs')
  writeFileSync(
    script,
    `import { writeFileSync } from 'node:fs'
     for (let n = 0; n < ${FILES}; n++) writeFileSync('part-' + n + '.ts', '// written by ' + process.argv[2] + '\\n' + 'export const value = 1\\n'.repeat(100))`
  )
  for (let run = 0; run < runs; run++) far.driftline('run', '--', process.execPath, script, `rewrite-${run}.`)
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  await page.goto(`${host.url}&open=${encodeURIComponent(workspace)}`)
  await entry(page, runs - 1).waitFor()
  await page.locator('#diff-pane .view-line').first().waitFor()
  const opened: number[] = []
  // Every other one: the text before a run is that of the one before it.
  for (let run = runs - 3; run >= 0; run -= 2) {
    await entry(page, run).hover()
    await pause(HOVER_MS)
    opened.push(await clickUntilPainted(entry(page, run), DIFF_LINES, `written by rewrite-${run}.`))
    await pause(500)
  }
  await page.close()
  const [first = 0, ...later] = opened
  const middle = median(later)
  return row({
    figure: 'opening a run of a host until its first diff',
    on: `${FILES} files, ${opened.length} runs`,
    result: inSeconds(middle),
    target: `<= ${inSeconds(DIFF_TARGET)}`,
    reached: middle <= DIFF_TARGET,
    note: `the first one ${inSeconds(first)}`,
    numbers: { opened }
  })
}

const entry = (page: Page, run: number) =>
  page
    .getByRole('navigation', { name: 'Timeline' })
    .getByRole('treeitem', { name: new RegExp(`rewrite-${run}\\.`) })
    .first()

interface Memory {
  readonly host: HostProcess
  readonly browser: Browser
  readonly page: PageClient
  readonly command: readonly string[]
}

/** Of the recorder here and of the page: with ten hosts against one. */
async function memory({ host, browser, page, command }: Memory): Promise<Row> {
  const shown = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  await shown.goto(host.url)
  const session = await shown.context().newCDPSession(shown)
  const measure = async (): Promise<{ readonly recorder: number; readonly heap: number }> => {
    await untilIdle(host.process.pid as number)
    await session.send('HeapProfiler.collectGarbage')
    const { usedSize } = (await session.send('Runtime.getHeapUsage')) as { usedSize: number }
    return { recorder: residentMemory(host.process.pid as number), heap: usedSize }
  }
  await shown.getByRole('button', { name: 'Hosts…' }).waitFor()
  const before = await measure()
  for (let n = 2; n <= 10; n++) await page.client.call('hosts.add', { name: `box${n}`, command })
  await shown.getByRole('region', { name: 'box10' }).waitFor()
  const after = await measure()
  const each = ((after.recorder - before.recorder + after.heap - before.heap) / 9) * 10
  return row({
    figure: 'memory of ten hosts: the recorder here and the page',
    on: 'one folder each',
    result: inMegabytes(each),
    target: `<= ${inMegabytes(MEMORY_TARGET)}`,
    reached: each <= MEMORY_TARGET,
    note: `recorder ${inMegabytes(before.recorder)} with one, ${inMegabytes(after.recorder)} with ten; page ${inMegabytes(before.heap)} and ${inMegabytes(after.heap)}`,
    numbers: { each }
  })
}

function row(parts: Omit<Row, 'ours' | 'theirs' | 'note'> & { readonly note?: string }): Row {
  return { ours: parts.result, theirs: '', note: '', ...parts }
}
