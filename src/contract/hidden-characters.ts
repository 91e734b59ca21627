/**
 * Characters that nobody sees and that change how text reads or runs ("Trojan Source", CVE-2021-42574): bidirectional
 * controls, zero-width characters, soft hyphen, Mongolian vowel separator, byte order and interlinear marks, tags. A
 * zero-width joiner between two pictographs shows as one emoji, so it hides nothing there.
 */
export const HIDDEN =
  /[\u00ad\u061c\u180e\u200b\u200c\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]|(?<!\p{Extended_Pictographic}[\ufe0f\u{1f3fb}-\u{1f3ff}]?)\u200d|\u200d(?!\p{Extended_Pictographic})/gu

/** Control characters, and separators of lines and paragraphs. */
const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g

/** The text with `shown` in place of each hidden character and each control character. `code`: its hexadecimal number. */
export function spellOut(text: string, shown: (code: string) => string): string {
  const spell = (char: string): string => shown((char.codePointAt(0) ?? 0).toString(16).padStart(4, '0'))
  return text.replace(HIDDEN, spell).replace(CONTROLS, spell)
}
