/** The API that the Electron preload exposes on `window`. */

export interface DriftlineBridge {
  readonly kind: 'electron'
  readonly platform: string
  send(frame: string): void
  onFrame(listener: (frame: string) => void): () => void
  pathForFile(file: File): string
  chooseFolder(): Promise<string | null>
  reveal(path: string): Promise<void>
  openInEditor(path: string): Promise<void>
  onCommand(listener: (name: string) => void): () => void
  setTheme(theme: 'system' | 'light' | 'dark'): void
}

declare global {
  interface Window {
    readonly driftline?: DriftlineBridge
  }
}
