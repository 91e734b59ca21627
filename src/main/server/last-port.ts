/**
 * The port of the last host in this data folder. A browser keeps drafts, layout and reviewed files by address, so the
 * next host takes the same port, if it is free.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { log } from '../engine/ports/log.ts'

const portFile = (dataDir: string): string => join(dataDir, 'port')

/** 0 if none is known. */
export function readLastPort(dataDir: string): number {
  try {
    const port = Number(readFileSync(portFile(dataDir), 'utf8'))
    return Number.isInteger(port) && port > 0 && port <= 65_535 ? port : 0
  } catch {
    // Expected: ENOENT, the first host here. Any other failure costs a new address.
    return 0
  }
}

/** A data folder that is full keeps none. */
export function writeLastPort(dataDir: string, port: number): void {
  try {
    writeFileSync(portFile(dataDir), `${port}\n`, { mode: 0o600 })
  } catch (error) {
    log.warn(`the port could not be noted (${(error as NodeJS.ErrnoException).code ?? ''})`)
  }
}
