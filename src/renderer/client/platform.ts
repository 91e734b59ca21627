/** What the host offers besides the engine's contract: a channel, folder dialogs, the system's file manager. */
import type { Channel } from '../../contract/wire.ts'

/** Called by the platform when a channel opens and closes. */
export interface ChannelEvents {
  readonly opened: () => void
  readonly closed: () => void
  /** After `closed`: a recorder answers here and refused this page's key. */
  readonly refused: () => void
}

export interface Platform {
  readonly kind: 'electron' | 'browser'
  /** Starts a new connection; frames sent before it is open are queued. */
  connect(events: ChannelEvents): Channel
  /** Absolute path of a dropped file or folder, "" if the host cannot know it. */
  pathForFile(file: File): string
  /** The system's folder dialog; null if it was cancelled. Absent in a browser. */
  chooseFolder?(): Promise<string | null>
  /** Shows a path in the system's file manager. */
  reveal?(path: string): Promise<void>
  /** Menu commands of the host, by command id. */
  onCommand?(listener: (id: string) => void): () => void
  /** Opens a window, in a browser a tab, that shows the address with this fragment; "" shows the welcome page. */
  openWindow(fragment: string): void
  /** Continues a drag with the files themselves: absolute paths. Absent in a browser. */
  dragFiles?(paths: readonly string[]): void
  setTheme?(theme: 'system' | 'light' | 'dark'): void
  /** Workspace to open first, "" for none. */
  readonly openFirst: string
}

/** Of what opens a window of its own. */
export function openApartLabel({ kind }: Pick<Platform, 'kind'>): string {
  return kind === 'electron' ? 'Open in a new window' : 'Open in a new tab'
}
