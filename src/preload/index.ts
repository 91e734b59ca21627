/** The one object a page in Electron gets: frames to the engine, and what only the system's shell can do. */
import { contextBridge, ipcRenderer, webUtils } from 'electron'
import { CHANNELS } from './channels.ts'

type Theme = 'system' | 'light' | 'dark'

/** Delivers to the newest listener; what comes before the first one waits for it. */
function inbox(channel: string): (listener: (text: string) => void) => () => void {
  let current: ((text: string) => void) | null = null
  const waiting: string[] = []
  ipcRenderer.on(channel, (_event, text: string) => {
    if (current) current(text)
    else waiting.push(text)
  })
  return (listener) => {
    current = listener
    for (const text of waiting.splice(0)) listener(text)
    return () => {
      if (current === listener) current = null
    }
  }
}

contextBridge.exposeInMainWorld('driftline', {
  kind: 'electron',
  platform: process.platform,
  send: (frame: string): void => ipcRenderer.send(CHANNELS.frame, frame),
  onFrame: inbox(CHANNELS.frame),
  onCommand: inbox(CHANNELS.command),
  /** The path of a dropped or chosen file, "" for one made by script. */
  pathForFile: (file: File): string => webUtils.getPathForFile(file),
  chooseFolder: (): Promise<string | null> => ipcRenderer.invoke(CHANNELS.chooseFolder),
  reveal: (path: string): Promise<void> => ipcRenderer.invoke(CHANNELS.reveal, path),
  openInEditor: (path: string): Promise<void> => ipcRenderer.invoke(CHANNELS.openInEditor, path),
  setTheme: (theme: Theme): void => ipcRenderer.send(CHANNELS.setTheme, theme)
})

ipcRenderer.send(CHANNELS.hello)
