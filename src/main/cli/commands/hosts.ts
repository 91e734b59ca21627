/** `driftline hosts`: other machines whose recorders `--host NAME` asks. */
import { dirname } from 'node:path'
import { DriftlineError, toErrorShape } from '../../../contract/errors.ts'
import { plural } from '../../../contract/words/numbers.ts'
import { formatBytes } from '../../../contract/words/sizes.ts'
import { formatTime } from '../../../contract/words/times.ts'
import {
  checkHostName,
  findHostNamed,
  hostNamed,
  listHosts,
  type RemoteHost,
  removeHost,
  saveHost
} from '../../remote/host-files.ts'
import type { OpenedHost } from '../../remote/open-remote.ts'
import { choose, usage } from '../arguments.ts'
import { columns } from '../columns.ts'
import { command } from '../command.ts'
import type { Context } from '../context.ts'
import { escapeLine } from '../escape.ts'
import type { Paint } from '../paint.ts'

export const hosts = command({
  name: 'hosts',
  usage: ['[list]', 'add NAME [-- COMMAND…]', 'remove NAME', 'doctor [NAME]'],
  summary: 'list, add, remove or check other machines, for --host NAME',
  positionals: [0, 2],
  takesCommand: true,
  onlyHere: true,
  run: async (context, { positionals: [action = 'list', name], rest }) => {
    const chosen = choose('hosts', ['list', 'add', 'remove', 'doctor'], action)
    if (chosen !== 'add' && rest !== null) throw usage(hosts, `Only \`hosts add\` takes a command.`)
    if (chosen === 'list' && name !== undefined) throw usage(hosts, `\`hosts list\` takes no name.`)
    if (chosen === 'list') return list(context)
    if (chosen === 'doctor') return doctor(context, name)
    if (name === undefined) throw usage(hosts, `\`hosts ${chosen}\` takes a NAME.`)
    return chosen === 'add' ? add(context, name, rest) : remove(context, name)
  }
})

/** Imported on demand: other commands do not need it. */
const remote = () => import('../../remote/on-demand.ts')

async function list({ dataDir, output }: Context): Promise<number> {
  const all = listHosts(dataDir)
  const lines = columns(all.map((host) => hostCells(host, output.paint)))
  return output.print({ hosts: all.map(documentOf) }, [
    ...(all.length > 0 ? lines : ['No hosts. Add one with `driftline hosts add box -- ssh box`.'])
  ])
}

function hostCells({ name, command, state, version, lastSeenAt, workspaces }: RemoteHost, paint: Paint): string[] {
  return [
    paint('bold', escapeLine(name)),
    escapeLine(command.join(' ')),
    state === 'reached' ? `reached ${formatTime(lastSeenAt)}` : paint('yellow', 'out of reach'),
    version === '' ? '' : `Driftline ${escapeLine(version)}`,
    plural(workspaces.length, 'recorded folder')
  ]
}

function documentOf({ name, command, state, version, lastSeenAt, workspaces }: RemoteHost) {
  return { name, command, state, version, lastSeenAt, workspaces }
}

/** Installs Driftline on the host unless it has this build, connects, and keeps the host. */
async function add({ dataDir, invocation, output }: Context, name: string, rest: readonly string[] | null) {
  const { buildIdOf, installBuild, openRemote } = await remote()
  checkHostName(name)
  const known = findHostNamed(dataDir, name)
  const command = rest ?? known?.command
  if (command === undefined || command.length === 0)
    throw usage(hosts, `Name the command that ends in a shell on ${name}, such as \`-- ssh ${name}\`.`)
  const root = dirname(dirname(dirname(invocation.programs.serve)))
  const id = buildIdOf(root)
  const host: RemoteHost = {
    ...(known ?? { version: '', lastSeenAt: 0, workspaces: [], state: 'out-of-reach' }),
    name,
    command,
    build: id
  }
  const onSend = (bytes: number): void => output.progress(`Sending ${formatBytes(bytes)} to ${name}`)
  const opened = await openRemote(dataDir, host, {
    printed: 'terminal',
    isNew: true,
    decide: (facts) => installBuild(name, facts, { root, id, onSend })
  }).finally(() => output.progress(''))
  const added = await saveFolders(dataDir, opened)
  const { command: there } = await opened.client.call('app.command', {})
  opened.disconnect()
  const own =
    added.build === ''
      ? ['It uses the Driftline that is installed there, because the build from here cannot run there.']
      : []
  return output.print({ hosts: listHosts(dataDir).map(documentOf) }, [
    `${output.paint('green', known ? 'Updated' : 'Added')} ${name}: Driftline ${escapeLine(added.version)}, ${plural(added.workspaces.length, 'recorded folder')}.`,
    ...own,
    `In a shell on ${name}, Driftline is \`${escapeLine(there)}\`.`,
    ...(added.workspaces.length > 0 ? [] : [`Record a folder there with \`driftline --host ${name} add FOLDER\`.`])
  ])
}

/** Keeps which folders the host records. */
async function saveFolders(dataDir: string, { client, host }: OpenedHost): Promise<RemoteHost> {
  const { workspaces } = await client.call('workspaces.list', {})
  const found = { ...host, workspaces: workspaces.map(({ id, root }) => ({ id, root })) }
  saveHost(dataDir, found)
  return found
}

async function remove({ dataDir, output }: Context, name: string): Promise<number> {
  hostNamed(dataDir, name)
  removeHost(dataDir, name)
  return output.print({ hosts: listHosts(dataDir).map(documentOf) }, [
    `Removed ${name} from this computer. On ${name} nothing changed: its folders are still recorded there. \`driftline remove --all --delete-history\` there deletes the history; then its data folder can be deleted.`
  ])
}

/** Connects to the hosts, one after the other: each may ask its own questions. */
async function doctor(context: Context, name: string | undefined): Promise<number> {
  const { dataDir, output } = context
  const asked = name === undefined ? listHosts(dataDir) : [hostNamed(dataDir, name)]
  const checked: { host: RemoteHost; problems: readonly string[] }[] = []
  for (const host of asked) {
    const problems = await problemsOf(dataDir, host)
    checked.push({ host: hostNamed(dataDir, host.name), problems })
  }
  const ok = checked.every(({ problems }) => problems.length === 0)
  output.print({ ok, hosts: checked.map(({ host, problems }) => ({ ...documentOf(host), problems })) }, [
    ...(checked.length === 0 ? ['No hosts.'] : []),
    ...checked.flatMap(({ host, problems }) => [
      `${output.paint('bold', host.name)}: ${problems.length === 0 ? `Driftline ${escapeLine(host.version)}, ${plural(host.workspaces.length, 'recorded folder')}, no problems.` : plural(problems.length, 'problem')}`,
      ...problems.map((problem) => `  ${escapeLine(problem)}`)
    ])
  ])
  return ok ? 0 : 1
}

async function problemsOf(dataDir: string, host: RemoteHost): Promise<readonly string[]> {
  const { hostProblems, openRemote, runWhatIsThere } = await remote()
  try {
    const opened = await openRemote(dataDir, host, {
      printed: 'terminal',
      decide: async (facts) => runWhatIsThere(host.name, facts)
    })
    const found = await saveFolders(dataDir, opened)
    return await hostProblems(host.name, { version: found.version, client: opened.client }).finally(opened.disconnect)
  } catch (error) {
    if (!(error instanceof DriftlineError)) throw error
    return [toErrorShape(error).message]
  }
}
