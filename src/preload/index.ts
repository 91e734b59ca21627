/**
 * The only object that a page in Electron gets, `window.driftline`: frames to the engine, and what needs the operating
 * system's shell. The page is sandboxed and isolated, so nothing else of Electron or Node reaches it.
 */
import { contextBridge, ipcRenderer, webUtils } from 'electron'
import { CHANNELS } from './channels.ts'

type Theme = 'system' | 'light' | 'dark'

/** Names this page: a reloaded page starts to count its calls anew, and must not get an answer to its predecessor's. */
const PAGE = String(Math.random())

/** Delivers what is for this page to the newest listener. Messages that arrive while there is none are queued. */
function inbox(channel: string): (listener: (text: string) => void) => () => void {
  let current: ((text: string) => void) | null = null
  const queued: string[] = []
  ipcRenderer.on(channel, (_event, page: string, text: string) => {
    if (page !== PAGE) return
    if (current) current(text)
    else queued.push(text)
  })
  return (listener) => {
    current = listener
    for (const text of queued.splice(0)) listener(text)
    return () => {
      if (current === listener) current = null
    }
  }
}

contextBridge.exposeInMainWorld('driftline', {
  kind: 'electron',
  platform: process.platform,
  send: (frame: string): void => ipcRenderer.send(CHANNELS.frame, PAGE, frame),
  onFrame: inbox(CHANNELS.frame),
  onCommand: inbox(CHANNELS.command),
  /** Path of a dropped or chosen file; "" for one that a script created. */
  pathForFile: (file: File): string => webUtils.getPathForFile(file),
  chooseFolder: (): Promise<string | null> => ipcRenderer.invoke(CHANNELS.chooseFolder),
  reveal: (path: string): Promise<void> => ipcRenderer.invoke(CHANNELS.reveal, path),
  setTheme: (theme: Theme): void => ipcRenderer.send(CHANNELS.setTheme, theme),
  openWindow: (fragment: string): void => ipcRenderer.send(CHANNELS.openWindow, fragment),
  dragFiles: (paths: string[]): void => ipcRenderer.send(CHANNELS.dragFiles, paths)
})

ipcRenderer.send(CHANNELS.hello, PAGE)
