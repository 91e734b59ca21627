/** The window inside Electron: frames go through the preload's bridge. */
import type { DriftlineBridge } from './bridge.ts'
import type { Platform } from './platform.ts'

export function electronPlatform(bridge: DriftlineBridge): Platform {
  return {
    kind: 'electron',
    openFirst: new URLSearchParams(location.hash.slice(1)).get('open') ?? '',
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
