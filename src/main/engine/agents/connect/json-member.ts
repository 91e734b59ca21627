/** Reads, sets and removes one named value inside an object of a JSON text; every other byte stays. */
import { appendEntry, formatJson, indentUnitOf, removeEntry } from './json-edit.ts'
import { findMember, parseSpans, type Span } from './json-spans.ts'

/**
 * The text with `object.name` set to this value, in place of one that `isOurs`. Throws JsonSyntaxError, or TypeError
 * when the value belongs to someone else or the shape is unexpected.
 */
export function setMember(
  before: string,
  object: string,
  name: string,
  value: unknown,
  isOurs: (value: unknown) => boolean
): string {
  const current = getMember(before, object, name)
  if (current !== undefined) {
    if (!isOurs(current)) throw new TypeError(`"${object}.${name}" was not added by Driftline`)
    if (JSON.stringify(current) === JSON.stringify(value)) return before
  }
  const text = current === undefined ? (before.trim() === '' ? '{}\n' : before) : removeMember(before, object, name)
  const root = parseSpans(text)
  if (root.type !== 'object') throw new TypeError('the file is not a JSON object')
  const unit = indentUnitOf(text)
  const inside = findMember(root, object)
  if (!inside)
    return appendEntry(
      text,
      root,
      (indent) => `${JSON.stringify(object)}: ${formatJson({ [name]: value }, indent, unit)}`
    )
  if (inside.type !== 'object') throw new TypeError(`"${object}" is not an object`)
  return appendEntry(text, inside, (indent) => `${JSON.stringify(name)}: ${formatJson(value, indent, unit)}`)
}

/** The value of `object.name`; undefined when there is none. Throws JsonSyntaxError. */
export function getMember(text: string, object: string, name: string): unknown {
  if (text.trim() === '') return undefined
  const inside = findMember(parseSpans(text), object)
  const found = inside && findMember(inside, name)
  return found ? toValue(found) : undefined
}

/** The text without `object.name`, and without the object when it becomes empty. Throws JsonSyntaxError. */
export function removeMember(text: string, object: string, name: string): string {
  const root = parseSpans(text)
  const inside = findMember(root, object)
  if (root.type !== 'object' || inside?.type !== 'object') return text
  const at = inside.members.findIndex((entry) => entry.key === name)
  if (at < 0) return text
  if (inside.members.length > 1) return removeEntry(text, inside, at)
  return removeEntry(
    text,
    root,
    root.members.findLastIndex((entry) => entry.key === object)
  )
}

function toValue(span: Span): unknown {
  switch (span.type) {
    case 'object':
      return Object.fromEntries(span.members.map(({ key, value }) => [key, toValue(value)]))
    case 'array':
      return span.items.map(toValue)
    case 'value':
      return span.value
  }
}
