/** Detects file types by their signatures, and the media types of images that a browser can draw. */

/** Signatures of the first bytes, one character per byte. The first that matches decides. */
const SIGNATURES: readonly (readonly [type: string, start: RegExp])[] = [
  ['WebP image', /^RIFF.{4}WEBP/s],
  ['WAV audio', /^RIFF.{4}WAVE/s],
  ['AVI video', /^RIFF.{4}AVI /s],
  ['AVIF image', /^.{4}ftypavi[fs]/s],
  ['MP4 media', /^.{4}ftyp/s],
  ['PNG image', /^\x89PNG\r\n\x1a\n/],
  ['JPEG image', /^\xff\xd8\xff/],
  ['GIF image', /^GIF8/],
  ['BMP image', /^BM/],
  ['ICO image', /^\0\0\x01\0/],
  ['TIFF image', /^(II\*\0|MM\0\*)/],
  ['PDF document', /^%PDF-/],
  ['ZIP archive', /^PK(\x03\x04|\x05\x06)/],
  ['gzip data', /^\x1f\x8b/],
  ['bzip2 data', /^BZh/],
  ['xz data', /^\xfd7zXZ\0/],
  ['Zstandard data', /^\x28\xb5\x2f\xfd/],
  ['7-Zip archive', /^7z\xbc\xaf\x27\x1c/],
  ['tar archive', /^.{257}ustar/s],
  ['ELF program', /^\x7fELF/],
  ['Mach-O program', /^[\xcf\xce]\xfa\xed\xfe/],
  ['SQLite database', /^SQLite format 3\0/],
  ['WebAssembly module', /^\0asm/],
  ['MP3 audio', /^ID3/],
  ['Ogg media', /^OggS/],
  ['FLAC audio', /^fLaC/],
  ['Matroska video', /^\x1a\x45\xdf\xa3/],
  ['WOFF font', /^wOFF/],
  ['WOFF2 font', /^wOF2/],
  ['TrueType font', /^\0\x01\0\0\0/],
  ['OpenType font', /^OTTO/],
  ['class file or universal program', /^\xca\xfe\xba\xbe/]
]
/** No signature ends later. */
const SIGNED_BYTES = 262

/** The type of content by its first bytes, e.g. "PNG image"; "data" when it is unknown. */
export function sniffType(bytes: Uint8Array): string {
  const start = Buffer.from(bytes.subarray(0, SIGNED_BYTES)).toString('latin1')
  const known = SIGNATURES.find(([, signature]) => signature.test(start))
  return known?.[0] ?? (start.startsWith('MZ') && hasPortableHeader(bytes) ? 'Windows program' : 'data')
}

/** "MZ" alone starts many texts. A Windows program has the offset of its "PE" header at byte 60. */
function hasPortableHeader(bytes: Uint8Array): boolean {
  if (bytes.length < 64) return false
  const header = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(60, true)
  return Buffer.from(bytes.subarray(header, header + 4)).toString('latin1') === 'PE\0\0'
}

const MIME_OF_TYPE: Readonly<Record<string, string>> = {
  'PNG image': 'image/png',
  'JPEG image': 'image/jpeg',
  'GIF image': 'image/gif',
  'WebP image': 'image/webp',
  'AVIF image': 'image/avif',
  'BMP image': 'image/bmp',
  'ICO image': 'image/x-icon'
}

/**
 * The media type of an image that a browser can draw, else null. The signature decides. Two types need their extension,
 * too, because their signature is short (BMP, ICO); SVG has none, so only its extension counts.
 */
export function imageMime(path: string, bytes: Uint8Array): string | null {
  const extension = /\.([a-z0-9]+)$/.exec(path.toLowerCase())?.[1]
  if (extension === 'svg') return 'image/svg+xml'
  const type = sniffType(bytes)
  if (type === 'BMP image' && extension !== 'bmp') return null
  if (type === 'ICO image' && extension !== 'ico') return null
  return MIME_OF_TYPE[type] ?? null
}
