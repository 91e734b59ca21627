/** The built pages as a web-standard handler: for `app://` in Electron and for the headless host's HTTP server. */
import { readFile, realpath } from 'node:fs/promises'
import { extname, join, sep } from 'node:path'

/** Trusted Types policies of the renderer and of the Monaco editor, which makes its own. */
const POLICIES = [
  'app-worker',
  'defaultWorkerFactory',
  'diffEditorWidget',
  'diffReview',
  'domLineBreaksComputer',
  'editorGhostText',
  'editorViewLayer',
  'richScreenReaderContent',
  'standaloneColorizer',
  'stickyScrollViewLayer',
  'tokenizeToString',
  'dompurify'
]

/** `style-src 'unsafe-inline'` is Monaco's need: it sets style attributes and elements, and draws nothing without. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "worker-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "object-src 'none'",
  "require-trusted-types-for 'script'",
  `trusted-types ${POLICIES.join(' ')} 'allow-duplicates'`
].join('; ')

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.map': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.ttf': 'font/ttf',
  '.woff2': 'font/woff2'
}

/** Sent with every answer, found or not. */
export const HARDENED_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': CONTENT_SECURITY_POLICY,
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), usb=(), serial=(), hid=()'
}

/** The file below `root` that a URL path names: 200, 400 (not a path), 403 (leads outside) or 404. */
export async function serveStaticFile(root: string, pathname: string): Promise<Response> {
  let relative: string
  try {
    relative = decodeURIComponent(pathname)
  } catch {
    // Expected: URIError.
    return plain(400, 'That is not a path.')
  }
  if (relative.includes('\0')) return plain(400, 'That is not a path.')
  if (relative.endsWith('/')) relative += 'index.html'
  try {
    const base = await realpath(root)
    const wanted = join(base, relative)
    if (!wanted.startsWith(base + sep)) return plain(403, 'Not here.')
    const file = await realpath(wanted)
    if (!file.startsWith(base + sep)) return plain(403, 'Not here.')
    return new Response((await readFile(file)) as Buffer<ArrayBuffer>, {
      headers: {
        ...HARDENED_HEADERS,
        'content-type': TYPES[extname(file)] ?? 'application/octet-stream',
        // Names below assets/ carry a hash of their content.
        'cache-control': relative.startsWith('/assets/') ? 'max-age=31536000, immutable' : 'no-store'
      }
    })
  } catch {
    // Expected: ENOENT, ENOTDIR, EISDIR, and ENAMETOOLONG for silly paths.
    return plain(404, 'Not found.')
  }
}

/** A short text answer with the hardened headers. */
export function plain(status: number, text: string): Response {
  return new Response(text, {
    status,
    headers: { ...HARDENED_HEADERS, 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' }
  })
}
