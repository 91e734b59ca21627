/**
 * How a page that was connected to an earlier host of this data folder gets the token of this one.
 *
 * While a host is down, a program of another user may listen at its port: a page must send it nothing that the next host
 * accepts. So a connected page gets a key that every host of the data folder knows, keeps it in memory alone, and never
 * sends it. The next host hands out its token encrypted with it, for one address and one number that the page chose: who
 * has no key can neither read an answer nor make one, and an answer that is passed on or repeated opens nowhere.
 */
import { createCipheriv, randomBytes } from 'node:crypto'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { log } from '../engine/ports/log.ts'

const KEY_BYTES = 32
const IV_BYTES = 12

/** The key of this data folder, made at its first host. A data folder that is full keeps none. */
export function readPageKey(dataDir: string): Buffer {
  const file = join(dataDir, 'page.key')
  try {
    const key = readFileSync(file)
    if (key.length === KEY_BYTES) return key
  } catch {
    // Expected: ENOENT, the first host here. Any other failure costs open pages their connection.
  }
  const key = randomBytes(KEY_BYTES)
  try {
    // Not through a link, and with the mode of a new file.
    rmSync(file, { force: true })
    writeFileSync(file, key, { flag: 'wx', mode: 0o600 })
  } catch (error) {
    log.warn(`the key of pages could not be kept (${(error as NodeJS.ErrnoException).code ?? ''})`)
  }
  return key
}

/** `text` for the page at `host` that chose `nonce`: the bytes that `crypto.subtle` decrypts, after their IV, in base64url. */
export function sealFor(key: Buffer, host: string, nonce: string, text: string): string {
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(`${host} ${nonce}`))
  return Buffer.concat([iv, cipher.update(text), cipher.final(), cipher.getAuthTag()]).toString('base64url')
}
