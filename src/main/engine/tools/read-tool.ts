/** read_file: the lines of a text file as they are, one part at a time. Of a secret file only its size is returned. */
import { followLink, type PathBounds, refusal, resolveNamedPath } from '../files/named-path.ts'
import { looksSecret } from '../files/secret-path.ts'
import { readFileBytes } from './file-bytes.ts'
import type { PreparedUse, UseOf } from './prepared-use.ts'
import { textOfBytes } from './text-bytes.ts'
import { textLines } from './text-lines.ts'

/** Limits of one answer, in lines and UTF-16 units. */
const MAX_LINES = 2000
const MAX_UNITS = 200_000

/** `from`: first line, from 1. `lines`: how many. */
export function readFile(bounds: PathBounds, use: UseOf<'read_file'>): PreparedUse['answer'] {
  const link = resolveNamedPath(bounds, use.path)
  const named = followLink(bounds, link)
  const { path } = named
  const { bytes } = readFileBytes(bounds.root, named, 'to read')
  const secret = looksSecret(path) || looksSecret(link.path)
  const answer = { paths: [path], bytes: bytes.length, secret }
  const file = textOfBytes(bytes)
  if (secret) {
    const lines = file ? textLines(file.text).count : 0
    return {
      ...answer,
      outcome: { code: 'secret', lines }
    }
  }
  if (!file) throw refusal('binary', `${path} is not text (${bytes.length} bytes).`, { path, bytes: bytes.length })
  const all = textLines(file.text)
  // An empty last line is only the end of the line before it.
  const lines = all.count - (file.text === '' || all.ends[all.count - 1] === all.starts[all.count - 1] ? 1 : 0)
  const first = Math.min(use.from ?? 1, Math.max(lines, 1))
  let last = Math.min(lines, first - 1 + Math.min(use.lines ?? MAX_LINES, MAX_LINES))
  while (last > first && (all.ends[last - 1] as number) - (all.starts[first - 1] as number) > MAX_UNITS) last--
  const to = last < all.count ? (all.starts[last] as number) : file.text.length
  const content = file.text.slice(all.starts[first - 1], Math.max(to, 0))
  if (content.length > 2 * MAX_UNITS)
    throw refusal('too-large', `Line ${first} of ${path} is too long to be shown.`, { path })
  return {
    ...answer,
    outcome: { code: 'read' },
    text: { content, firstLine: first, lastLine: last, lines }
  }
}
