/** Reads, sets and removes one named value inside an object of a JSON text; every other byte stays. */
import { getNodeValue } from 'jsonc-parser'
import { appendEntry, formatJson, indentUnitOf, removeEntry } from './json-edit.ts'
import { findMember, indexOfMember, parseJson } from './json-text.ts'

/**
 * The text with `object.name` set to this value, in place of one that `isOurs`. Throws SettingsSyntaxError, or TypeError
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
  const root = parseJson(text)
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

/** The value of `object.name`; undefined when there is none. Throws SettingsSyntaxError. */
export function getMember(text: string, object: string, name: string): unknown {
  if (text.trim() === '') return undefined
  const inside = findMember(parseJson(text), object)
  const found = inside && findMember(inside, name)
  return found ? getNodeValue(found) : undefined
}

/** The text without `object.name`, and without the object when it becomes empty. Throws SettingsSyntaxError. */
export function removeMember(text: string, object: string, name: string): string {
  const root = parseJson(text)
  const inside = findMember(root, object)
  if (root.type !== 'object' || inside?.type !== 'object') return text
  const at = indexOfMember(inside, name)
  if (at < 0) return text
  return (inside.children?.length ?? 0) > 1
    ? removeEntry(text, inside, at)
    : removeEntry(text, root, indexOfMember(root, object))
}
