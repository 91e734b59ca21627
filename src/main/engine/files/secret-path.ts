/** Detects paths that look like they contain credentials. They are shown masked, and exports omit them by default. */
import { nameOf } from './paths.ts'

const SECRET_NAMES: readonly RegExp[] = [
  /^\.env(rc|\..+|[-_].+)?$/,
  /\.(env|pem|key|p12|pfx|p8|jks|keystore|kdbx|ppk)$/,
  /^id_(rsa|dsa|ecdsa|ed25519|xmss)([._-].*)?$/,
  /^id_[a-z0-9_-]+$/,
  /^\.(npmrc|netrc|pypirc|pgpass|htpasswd|dockercfg|git-credentials|vault-token|my\.cnf)$/,
  /^_netrc$/,
  /^\.?(credentials|secrets?)(\..+)?$/,
  /^\.?(credentials|secrets?)[-_][^.]*(\.(json|ya?ml|toml|ini|cfg|conf|properties|xml|csv|txt|enc|db))?$/,
  /^(service[-_]?account|client_secret)[^/]*\.json$/
]
const SECRET_PLACES = /(^|\/)(\.aws\/credentials|\.docker\/config\.json|\.kube\/config|\.config\/gh\/hosts\.yml)$/
/** Names of files that are meant to be published: templates and public keys. */
const PUBLIC_NAME = /\.(example|sample|template|tmpl|dist|pub)(\.[a-z0-9]+)?$/

/** Judges by the path alone; content is not read. */
export function looksSecret(path: string): boolean {
  const lower = path.toLowerCase()
  const name = nameOf(lower)
  if (PUBLIC_NAME.test(name)) return false
  return SECRET_NAMES.some((pattern) => pattern.test(name)) || SECRET_PLACES.test(lower)
}
