/** What was dropped on the window, as far as the host lets us know. */

export interface Dropped {
  readonly name: string
  readonly isFolder: boolean
  /** Absolute path, "" where the host may not know it (a browser). */
  readonly path: string
  /** Names directly inside a dropped folder, where the path is unknown: they tell folders of one name apart. */
  readonly children: readonly string[]
}

const MOST_CHILDREN = 2000

/** Reads a drop. Must be called before the event handler returns; null when nothing usable was dropped. */
export async function readDrop(data: DataTransfer, pathForFile: (file: File) => string): Promise<Dropped | null> {
  const entry = data.items[0]?.webkitGetAsEntry() ?? null
  const file = data.files[0]
  const path = file ? pathForFile(file) : ''
  if (!entry && !file) return null
  const isFolder = entry?.isDirectory ?? false
  const name = entry?.name ?? file?.name ?? ''
  if (!isFolder || path !== '') return { name, isFolder, path, children: [] }
  try {
    return { name, isFolder, path, children: await childNames(entry as FileSystemDirectoryEntry) }
  } catch (error) {
    // The browser could not list the folder: its name still helps.
    if (error instanceof DOMException) return { name, isFolder, path, children: [] }
    throw error
  }
}

async function childNames(folder: FileSystemDirectoryEntry): Promise<string[]> {
  const reader = folder.createReader()
  const names: string[] = []
  while (names.length < MOST_CHILDREN) {
    const batch = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject))
    if (batch.length === 0) break
    names.push(...batch.map(({ name }) => name))
  }
  return names
}

/** The folder that holds a path. */
export function folderOf(path: string): string {
  const at = Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\'))
  return at <= 0 ? path : path.slice(0, at)
}

/** A path as typed or pasted: quotes and `file://` taken off. */
export function cleanPath(typed: string): string {
  const bare = typed.trim().replace(/^(["'])(.*)\1$/, '$2')
  if (!bare.startsWith('file://')) return bare
  try {
    return decodeURIComponent(new URL(bare).pathname)
  } catch (error) {
    // Not a well-formed address: taken as it was typed, the engine says what is wrong with it.
    if (error instanceof TypeError || error instanceof URIError) return bare
    throw error
  }
}
