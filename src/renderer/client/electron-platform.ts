/** The window inside Electron: frames go through the preload's bridge. */
import type { DriftlineBridge } from './bridge.ts'
import { readFragment } from './fragment.ts'
import type { Platform } from './platform.ts'

export function electronPlatform(bridge: DriftlineBridge): Platform {
  const { open } = readFragment(location.hash)
  // Used once: a reload opens the last workspace instead.
  if (open) history.replaceState(null, '', location.pathname + location.search)
  return {
    kind: 'electron',
    openFirst: open,
    connect(events) {
      let stop = () => {}
      queueMicrotask(events.opened)
      return {
        send: (frame) => bridge.send(frame),
        onFrame: (listener) => {
          stop()
          stop = bridge.onFrame(listener)
        },
        // The bridge lives as long as the window does.
        onClose: () => {}
      }
    },
    pathForFile: (file) => bridge.pathForFile(file),
    chooseFolder: () => bridge.chooseFolder(),
    reveal: (path) => bridge.reveal(path),
    openInEditor: (path) => bridge.openInEditor(path),
    onCommand: (listener) => bridge.onCommand(listener),
    setTheme: (theme) => bridge.setTheme(theme)
  }
}
