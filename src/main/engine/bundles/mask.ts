/**
 * Masks what may contain a secret in a run that is sent to others: such a line of a text gives way to a sentence. Equal lines
 * get equal sentences and different ones different sentences, so that a changed secret is still a changed line; the number
 * in them is made with random bytes that are in no file, so it says nothing about the line.
 */
import { isUtf8 } from 'node:buffer'
import { createHmac, randomBytes } from 'node:crypto'
import { createSecretFinder, HIDDEN_LINE, NAMED_SECRET, SECRET } from '../../../contract/secrets.ts'

export type Mask = ReturnType<typeof createMask>

/** `isOn` false: everything is passed on as it is. */
export function createMask(isOn: boolean) {
  const salt = randomBytes(32)
  let masked = 0
  const sentence = (line: string): string => {
    masked++
    const number = createHmac('sha256', salt).update(line).digest('hex').slice(0, 6)
    return HIDDEN_LINE.replace(/\)$/, `, ${number})`)
  }
  const text = (value: string): string => {
    if (!isOn || !mayHold(value)) return value
    const isSecret = createSecretFinder()
    const lines = value.split('\n').map((line) => {
      if (!isSecret(line)) return line
      const end = line.endsWith('\r') ? '\r' : ''
      return sentence(line.slice(0, line.length - end.length)) + end
    })
    return lines.join('\n')
  }
  return {
    /** How many lines were masked until now. */
    get masked() {
      return masked
    },
    isOn,
    text,
    /** The bytes of a file without its secrets; null where they cannot be removed. */
    bytes: (bytes: Buffer): Buffer | null => {
      if (!isOn) return bytes
      if (!isUtf8(bytes)) return mayHold(bytes.toString('latin1')) || mayHold(bytes.toString('utf16le')) ? null : bytes
      const whole = bytes.toString('utf8')
      const shown = text(whole)
      return shown === whole ? bytes : Buffer.from(shown, 'utf8')
    }
  }
}

/** Whether any line may; cheaper than a test of each. */
function mayHold(text: string): boolean {
  return SECRET.test(text) || NAMED_SECRET.test(text)
}
