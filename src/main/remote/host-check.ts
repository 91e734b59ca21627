/** What `driftline hosts doctor` and the window name as problems of a host. */
import type { Client } from '../../contract/api.ts'
import { toErrorShape } from '../../contract/errors.ts'
import { plural } from '../../contract/words/numbers.ts'
import { VERSION } from '../version.ts'
import type { RelayedHost } from './relayed-host.ts'

/** Of a host that is connected: its version, and what its own doctor finds. */
export async function hostProblems(
  name: string,
  { version, client }: { readonly version: string; readonly client: Client }
): Promise<readonly string[]> {
  const { problems } = await client.call('doctor.run', { deep: false })
  return [
    ...(version === VERSION
      ? []
      : [`It runs Driftline ${version}, this computer ${VERSION}: \`driftline hosts add ${name}\`.`]),
    ...(problems.length === 0
      ? []
      : [`Its own doctor finds ${plural(problems.length, 'problem')}: \`driftline --host ${name} doctor\`.`])
  ]
}

/** Of a host of the relay, which may be out of reach. */
export async function checkedHost(host: RelayedHost): Promise<readonly string[]> {
  const { version, reason } = host.place()
  try {
    return await hostProblems(host.name, { version, client: host.client() })
  } catch (error) {
    return [reason || toErrorShape(error).message]
  }
}
