/** What a secret looks like in a line. Pure. */

/** Formats of keys that their issuers publish, and a name of a secret with a quoted value of some length. */
export const SECRET = new RegExp(
  [
    /\bAKIA[0-9A-Z]{16}\b/,
    /\b(?:aws_secret_access_key|AWS_SECRET_ACCESS_KEY)\W{1,5}[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+])/,
    /-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----/,
    /\bgh[pousr]_[A-Za-z0-9]{36,}/,
    /\bgithub_pat_\w{22,}/,
    /\bsk-(?:ant-|proj-)?[A-Za-z0-9_-]{20,}/,
    /\b[rs]k_live_[A-Za-z0-9]{20,}/,
    /\bxox[abprs]-[A-Za-z0-9-]{10,}/,
    /\bAIza[A-Za-z0-9_-]{35}/,
    /\beyJ[A-Za-z0-9_-]{20,}\.[A-Za-z0-9_-]{20,}\./,
    /(?:[a-z]+:\/\/)[^\s:/@'"]+:(?!\$|<|\*)[^\s@'"$<]{6,}@/
  ]
    .map(({ source }) => source)
    .join('|')
)
export const NAMED_SECRET =
  /(?:passw(?:or)?d|secret|token|api[_-]?key|private[_-]?key|credential)s?\w*["']?\s*[:=]\s*["'](?!x{3}|\*{3}|<|\$|\{|your|example|change|dummy|test|placeholder|fake|none)(?=[^"']*\d)[^"'\s]{12,}["']/i

/** Whether a line may contain a secret, whatever file it is in. */
export function mayHoldSecret(line: string): boolean {
  return SECRET.test(line) || NAMED_SECRET.test(line)
}

/**
 * Says line by line whether a line may contain a secret, for the lines of one text in their order: the lines of a private
 * key look like nothing by themselves.
 */
export function createSecretFinder(): (line: string) => boolean {
  let inKey = false
  return (line) => {
    if (/-----BEGIN .*PRIVATE KEY/.test(line)) inKey = true
    const found = inKey || mayHoldSecret(line)
    if (/-----END .*PRIVATE KEY/.test(line)) inKey = false
    return found
  }
}

/** What is shown in place of a line. */
export const HIDDEN_LINE = '(this line may contain a secret)'
