/**
 * Bundles on their way: one that was made waits in the data folder until a client has fetched it in pieces, and one that a
 * browser sends waits there until it is whole. Each is deleted by the client, or a day later if that was killed.
 */
import { closeSync, createWriteStream, mkdirSync, openSync, readdirSync, statSync, writeSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type { MadeBundle } from '../../../contract/bundle.ts'
import { DriftlineError } from '../../../contract/errors.ts'
import { ifExists } from '../files/fs-errors.ts'
import { removeFile } from '../files/remove.ts'
import { newId } from '../store/ids.ts'
import type { Store } from '../store/open-store.ts'
import { type BundleRequest, bundleLines } from './bundle-lines.ts'
import { noCounts } from './content-lines.ts'
import { BUNDLE_LIMITS } from './line-schema.ts'

const LEFT_MS = 24 * 60 * 60_000
const PIECE = 1024 * 1024
const MOST_NAMED = 20

export type BundleFiles = ReturnType<typeof createBundleFiles>

/** `folder`: made when it is needed. */
export function createBundleFiles(folder: string, now: () => number) {
  const fileOf = (id: string): string => {
    if (!/^bundle_[0-9a-z]{12}$/.test(id)) throw unknownBundle(id)
    return join(folder, id)
  }
  const create = (): string => {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    for (const name of readdirSync(folder)) {
      const file = join(folder, name)
      if ((ifExists(() => statSync(file).mtimeMs) ?? now()) < now() - LEFT_MS) removeFile(file)
    }
    return newId('bundle')
  }
  const drop = (id: string): void => removeFile(fileOf(id))
  return {
    fileOf,
    drop,
    make: async (store: Store, request: BundleRequest): Promise<MadeBundle> => {
      const id = create()
      const file = fileOf(id)
      const counts = noCounts()
      const text = async function* () {
        for await (const line of bundleLines(store, request, counts)) yield `${JSON.stringify(line)}\n`
      }
      try {
        await pipeline(Readable.from(text()), createGzip(), createWriteStream(file, { mode: 0o600, flags: 'wx' }))
      } catch (error) {
        drop(id)
        throw error
      }
      const { hidden, ...numbers } = counts
      return {
        bundle: id,
        title: request.run.name,
        bytes: statSync(file).size,
        ...numbers,
        maskedLines: request.mask.masked,
        hiddenFiles: hidden.size,
        hidden: [...hidden].sort().slice(0, MOST_NAMED)
      }
    },
    /** The piece from `at` on, bytes. Throws UnknownTarget. */
    fetch: async (id: string, at: number): Promise<{ readonly base64: string; readonly end: boolean }> => {
      const file = await open(fileOf(id)).catch(() => {
        throw unknownBundle(id)
      })
      try {
        const { buffer, bytesRead } = await file.read(Buffer.alloc(PIECE), 0, PIECE, at)
        return { base64: buffer.toString('base64', 0, bytesRead), end: bytesRead < PIECE }
      } finally {
        await file.close()
      }
    },
    /** Appends a piece; `id` null begins a file. Throws UnknownTarget, and Refused for one that is too large. */
    put: (id: string | null, at: number, bytes: Buffer): string => {
      const upload = id ?? create()
      const file = fileOf(upload)
      const size = id === null ? 0 : ifExists(() => statSync(file).size)
      if (size !== at) throw unknownBundle(upload)
      if (at + bytes.length > BUNDLE_LIMITS.bytes) {
        drop(upload)
        throw new DriftlineError('Refused', 'This file is too large for a bundle. Nothing was opened.', {})
      }
      const handle = openSync(file, id === null ? 'wx' : 'a', 0o600)
      try {
        writeSync(handle, bytes)
      } finally {
        closeSync(handle)
      }
      return upload
    }
  }
}

function unknownBundle(id: string): DriftlineError {
  return new DriftlineError('UnknownTarget', 'That bundle is not here any more. Make or send it again.', { bundle: id })
}
