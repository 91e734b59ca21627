/**
 * Reads the lines of a bundle, gzip of JSON lines, with bounded memory: an archive that unpacks to more than the limit, a
 * line that is longer, and a line out of order end the reading.
 */
import { createReadStream } from 'node:fs'
import { createGunzip } from 'node:zlib'
import { DriftlineError } from '../../../contract/errors.ts'
import { errorCode, isNotFound } from '../files/fs-errors.ts'
import {
  BUNDLE_LIMITS,
  BUNDLE_VERSION,
  type BundleHeader,
  type BundleLine,
  bundleVersionOf,
  parseHeader,
  parseLine,
  rankOf
} from './line-schema.ts'

/** The first line tells whether a file is a bundle; nothing after it is unpacked if it is none. */
const MOST_HEADER = 256 * 1024

export interface BundleReader {
  readonly header: BundleHeader
  /** The lines after the header, the last one included. */
  readonly lines: AsyncIterable<BundleLine>
}

/** Throws Refused for what is no bundle, is damaged, or was made by a later version; and for a file that cannot be read. */
export async function readBundle(file: string): Promise<BundleReader> {
  const lines = textLines(file)
  const first = await lines.next()
  const text = first.done === true ? '' : first.value
  const version = bundleVersionOf(text)
  if (version === null) throw noBundle(file)
  if (version > BUNDLE_VERSION) throw newerBundle(file)
  const header = parseHeader(text)
  if (!header) throw badBundle('its first line has unknown or wrong values')
  return { header, lines: checkedLines(lines) }
}

async function* checkedLines(lines: AsyncIterable<string>): AsyncGenerator<BundleLine, void> {
  let rank = 0
  let count = 1
  let ofSection = 0
  let ended = false
  for await (const text of lines) {
    const line = parseLine(text)
    count++
    if (!line || ended) throw badBundle(`line ${count} is unknown or has wrong values`)
    const next = rankOf(line.section)
    if (next < rank) throw badBundle(`line ${count} is out of order`)
    ofSection = next === rank ? ofSection + 1 : 1
    rank = next
    if (ofSection > BUNDLE_LIMITS.lines) throw badBundle(`it has more than ${BUNDLE_LIMITS.lines} lines of one kind`)
    ended = line.section === 'end'
    if (line.section === 'end' && line.value.lines !== count - 1) throw badBundle('lines are missing')
    yield line
  }
  if (!ended) throw badBundle('its end is missing')
}

async function* textLines(file: string): AsyncGenerator<string, void> {
  const packed = createReadStream(file)
  const unpacked = createGunzip()
  packed.on('error', (error) => unpacked.destroy(error))
  packed.pipe(unpacked)
  let bytes = 0
  let parts: Buffer[] = []
  let length = 0
  let isFirst = true
  try {
    for await (const chunk of unpacked as AsyncIterable<Buffer>) {
      bytes += chunk.length
      if (bytes > BUNDLE_LIMITS.bytes) throw badBundle(`it unpacks to more than ${BUNDLE_LIMITS.bytes / 2 ** 20} MB`)
      let from = 0
      for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
        yield Buffer.concat([...parts, chunk.subarray(from, end)]).toString('utf8')
        isFirst = false
        parts = []
        length = 0
        from = end + 1
      }
      parts.push(chunk.subarray(from))
      length += chunk.length - from
      if (length > (isFirst ? MOST_HEADER : BUNDLE_LIMITS.line))
        throw isFirst ? noBundle(file) : badBundle('a line is too long')
    }
    if (length > 0) throw isFirst ? noBundle(file) : badBundle('its last line is cut')
  } catch (error) {
    throw readable(error, file, isFirst)
  } finally {
    packed.destroy()
    unpacked.destroy()
  }
}

function readable(error: unknown, file: string, isFirst: boolean): unknown {
  if (error instanceof DriftlineError) return error
  const code = errorCode(error)
  if (code.startsWith('Z_')) return isFirst ? noBundle(file) : badBundle('it is incomplete or was changed')
  if (code === '') return error
  if (isNotFound(error))
    return new DriftlineError('UnknownTarget', `There is nothing at ${file}. Nothing was changed. Check the path.`, {
      file
    })
  if (code === 'EISDIR') return noBundle(file)
  return new DriftlineError('Refused', `Couldn’t read ${file} (${code}). Nothing was changed.`, { file })
}

function noBundle(file: string): DriftlineError {
  return new DriftlineError('Refused', `${file} is not a bundle of Driftline. Nothing was opened.`, { file })
}

function newerBundle(file: string): DriftlineError {
  const message = `${file} was made by a newer version of Driftline. Nothing was opened. Update Driftline, then open it again.`
  return new DriftlineError('Refused', message, { file })
}

/** `what`: completes a sentence. */
export function badBundle(what: string): DriftlineError {
  const message = `This bundle is damaged or was not made by Driftline: ${what}. Nothing was opened. Ask for a new one.`
  return new DriftlineError('Refused', message, {})
}
