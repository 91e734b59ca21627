/** Decides which Driftline runs on a host: the build from here, one that is there, or an error that says what is missing. */
import { DriftlineError } from '../../contract/errors.ts'
import { listAll } from '../../contract/words/text.ts'
import { archiveOf, hasBuildFor, isFitNode, ownNodeFor, type System } from './build.ts'
import type { HostAnswer, HostFacts } from './connect-remote.ts'

/** Runs what is there, although it is not the build that was installed last. */
export function runWhatIsThere(name: string, { programs: [program] }: HostFacts): HostAnswer {
  if (program !== undefined) return { run: program }
  throw new DriftlineError(
    'Refused',
    `${name} has no Driftline any more. Nothing was changed there. \`driftline hosts add ${name}\` installs it again.`,
    { host: name, outdated: 'far' }
  )
}

/** Installs the build `id` of the program in `root`; where that cannot be, runs a Driftline that the host has itself. */
export async function installBuild(
  name: string,
  facts: HostFacts,
  { root, id, onSend }: { readonly root: string; readonly id: string; readonly onSend: (bytes: number) => void }
): Promise<HostAnswer> {
  const system = systemOf(facts)
  const node = facts.nodes.find(({ version }) => isFitNode(version))?.path
  const own = node === undefined ? ownNodeFor(system) : null
  const problem = problemOf(facts, system, root, node !== undefined || own !== null)
  if (problem !== null) {
    const [installed] = facts.programs
    if (installed !== undefined) return { run: installed }
    throw new DriftlineError(
      'Refused',
      `Couldn’t install Driftline on ${name}: ${problem} Nothing was changed there. Repeat the command afterwards.`,
      { host: name }
    )
  }
  const archive = await archiveOf(root, system, node === undefined ? { own: own as string } : { there: node })
  onSend(archive.length)
  return { install: { id, archive, node: node ?? 'own' } }
}

const SYSTEMS: Readonly<Record<string, string>> = { Linux: 'linux', Darwin: 'darwin' }
const MACHINES: Readonly<Record<string, string>> = { x86_64: 'x64', amd64: 'x64', aarch64: 'arm64', arm64: 'arm64' }

function systemOf({ system, machine, musl }: HostFacts): System {
  return `${SYSTEMS[system] ?? system}${musl ? 'musl' : ''}-${MACHINES[machine] ?? machine}`
}

/** What keeps the build from being installed, and what to do about it; null if nothing does. */
function problemOf(facts: HostFacts, system: System, root: string, hasNode: boolean): string | null {
  if (facts.missing.length > 0) return `it has no ${listAll(facts.missing, 'and')}. Install that there.`
  if (!hasBuildFor(root, system))
    return `this Driftline has no build for ${system}. Install Driftline itself there, with \`driftline\` on the PATH of its shell.`
  if (hasNode) return null
  const found = facts.nodes.map(({ version, path }) => `${version} (${path})`)
  const there = found.length === 0 ? 'it has no Node.' : `its Node is too old: ${listAll(found, 'and')}.`
  return `${there} Install Node 22.22 or newer there, for ${system}, from https://nodejs.org/en/download or its package manager.`
}
