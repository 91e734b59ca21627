/** Whose messages the host listens to. */
import type { IpcMainEvent, IpcMainInvokeEvent } from 'electron'
import { isOwnPage } from './pages.ts'

/** True for the top frame of one of our own pages, and nothing embedded in it or navigated to. */
export function isOwnSender({ senderFrame }: IpcMainEvent | IpcMainInvokeEvent): boolean {
  return senderFrame !== null && senderFrame.parent === null && isOwnPage(senderFrame.url)
}
