/** The state of a recorded folder in the short form that tests compare. */
import type { RecordedFolder } from './recorded-folder.ts'

/** `path reason` for every excluded path. */
export async function notCovered(folder: RecordedFolder): Promise<string[]> {
  const listed = await folder.engine.call('coverage.list', { workspace: folder.workspace })
  return listed.notCovered.map((one) => `${one.path} ${one.reason}`)
}

/** The recorded versions of a path, newest first. */
export async function versions(folder: RecordedFolder, path: string) {
  return (await folder.engine.call('file.history', { workspace: folder.workspace, path })).versions
}
