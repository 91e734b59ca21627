/** The program that the launcher starts. */
export interface LauncherTarget {
  /** Path of Node, or of Electron running as Node. */
  readonly node: string
  readonly isElectron: boolean
  /**
   * The AppImage this process runs from, if any. It is mounted at another path at each start; only its own path is
   * stable.
   */
  readonly appImage: string | null
  /** Path of the command line's program. */
  readonly cli: string
}
