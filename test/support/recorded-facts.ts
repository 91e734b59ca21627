/** What the engine tells about a recorded folder, in the short form tests compare. */
import type { Recorded } from './recorded.ts'

/** `path reason` of everything that is not covered. */
export async function notCovered(folder: Recorded): Promise<string[]> {
  const listed = await folder.engine.call('coverage.list', { workspace: folder.workspace })
  return listed.notCovered.map((one) => `${one.path} ${one.reason}`)
}

/** A path's recorded states, newest first. */
export async function versions(folder: Recorded, path: string) {
  return (await folder.engine.call('file.history', { workspace: folder.workspace, path })).versions
}
