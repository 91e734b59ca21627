/** Files of this computer that are dragged out of the page. */
import type { DragEvent } from 'react'
import type { Platform } from './platform.ts'

/** Electron hands the files over; a browser only their addresses, which editors, terminals and file managers take. */
export function dragFiles({ dragFiles: handOver }: Platform, event: DragEvent, paths: readonly string[]): void {
  if (handOver) {
    event.preventDefault()
    handOver(paths)
    return
  }
  event.dataTransfer.effectAllowed = 'copy'
  event.dataTransfer.setData('text/uri-list', paths.map(fileUrl).join('\r\n'))
  event.dataTransfer.setData('text/plain', paths.join('\n'))
}

/** `path`: absolute, of any system. */
export function fileUrl(path: string): string {
  const parts = path.split(/[\\/]/).map(encodeURIComponent).join('/')
  return `file://${parts.startsWith('/') ? '' : '/'}${parts.replace(/^([A-Za-z])%3A/, '$1:')}`
}
