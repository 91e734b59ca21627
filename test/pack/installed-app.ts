/** An installed app laid out as the packages lay it out, with this Node in the place of Electron's. */
import { cpSync, mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { extractAll } from '@electron/asar'
import { packApp, writeNotices } from '../../packaging/stage.mjs'

export const ROOT = join(import.meta.dirname, '../..')
export const SYSTEM = `${process.platform}-${process.arch}`

export interface InstalledApp {
  /** The `driftline` command, reached through a link as on a PATH. */
  readonly command: string
}

/** Packs the build below `place`, and returns the package as it ships. */
export function packBuild(place: string): Promise<string> {
  writeNotices(ROOT)
  return packApp(ROOT, SYSTEM, join(place, 'packed'))
}

/** Packs the build and installs it below `place`. Electron reads app.asar as a folder; Node needs it to be one. */
export async function installApp(place: string): Promise<InstalledApp> {
  const asar = await packBuild(place)
  const folder = join(place, 'opt', 'Driftline')
  mkdirSync(join(folder, 'bin'), { recursive: true })
  extractAll(asar, join(folder, 'resources', 'app.asar'))
  symlinkSync(process.execPath, join(folder, 'driftline-app'))
  cpSync(join(ROOT, 'packaging/linux/driftline'), join(folder, 'bin', 'driftline'))
  const command = join(place, 'bin', 'driftline')
  mkdirSync(join(place, 'bin'))
  symlinkSync(join(folder, 'bin', 'driftline'), command)
  return { command }
}
