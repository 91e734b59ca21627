/** Validates the sender of IPC messages. */
import type { IpcMainEvent, IpcMainInvokeEvent } from 'electron'
import { isOwnPage } from './pages.ts'

/** True for the top frame of one of our own pages. Embedded frames and other origins are refused. */
export function isOwnSender({ senderFrame }: IpcMainEvent | IpcMainInvokeEvent): boolean {
  return senderFrame !== null && senderFrame.parent === null && isOwnPage(senderFrame.url)
}
