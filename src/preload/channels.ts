/** Names of the IPC messages between the preload script and the Electron host. */
export const CHANNELS = {
  /** A page has loaded, with its name: page -> host. The host then drops what it still had to send to the previous page. */
  hello: 'driftline:hello',
  /** The name of the page and a frame of the contract (contract/wire.ts), in both directions. */
  frame: 'driftline:frame',
  /** The name of the page and a menu command: host -> page. */
  command: 'driftline:command',
  chooseFolder: 'driftline:choose-folder',
  reveal: 'driftline:reveal',
  setTheme: 'driftline:set-theme',
  /** The fragment of an address: page -> host. */
  openWindow: 'driftline:open-window',
  /** Absolute paths of files that are dragged out of the page: page -> host. */
  dragFiles: 'driftline:drag-files'
} as const
