/** Calls the host that runs on a data folder, for what a test reads until it is as wanted: a command is a process each time. */
import type { Method, Params, Result } from '../../src/contract/api.ts'
import { connectHost } from '../../src/main/host/connect-host.ts'

/** How long the host may take to accept a connection and to answer, ms. */
const ANSWER_MS = 10_000

export async function callHost<M extends Method>(dataDir: string, method: M, params: Params<M>): Promise<Result<M>> {
  const connection = await connectHost(dataDir, ANSWER_MS, ANSWER_MS)
  if (!connection) throw new Error(`no host runs on ${dataDir}`)
  try {
    return await connection.client.call(method, params)
  } finally {
    connection.disconnect()
  }
}

/** The id of the only recorded folder. */
export async function onlyWorkspace(dataDir: string): Promise<string> {
  const [workspace, ...others] = (await callHost(dataDir, 'workspaces.list', {})).workspaces
  if (!workspace || others.length > 0) throw new Error('not one folder is recorded')
  return workspace.id
}
