/** One named value inside an object of a JSON file: put in, found and taken out, every other byte left as it is. */
import { appendEntry, formatJson, indentUnitOf, removeEntry } from './json-edit.ts'
import { findMember, parseSpans, type Span } from './json-spans.ts'

/** `text` with `object.name` holding this value, in place of one that `isOurs`. Throws NotJson, or TypeError for somebody else's. */
export function setMember(
  before: string,
  object: string,
  name: string,
  value: unknown,
  isOurs: (value: unknown) => boolean
): string {
  const there = getMember(before, object, name)
  if (there !== undefined) {
    if (!isOurs(there)) throw new TypeError(`its "${object}.${name}" is somebody else's`)
    if (JSON.stringify(there) === JSON.stringify(value)) return before
  }
  const text = there === undefined ? (before.trim() === '' ? '{}\n' : before) : removeMember(before, object, name)
  const root = parseSpans(text)
  if (root.type !== 'object') throw new TypeError('the file holds no object')
  const unit = indentUnitOf(text)
  const inside = findMember(root, object)
  if (!inside)
    return appendEntry(
      text,
      root,
      (indent) => `${JSON.stringify(object)}: ${formatJson({ [name]: value }, indent, unit)}`
    )
  if (inside.type !== 'object') throw new TypeError(`its "${object}" is no object`)
  return appendEntry(text, inside, (indent) => `${JSON.stringify(name)}: ${formatJson(value, indent, unit)}`)
}

/** What stands at `object.name`; undefined when nothing does. Throws NotJson. */
export function getMember(text: string, object: string, name: string): unknown {
  if (text.trim() === '') return undefined
  const inside = findMember(parseSpans(text), object)
  const found = inside && findMember(inside, name)
  return found ? toValue(found) : undefined
}

/** The text without `object.name`, and without the object when nothing else is in it. Throws NotJson. */
export function removeMember(text: string, object: string, name: string): string {
  const root = parseSpans(text)
  const inside = findMember(root, object)
  if (root.type !== 'object' || inside?.type !== 'object') return text
  const at = inside.members.findIndex((one) => one.key === name)
  if (at < 0) return text
  if (inside.members.length > 1) return removeEntry(text, inside, at)
  return removeEntry(
    text,
    root,
    root.members.findLastIndex((one) => one.key === object)
  )
}

function toValue(span: Span): unknown {
  switch (span.type) {
    case 'object':
      return Object.fromEntries(span.members.map((one) => [one.key, toValue(one.value)]))
    case 'array':
      return span.items.map(toValue)
    case 'value':
      return span.value
  }
}
