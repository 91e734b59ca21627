/**
 * Texts so long that passing them on would cost an agent its time: their middles are left out of an event's JSON before
 * anything is decoded, and the same way out of a transcript's, so that its words are known again. The first words, the last
 * ones and every other value stay.
 */

/** Bytes of JSON. What a person or an agent writes stays far below. */
const MAX_TEXT_BYTES = 4 * 1024 * 1024
/** Of a whole event. */
const MAX_EVENT_BYTES = 32 * 1024 * 1024
const QUOTE = 0x22
const BACKSLASH = 0x5c

/** The event with short enough texts; the very buffer when they were. */
export function truncateTexts(json: Buffer): Buffer {
  let short = json.length > MAX_TEXT_BYTES ? cutMiddles(json, MAX_TEXT_BYTES) : json
  for (let longest = MAX_TEXT_BYTES / 4; short.length > MAX_EVENT_BYTES && longest > 1024; longest /= 4)
    short = cutMiddles(short, longest)
  return short
}

/** Whether a text of an event lost its middle. */
export function isTruncated(text: string): boolean {
  return /\n\[… \d+ kB left out by Driftline …\]\n/.test(text)
}

function cutMiddles(json: Buffer, longest: number): Buffer {
  const kept: Buffer[] = []
  let from = 0
  for (let open = json.indexOf(QUOTE); open !== -1; ) {
    const start = open + 1
    const end = findStringEnd(json, start)
    // Half an event.
    if (end === -1) break
    if (end - start > longest) {
      const head = nextCharacterBoundary(json, start, start + longest * 0.75)
      const tail = nextCharacterBoundary(json, start, end - longest * 0.25)
      const left = Math.round((tail - head) / 1000)
      kept.push(json.subarray(from, head), Buffer.from(`\\n[… ${left} kB left out by Driftline …]\\n`))
      from = tail
    }
    open = json.indexOf(QUOTE, end + 1)
  }
  return from === 0 ? json : Buffer.concat([...kept, json.subarray(from)])
}

function findStringEnd(json: Buffer, start: number): number {
  let end = json.indexOf(QUOTE, start)
  while (end !== -1 && isEscaped(json, start, end)) end = json.indexOf(QUOTE, end + 1)
  return end
}

/** Whether an odd number of backslashes stands before `at`. */
function isEscaped(json: Buffer, start: number, at: number): boolean {
  let first = at
  while (first > start && json[first - 1] === BACKSLASH) first--
  return (at - first) % 2 === 1
}

/** The first place from `at` on that lies neither in an escape nor in a character of several bytes. */
function nextCharacterBoundary(json: Buffer, start: number, at: number): number {
  for (let before = at - 1; before > at - 6; before--) {
    if (json[before] !== BACKSLASH || isEscaped(json, start, before)) continue
    const length = json[before + 1] === 0x75 ? 6 : 2
    if (before + length > at) return before + length
  }
  let place = at
  while (((json[place] as number) & 0xc0) === 0x80) place++
  return place
}
