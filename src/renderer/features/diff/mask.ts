/** Hides the values of secret-looking files while leaving visible which lines changed. Pure. */

const DOTS = '••••••••••'
const ASSIGNMENT = /^(\s*(?:export\s+)?["']?[A-Za-z_][\w.-]*["']?\s*[=:]\s*)(\S.*)$/
const QUIET = /^\s*(#|;|\/\/|-----(BEGIN|END) |\[|$)/

/**
 * Both texts with their values replaced by dots and a tag. Equal values get the same tag and different ones
 * different tags, so a changed value still shows as a changed line; nothing of the value is in the tag.
 */
export function maskSecrets(before: string, after: string): { readonly before: string; readonly after: string } {
  const tags = new Map<string, string>()
  const tagOf = (value: string) => {
    const known = tags.get(value)
    if (known) return known
    const tag = (tags.size + 1).toString(36)
    tags.set(value, tag)
    return tag
  }
  const mask = (text: string) =>
    text
      .split('\n')
      .map((line) => {
        const end = line.endsWith('\r') ? '\r' : ''
        const body = end ? line.slice(0, -1) : line
        if (QUIET.test(body)) return line
        const parts = ASSIGNMENT.exec(body)
        const [, name = '', value = body] = parts ?? []
        return `${name}${DOTS}${tagOf(value.trim())}${end}`
      })
      .join('\n')
  return { before: mask(before), after: mask(after) }
}
