/** Connects to the recorder of another machine, through the command of its host. */
import { randomBytes } from 'node:crypto'
import type { Duplex } from 'node:stream'
import { DriftlineError } from '../../contract/errors.ts'
import { type HostShell, type HostTerms, startHostCommand } from './host-command.ts'
import { hostScript } from './host-script.ts'

/** What the script found on a host that does not have the build that was asked for. */
export interface HostFacts {
  /** As `uname -s` and `uname -m` say. */
  readonly system: string
  readonly machine: string
  readonly musl: boolean
  readonly nodes: readonly { readonly version: string; readonly path: string }[]
  /** Tools that an installation needs and the host does not have. */
  readonly missing: readonly string[]
  /** Other programs of Driftline there, best first. */
  readonly programs: readonly string[]
}

/** What to do on such a host. `node`: a path there, or `own` when the archive holds one. */
export type HostAnswer =
  | { readonly run: string }
  | { readonly install: { readonly id: string; readonly archive: Uint8Array; readonly node: string } }

interface Connecting extends HostTerms {
  readonly name: string
  readonly command: readonly string[]
  /** The build to run, "" for any. */
  readonly build: string
  /** Called when the host does not have it. Throws to leave the host as it is. */
  readonly decide: (facts: HostFacts) => Promise<HostAnswer>
}

/** The stream of frames of the recorder there, which is started if none runs. Fails with HostUnreachable and Refused. */
export async function connectRemote({ name, command, build, decide, ...terms }: Connecting): Promise<Duplex> {
  const marker = `driftline-${randomBytes(8).toString('hex')}`
  const shell = startHostCommand(name, command, marker, terms)
  try {
    await shell.send(hostScript(marker, build))
    const first = await shell.next()
    if (isReady(first)) return shell.stream()
    const answer = await decide(await readFacts(shell, first))
    if ('run' in answer) await shell.send(`run ${answer.run}\n`)
    else await sendBuild(shell, answer.install)
    const last = await shell.next()
    if (isReady(last)) return shell.stream()
    throw installationFailed(name, last[1] ?? '')
  } catch (error) {
    shell.close()
    throw error
  }
}

function isReady([word = '']: readonly string[]): boolean {
  if (word === 'ready\r')
    throw new DriftlineError(
      'Refused',
      'The command opens a terminal, which changes what passes through it. Nothing was changed there. Leave out options such as `-t`.'
    )
  return word === 'ready'
}

async function readFacts(shell: HostShell, first: readonly string[]): Promise<HostFacts> {
  const facts = { system: '', machine: '', musl: false }
  const nodes: { version: string; path: string }[] = []
  const missing: string[] = []
  const programs: string[] = []
  for (let line = first; line[0] !== 'end'; line = await shell.next()) {
    const [word, value = '', ...rest] = line
    if (word === 'system') Object.assign(facts, { system: value, machine: rest.join(' ') })
    else if (word === 'musl') facts.musl = true
    else if (word === 'node') nodes.push({ version: value, path: rest.join(' ') })
    else if (word === 'missing') missing.push(value)
    else if (word === 'program') programs.push([value, ...rest].join(' '))
  }
  return { ...facts, nodes, missing, programs }
}

async function sendBuild(shell: HostShell, build: { id: string; archive: Uint8Array; node: string }): Promise<void> {
  await shell.send(`install ${build.archive.length} ${build.id} ${build.node}\n`)
  await shell.send(build.archive)
}

const FAILURES: Readonly<Record<string, string>> = {
  folder: 'its data folder cannot be written to',
  unpack: 'the files did not arrive whole: its disk is full, or the connection was cut',
  start:
    'Node, its own or the one that was sent, does not run there or cannot load the database library. Install Node 22.22 or newer there, from its package manager'
}

function installationFailed(name: string, step: string): DriftlineError {
  return new DriftlineError(
    'Refused',
    `Couldn’t install Driftline on ${name}: ${FAILURES[step] ?? step}. What it printed may say more. What was there is unchanged. Add the host again once that is solved.`,
    { host: name, step }
  )
}
