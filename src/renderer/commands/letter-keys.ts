/** Keys that speech input may type by accident; WCAG 2.1.4 requires a switch for them. */

/** Whether the key is a single character, with or without Shift. */
export function isLetterKey(keys: string): boolean {
  return /^(Shift\+)?.$/u.test(keys)
}
