/**
 * Cuts the middle out of very long JSON strings, in events before they are decoded (decoding would cost the agent
 * time) and in transcripts, so that the same text is recognised in both. The start and the end of the string and
 * every other value stay. Works on raw bytes: cuts must not split an escape sequence or a UTF-8 character.
 */

/** Longest string, bytes of JSON. What users and agents write stays far below. */
const MAX_TEXT_BYTES = 4 * 1024 * 1024
/** Longest event, bytes. A longer one gets shorter strings, down to 1 kB each. */
const MAX_EVENT_BYTES = 32 * 1024 * 1024
const QUOTE = 0x22
const BACKSLASH = 0x5c

/** The event with truncated strings; the same buffer when none is too long. */
export function truncateTexts(json: Buffer): Buffer {
  let result = json.length > MAX_TEXT_BYTES ? cutMiddles(json, MAX_TEXT_BYTES) : json
  for (let longest = MAX_TEXT_BYTES / 4; result.length > MAX_EVENT_BYTES && longest > 1024; longest /= 4)
    result = cutMiddles(result, longest)
  return result
}

/** The mark in place of bytes that were cut out of a JSON string. */
export function leftOut(bytes: number): string {
  return `\\n[… ${Math.round(bytes / 1000)} kB left out by Driftline …]\\n`
}

/** Whether a text was truncated. */
export function isTruncated(text: string): boolean {
  return /\n\[… \d+ kB left out by Driftline …\]\n/.test(text)
}

/** Keeps the first three quarters of `longest` and the last quarter. */
function cutMiddles(json: Buffer, longest: number): Buffer {
  const kept: Buffer[] = []
  let from = 0
  for (let open = json.indexOf(QUOTE); open !== -1; ) {
    const start = open + 1
    const end = findStringEnd(json, start)
    // Unterminated string: the event is incomplete.
    if (end === -1) break
    if (end - start > longest) {
      const head = nextCharacterBoundary(json, start, start + longest * 0.75)
      const tail = nextCharacterBoundary(json, start, end - longest * 0.25)
      kept.push(json.subarray(from, head), Buffer.from(leftOut(tail - head)))
      from = tail
    }
    open = json.indexOf(QUOTE, end + 1)
  }
  return from === 0 ? json : Buffer.concat([...kept, json.subarray(from)])
}

/** Offset of the closing quote; -1 when there is none. */
function findStringEnd(json: Buffer, start: number): number {
  let end = json.indexOf(QUOTE, start)
  while (end !== -1 && isEscaped(json, start, end)) end = json.indexOf(QUOTE, end + 1)
  return end
}

/** Whether `at` is preceded by an odd number of backslashes. */
function isEscaped(json: Buffer, start: number, at: number): boolean {
  let first = at
  while (first > start && json[first - 1] === BACKSLASH) first--
  return (at - first) % 2 === 1
}

/**
 * The first offset from `at` on that is inside neither an escape sequence (`\n`, `\u0041`) nor a multi-byte UTF-8
 * character.
 */
function nextCharacterBoundary(json: Buffer, start: number, at: number): number {
  for (let before = at - 1; before > at - 6; before--) {
    if (json[before] !== BACKSLASH || isEscaped(json, start, before)) continue
    const length = json[before + 1] === 0x75 ? 6 : 2
    if (before + length > at) return before + length
  }
  let boundary = at
  while (((json[boundary] as number) & 0xc0) === 0x80) boundary++
  return boundary
}
