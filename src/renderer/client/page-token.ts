/**
 * The token of a page in a browser, also after its host was restarted: see `main/server/page-key.ts`. The key is in memory
 * alone, because storage could be read by whatever answers at this address when the page is loaded again.
 */

const TOKEN_KEY = 'driftline.token'
const IV_BYTES = 12

/** What a page keeps of the host that accepted it. */
interface Accepted {
  readonly key: CryptoKey
  /** Names the pages that this one was loaded with. */
  readonly build: string
}

export interface PageToken {
  /** The subprotocols that a connection offers. */
  protocols(): string[]
  /** Once the host accepted the token: prepares for the next host. */
  accepted(): Promise<void>
  /** Takes the token of the host that answers here now. False if this page is not entitled to it. */
  renew(): Promise<boolean>
}

export function storeToken(token: string): void {
  sessionStorage.setItem(TOKEN_KEY, token)
}

/** `first` is the token of the address, else "". Pages of another version than this one are shown by `reload`. */
export function createPageToken(first: string, reload: () => void = () => location.reload()): PageToken {
  let token = first || (sessionStorage.getItem(TOKEN_KEY) ?? '')
  let known: Accepted | null = null
  return {
    protocols: () => ['driftline.v1', `token.${token}`],
    async accepted() {
      if (known) return
      const answer = await fetch('/renewal/key', { headers: { authorization: `Bearer ${token}` }, cache: 'no-store' })
      if (!answer.ok) return
      const { key, build } = (await answer.json()) as { readonly key: string; readonly build: string }
      known = { key: await crypto.subtle.importKey('raw', bytesOf(key), 'AES-GCM', false, ['decrypt']), build }
    },
    async renew() {
      if (!known) return false
      const nonce = crypto.randomUUID()
      const answer = await fetch(`/renewal/token?nonce=${nonce}`, { cache: 'no-store' })
      const opened = answer.ok ? await unseal(known.key, nonce, await answer.text()) : null
      if (opened === null) return false
      token = opened.token
      storeToken(token)
      if (opened.build !== known.build) reload()
      return true
    }
  }
}

/** Null for an answer that a host of this page's data folder did not make for this address and number. */
async function unseal(key: CryptoKey, nonce: string, sealed: string): Promise<{ token: string; build: string } | null> {
  try {
    const bytes = bytesOf(sealed)
    const additionalData = new TextEncoder().encode(`${location.host} ${nonce}`)
    const algorithm = { name: 'AES-GCM', iv: bytes.subarray(0, IV_BYTES), additionalData }
    const text = await crypto.subtle.decrypt(algorithm, key, bytes.subarray(IV_BYTES))
    return JSON.parse(new TextDecoder().decode(text))
  } catch {
    // Expected: OperationError, sealed by another key or for another page; InvalidCharacterError, from another program.
    return null
  }
}

function bytesOf(base64url: string): Uint8Array<ArrayBuffer> {
  const binary = atob(base64url.replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(binary, (letter) => letter.charCodeAt(0))
}
