/** Numbers and counted nouns, worded alike on the command line and in the window. */

/** "9,870"; fractions are cut off. Without `Intl`, whose data a command would need longer to load than for its work. */
export function formatNumber(n: number): string {
  return String(Math.trunc(n)).replace(/\B(?=(\d{3})+$)/g, ',')
}

/** "6 files", "the conversation", "6 files and the conversation". */
export function filesAndConversation(files: number, withConversation: boolean): string {
  if (!withConversation) return plural(files, 'file')
  return files === 0 ? 'the conversation' : `${plural(files, 'file')} and the conversation`
}

/** Paths that something changes. A rename is one file, and folders count apart, as in a list of changes. */
export interface PathCounts {
  readonly files: number
  readonly folders: number
}

/** "6 files", "1 file and 2 folders". */
export function pathsText({ files, folders }: PathCounts): string {
  if (folders === 0) return plural(files, 'file')
  return files === 0 ? plural(folders, 'folder') : `${plural(files, 'file')} and ${plural(folders, 'folder')}`
}

/** `plural(1, 'file')` is "1 file", `plural(1204, 'file')` "1,204 files". */
export function plural(n: number, noun: string, many = `${noun}s`): string {
  return `${formatNumber(n)} ${n === 1 ? noun : many}`
}
