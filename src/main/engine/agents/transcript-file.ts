/** Reads records from a part of a transcript that is read step by step, as the agent writes it. */
import { readSlice } from './agent-files.ts'
import { type Fields, parseRecord } from './payload.ts'
import { truncateTexts } from './truncate-texts.ts'

/** Bytes read at a time; the rest is read at the next event. */
export const MAX_READ_BYTES = 8 * 1024 * 1024

const LINE_FEED = 0x0a

interface TranscriptPart {
  readonly records: readonly TranscriptRecord[]
  /** Offset of its end, bytes. */
  readonly upTo: number
}

export interface TranscriptRecord {
  /** Offset of its line in the transcript, bytes. */
  readonly at: number
  /** The unchanged line. */
  readonly text: string
  readonly fields: Fields
}

/** The records of the complete lines behind `from`; null when there are none yet. */
export function readLines(descriptor: number, from: number, size: number): TranscriptPart | null {
  const bytes = readSlice(descriptor, from, Math.min(MAX_READ_BYTES, size - from))
  const records: TranscriptRecord[] = []
  let start = 0
  for (let end = bytes.indexOf(LINE_FEED); end >= 0; end = bytes.indexOf(LINE_FEED, start)) {
    records.push(...parse(bytes.subarray(start, end), from + start))
    start = end + 1
  }
  if (start > 0) return { records, upTo: from + start }
  // Skip the start of a line that is longer than one read; an unfinished line is read again later.
  return bytes.length === MAX_READ_BYTES ? { records, upTo: from + MAX_READ_BYTES } : null
}

/** The only record of a transcript that is one JSON document; null while it is not complete. */
export function readDocument(descriptor: number, size: number): TranscriptPart | null {
  const records = size > MAX_READ_BYTES ? [] : parse(readSlice(descriptor, 0, size), 0)
  return records.length > 0 ? { records, upTo: size } : null
}

/** One record, or none when the bytes hold no JSON object. */
function parse(bytes: Buffer, at: number): TranscriptRecord[] {
  const text = truncateTexts(bytes).toString('utf8')
  const fields = parseRecord(text)
  return Object.keys(fields).length > 0 ? [{ at, text, fields }] : []
}
