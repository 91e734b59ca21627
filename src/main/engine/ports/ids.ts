/** Public ids: a readable prefix and 60 random bits, so a short prefix of one stays unique in a workspace. */
import { randomBytes } from 'node:crypto'

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'

export type IdPrefix = 'ws' | 'run' | 'turn' | 'cp' | 'rst' | 'dr' | 'call'

export function newId(prefix: IdPrefix): string {
  let text = ''
  for (const byte of randomBytes(12)) text += ALPHABET[byte & 31]
  return `${prefix}_${text}`
}
