/** Masks the values in files that look like secrets; which lines changed stays visible. Pure. */

const DOTS = '••••••••••'
const ASSIGNMENT = /^(\s*(?:export\s+)?["']?[A-Za-z_][\w.-]*["']?\s*[=:]\s*)(\S.*)$/
/** Comments, section heads, PEM boundaries and empty lines hold no value. */
const NO_VALUE = /^\s*(#|;|\/\/|-----(BEGIN|END) |\[|$)/

/**
 * Replaces the values of both texts by dots and a tag. Equal values get the same tag and different values different
 * tags, so that a changed value is still a changed line. The tag is a running number and reveals nothing of the value.
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
        if (NO_VALUE.test(body)) return line
        const parts = ASSIGNMENT.exec(body)
        const [, name = '', value = body] = parts ?? []
        return `${name}${DOTS}${tagOf(value.trim())}${end}`
      })
      .join('\n')
  return { before: mask(before), after: mask(after) }
}
