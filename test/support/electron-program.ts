/** The Electron that tests start. */
import { resolve } from 'node:path'
import { electronBinary } from '../../scripts/electron-binary.mjs'

/** The real binary if it is installed and can show a window, else the stand-in. */
export function electronProgram(): { readonly path: string; readonly real: boolean } {
  const canShow = process.platform !== 'linux' || process.env.DISPLAY || process.env.WAYLAND_DISPLAY
  const real = canShow ? electronBinary() : undefined
  return { path: real ?? resolve(import.meta.dirname, 'electron-shim/electron'), real: real !== undefined }
}
