/** Names of the messages between the preload and the Electron host. */
export const CHANNELS = {
  /** A page has loaded: page -> host. Ends the frames of the page before it. */
  hello: 'driftline:hello',
  /** A frame of the contract, both ways. */
  frame: 'driftline:frame',
  /** A menu command: host -> page. */
  command: 'driftline:command',
  chooseFolder: 'driftline:choose-folder',
  reveal: 'driftline:reveal',
  openInEditor: 'driftline:open-in-editor',
  setTheme: 'driftline:set-theme'
} as const
