/** What the window's host offers beyond the contract: a channel, folders, the system's file manager. */
import type { Channel } from '../../contract/wire.ts'

/** Told by the platform as a channel comes and goes. */
export interface ChannelEvents {
  readonly opened: () => void
  readonly closed: () => void
}

export interface Platform {
  readonly kind: 'electron' | 'browser'
  /** Starts a new connection; frames sent before it is open wait. */
  connect(events: ChannelEvents): Channel
  /** Absolute path of a dropped file or folder, "" where the host may not know it. */
  pathForFile(file: File): string
  /** The system's folder dialog; null when it was cancelled. Absent in a browser. */
  chooseFolder?(): Promise<string | null>
  /** Shows a path in the system's file manager. */
  reveal?(path: string): Promise<void>
  openInEditor?(path: string): Promise<void>
  /** Menu commands of the host, by command id. */
  onCommand?(listener: (id: string) => void): () => void
  setTheme?(theme: 'system' | 'light' | 'dark'): void
  /** Workspace the host asks to open first, "" for none. */
  readonly openFirst: string
}
