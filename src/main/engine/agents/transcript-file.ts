/** Reads records from a part of a transcript that is read step by step, as the agent writes it. */
import { readSlice } from './agent-files.ts'
import { type Fields, parseRecord } from './payload.ts'
import { truncateTexts } from './truncate-texts.ts'

/** The longest line, and the most that is read at a time, bytes. */
export const MAX_READ_BYTES = 8 * 1024 * 1024

const LINE_FEED = 0x0a

interface TranscriptPart {
  readonly records: readonly TranscriptRecord[]
  /** Offset of its end, bytes. */
  readonly upTo: number
  /** Nothing follows but a line that is still being written. */
  readonly isLast: boolean
  /** It is the start of a line that is too long to be read. */
  readonly skipped: boolean
}

export interface TranscriptRecord {
  /** Offset of its line in the transcript, bytes. */
  readonly at: number
  /** The unchanged line. */
  readonly text: string
  readonly fields: Fields
}

/**
 * The records of the complete lines behind `from`, in about `length` bytes, and of one line at least; null when there
 * are none yet.
 */
export function readLines(
  descriptor: number,
  from: number,
  size: number,
  length = MAX_READ_BYTES
): TranscriptPart | null {
  const bytes = readSlice(descriptor, from, Math.min(length, size - from))
  if (!bytes.includes(LINE_FEED) && bytes.length === length && length < MAX_READ_BYTES)
    return readLines(descriptor, from, size, Math.min(length * 4, MAX_READ_BYTES))
  const records: TranscriptRecord[] = []
  let start = 0
  for (let end = bytes.indexOf(LINE_FEED); end >= 0; end = bytes.indexOf(LINE_FEED, start)) {
    records.push(...parse(bytes.subarray(start, end), from + start))
    start = end + 1
  }
  const isLast = from + bytes.length >= size
  if (start > 0) return { records, upTo: from + start, isLast, skipped: false }
  // Skip the start of a line that is longer than one read; an unfinished line is read again later.
  return bytes.length === MAX_READ_BYTES ? { records, upTo: from + MAX_READ_BYTES, isLast, skipped: true } : null
}

/** The only record of a transcript that is one JSON document; null while it is not complete. */
export function readDocument(descriptor: number, size: number): TranscriptPart | null {
  const records = size > MAX_READ_BYTES ? [] : parse(readSlice(descriptor, 0, size), 0)
  return records.length > 0 ? { records, upTo: size, isLast: true, skipped: false } : null
}

/** One record, or none when the bytes hold no JSON object. */
function parse(bytes: Buffer, at: number): TranscriptRecord[] {
  const text = truncateTexts(bytes).toString('utf8')
  const fields = parseRecord(text)
  return Object.keys(fields).length > 0 ? [{ at, text, fields }] : []
}
