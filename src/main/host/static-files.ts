/**
 * Serves the built pages as web-standard Responses, for `app://` in Electron and for the headless host's HTTP server.
 */
import { readFile, realpath } from 'node:fs/promises'
import { extname, join, sep } from 'node:path'

/** Trusted Types policies of the renderer and of the Monaco editor, which creates its own. */
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

/** Monaco needs `style-src 'unsafe-inline'`: it creates style elements and attributes at run time. */
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

/** Sent with every response, including errors. */
export const HARDENED_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': CONTENT_SECURITY_POLICY,
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), usb=(), serial=(), hid=()'
}

/**
 * The file below `root` for a URL path. Status 200, 400 (invalid path), 403 (outside of `root`, also through a link) or
 * 404.
 */
export async function serveStaticFile(root: string, pathname: string): Promise<Response> {
  let relative: string
  try {
    relative = decodeURIComponent(pathname)
  } catch {
    // Expected: URIError.
    return plainText(400, 'Invalid path.')
  }
  if (relative.includes('\0')) return plainText(400, 'Invalid path.')
  if (relative.endsWith('/')) relative += 'index.html'
  try {
    const base = await realpath(root)
    const target = join(base, relative)
    if (!target.startsWith(base + sep)) return plainText(403, 'Forbidden.')
    const file = await realpath(target)
    if (!file.startsWith(base + sep)) return plainText(403, 'Forbidden.')
    return new Response((await readFile(file)) as Buffer<ArrayBuffer>, {
      headers: {
        ...HARDENED_HEADERS,
        'content-type': TYPES[extname(file)] ?? 'application/octet-stream',
        // File names below assets/ contain a hash of their content.
        'cache-control': relative.startsWith('/assets/') ? 'max-age=31536000, immutable' : 'no-store'
      }
    })
  } catch {
    // Expected: ENOENT, ENOTDIR, EISDIR, ENAMETOOLONG.
    return plainText(404, 'Not found.')
  }
}

/** A short text response with the hardened headers. */
export function plainText(status: number, text: string): Response {
  return new Response(text, {
    status,
    headers: { ...HARDENED_HEADERS, 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' }
  })
}
