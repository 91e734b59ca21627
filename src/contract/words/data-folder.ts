/** What `driftline doctor` says of a data folder that others can read. Pure. */
import { listAll } from './text.ts'

/** By their names in Windows' security descriptors. */
const GROUPS: Readonly<Record<string, string>> = {
  WD: 'everyone',
  AU: 'everyone who can sign in',
  BU: 'all users of this computer',
  BG: 'guests'
}

export function dataFolderReadersText(dataDir: string, readers: readonly string[]): string {
  const names = listAll(readers.map((reader) => GROUPS[reader] ?? `the account ${reader}`))
  return `The data folder ${dataDir} can be read by ${names}: the history of your files, and the key to this recorder. Nothing was changed. Move it into your user folder, or run: icacls "${dataDir}" /inheritance:r /grant:r "%USERNAME%:(OI)(CI)F"`
}
