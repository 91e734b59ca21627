/** Public ids: a readable prefix and 60 random bits, so that the first letters of an id are unique in a workspace. */

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'

type IdPrefix = 'ws' | 'run' | 'turn' | 'cp' | 'rst' | 'dr' | 'call' | 'cm' | 'rev' | 'qr' | 'bundle'

/**
 * SQL for the ids that start with a prefix, which is given twice: a range of the primary key, and in its order, so that an
 * exact match is first.
 */
export const WITH_PREFIX = 'id >= ? AND id < ? || char(1114111) ORDER BY id'

export const newId = (prefix: IdPrefix): string => `${prefix}_${randomText()}`

/** 60 random bits: unique, not secret. Loading node:crypto would cost every hook and every start of a recorder 3 ms. */
export function randomText(): string {
  let text = ''
  for (let i = 0; i < 12; i++) text += ALPHABET[Math.floor(Math.random() * 32)]
  return text
}
