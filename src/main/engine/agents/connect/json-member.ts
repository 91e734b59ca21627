/** One named value inside an object of a JSON file: put in, found and taken out, every other byte left as it is. */
import { appendTo, removeFrom, unitOf, written } from './json-edit.ts'
import { member, readSpans, type Span } from './json-spans.ts'

/** `text` with `object.name` holding this value, in place of one that `isOurs`. Throws NotJson, or TypeError for somebody else's. */
export function withMember(
  before: string,
  object: string,
  name: string,
  value: unknown,
  isOurs: (value: unknown) => boolean
): string {
  const there = memberOf(before, object, name)
  if (there !== undefined) {
    if (!isOurs(there)) throw new TypeError(`its "${object}.${name}" is somebody else's`)
    if (JSON.stringify(there) === JSON.stringify(value)) return before
  }
  const text = there === undefined ? (before.trim() === '' ? '{}\n' : before) : withoutMember(before, object, name)
  const root = readSpans(text)
  if (root.type !== 'object') throw new TypeError('the file holds no object')
  const unit = unitOf(text)
  const inside = member(root, object)
  if (!inside)
    return appendTo(text, root, (indent) => `${JSON.stringify(object)}: ${written({ [name]: value }, indent, unit)}`)
  if (inside.type !== 'object') throw new TypeError(`its "${object}" is no object`)
  return appendTo(text, inside, (indent) => `${JSON.stringify(name)}: ${written(value, indent, unit)}`)
}

/** What stands at `object.name`; undefined when nothing does. Throws NotJson. */
export function memberOf(text: string, object: string, name: string): unknown {
  if (text.trim() === '') return undefined
  const inside = member(readSpans(text), object)
  const found = inside && member(inside, name)
  return found ? plainValue(found) : undefined
}

/** The text without `object.name`, and without the object when nothing else is in it. Throws NotJson. */
export function withoutMember(text: string, object: string, name: string): string {
  const root = readSpans(text)
  const inside = member(root, object)
  if (root.type !== 'object' || inside?.type !== 'object') return text
  const at = inside.members.findIndex((one) => one.key === name)
  if (at < 0) return text
  if (inside.members.length > 1) return removeFrom(text, inside, at)
  return removeFrom(
    text,
    root,
    root.members.findLastIndex((one) => one.key === object)
  )
}

function plainValue(span: Span): unknown {
  switch (span.type) {
    case 'object':
      return Object.fromEntries(span.members.map((one) => [one.key, plainValue(one.value)]))
    case 'array':
      return span.items.map(plainValue)
    case 'value':
      return span.value
  }
}
