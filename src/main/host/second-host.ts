/**
 * Starting while another host runs on the same data folder: find it, wait for it, or take the place of one in the
 * background.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from '../../contract/api.ts'
import { DriftlineError } from '../../contract/errors.ts'
import { log } from '../engine/ports/log.ts'
import { connectHost, requestEnd } from './connect-host.ts'
import { type EngineFile, readEngineFile } from './engine-file.ts'

/** How long to wait for a host that is just starting or exiting, ms. */
const SETTLE_TIMEOUT_MS = 10_000

/**
 * Becomes the host with `open`, or returns the running host after registering `folder` with it. Waits for a host that
 * is just starting until it has a URL, and for one that is just exiting until its lock is free. Throws `SecondHost`
 * when the running host does not answer or is a window, which has no URL.
 */
export async function openOrFindHost<H>(
  open: () => Promise<H>,
  dataDir: string,
  folder: string | undefined,
  timeout = SETTLE_TIMEOUT_MS
): Promise<{ readonly host: H } | { readonly running: RunningHost & { readonly url: string } }> {
  const end = performance.now() + timeout
  for (;;) {
    try {
      return { host: await open() }
    } catch (error) {
      if (!(error instanceof DriftlineError) || error.code !== 'SecondHost') throw error
      const running = (await takeOver(dataDir)) ? null : await findRunningHost(dataDir, folder)
      if (running?.url) return { running: { ...running, url: running.url } }
      if (running?.kind === 'electron' || performance.now() > end) throw error
      await pause(100)
    }
  }
}

/** Asks a recorder in the background to end; true if there is one. Its lock is free soon after. */
async function takeOver(dataDir: string): Promise<boolean> {
  if (readEngineFile(dataDir)?.kind !== 'background') return false
  const host = await connectHost(dataDir, 1000, 5000)
  if (!host) return false
  await requestEnd(host, 'taken-over')
  return true
}

export interface RunningHost extends EngineFile {
  /** Id of the workspace of the requested folder, "" without one. */
  readonly workspace: string
}

/**
 * The running host of a data folder if it answers within `timeout` ms, else null. Registers `folder` with it if it is
 * new.
 */
export async function findRunningHost(dataDir: string, folder?: string, timeout = 5000): Promise<RunningHost | null> {
  const host = await connectHost(dataDir, timeout, timeout)
  if (!host) return null
  try {
    return { ...host.file, workspace: folder === undefined ? '' : await registerFolder(host.client, folder) }
  } catch (error) {
    // Expected: a host that is just exiting.
    if (error instanceof DriftlineError && error.code === 'Disconnected') return null
    throw error
  } finally {
    host.disconnect()
  }
}

/**
 * Registers the folder that was named on the command line of a host, and returns the id of its workspace. Returns ""
 * when the engine refuses it (not a folder, or confirmation needed): the window then opens without it, and the user can
 * add it there.
 */
export async function registerFolder(client: Client, folder: string): Promise<string> {
  try {
    const { workspace } = await client.call('workspaces.add', { folder, wait: false })
    return workspace.id
  } catch (error) {
    if (!(error instanceof DriftlineError) || error.code === 'Disconnected') throw error
    log.warn(error.message)
    return ''
  }
}
