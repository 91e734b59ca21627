/** What is dropped on the window: a browser does not reveal its path, and would navigate to a file. */
import { useLayoutEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'

export interface Dropped {
  readonly name: string
  readonly isFolder: boolean
  /** Absolute path, "" if unknown (in a browser). */
  readonly path: string
  /** Names in a dropped folder whose path is unknown, used to find it among folders of the same name. */
  readonly children: readonly string[]
}

const MAX_CHILDREN = 2000

/**
 * Must be called before the event handler returns: the data is cleared after it. null if no file or folder was dropped.
 */
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
  while (names.length < MAX_CHILDREN) {
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

/** Removes quotes and `file://` from a typed or pasted path. */
export function cleanPath(typed: string): string {
  const bare = typed.trim().replace(/^(["'])(.*)\1$/, '$2')
  if (!bare.startsWith('file://')) return bare
  try {
    return decodeURIComponent(new URL(bare).pathname)
  } catch (error) {
    // Malformed address: used as typed, the engine reports the error.
    if (error instanceof TypeError || error instanceof URIError) return bare
    throw error
  }
}

/**
 * Accepts drops on the whole window. Returns whether files are dragged over it: the caller then covers the window with one
 * element, because a drop is lost with the element under the pointer where that was replaced since the last drag event.
 * A drag must be accepted by `dragenter`, too: where the element under the pointer was replaced, as the zone does when a drag
 * begins, the browser sends that alone before a drop, which it otherwise refuses.
 */
export function useDrop(onDrop: (data: DataTransfer) => void): boolean {
  const [over, setOver] = useState(false)
  const latest = useRef(onDrop)
  latest.current = onDrop
  // Before the first paint: the window takes a folder as soon as it is seen.
  useLayoutEffect(() => {
    const hold = (event: DragEvent) => {
      event.preventDefault()
      const carriesFiles = event.dataTransfer?.types.includes('Files') ?? false
      if (event.dataTransfer) event.dataTransfer.dropEffect = carriesFiles ? 'link' : 'none'
      // The next drag event finds the cover.
      flushSync(() => setOver(carriesFiles))
    }
    const leave = (event: DragEvent) => {
      if (event.relatedTarget === null) setOver(false)
    }
    // During a drag no pointer moves: the leave of an element that was replaced never arrives here.
    const end = () => setOver(false)
    const drop = (event: DragEvent) => {
      event.preventDefault()
      setOver(false)
      if (event.dataTransfer) latest.current(event.dataTransfer)
    }
    const listening = new AbortController()
    const { signal } = listening
    window.addEventListener('dragenter', hold, { signal })
    window.addEventListener('dragover', hold, { signal })
    window.addEventListener('dragleave', leave, { signal })
    window.addEventListener('pointermove', end, { signal })
    window.addEventListener('drop', drop, { signal })
    return () => listening.abort()
  }, [])
  return over
}
