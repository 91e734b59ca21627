/** Detects file types by their signatures, and the media types of images that a browser can draw. */

interface Signature {
  readonly type: string
  readonly at: number
  readonly bytes: readonly number[]
}

const ascii = (text: string): number[] => [...text].map((char) => char.charCodeAt(0))

const SIGNATURES: readonly Signature[] = [
  { type: 'PNG image', at: 0, bytes: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] },
  { type: 'JPEG image', at: 0, bytes: [0xff, 0xd8, 0xff] },
  { type: 'GIF image', at: 0, bytes: ascii('GIF8') },
  { type: 'BMP image', at: 0, bytes: ascii('BM') },
  { type: 'ICO image', at: 0, bytes: [0, 0, 1, 0] },
  { type: 'TIFF image', at: 0, bytes: [0x49, 0x49, 0x2a, 0] },
  { type: 'TIFF image', at: 0, bytes: [0x4d, 0x4d, 0, 0x2a] },
  { type: 'PDF document', at: 0, bytes: ascii('%PDF-') },
  { type: 'ZIP archive', at: 0, bytes: [0x50, 0x4b, 0x03, 0x04] },
  { type: 'ZIP archive', at: 0, bytes: [0x50, 0x4b, 0x05, 0x06] },
  { type: 'gzip data', at: 0, bytes: [0x1f, 0x8b] },
  { type: 'bzip2 data', at: 0, bytes: ascii('BZh') },
  { type: 'xz data', at: 0, bytes: [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0] },
  { type: 'Zstandard data', at: 0, bytes: [0x28, 0xb5, 0x2f, 0xfd] },
  { type: '7-Zip archive', at: 0, bytes: [0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c] },
  { type: 'tar archive', at: 257, bytes: ascii('ustar') },
  { type: 'ELF program', at: 0, bytes: [0x7f, 0x45, 0x4c, 0x46] },
  { type: 'Mach-O program', at: 0, bytes: [0xcf, 0xfa, 0xed, 0xfe] },
  { type: 'Mach-O program', at: 0, bytes: [0xce, 0xfa, 0xed, 0xfe] },
  { type: 'SQLite database', at: 0, bytes: ascii('SQLite format 3\0') },
  { type: 'WebAssembly module', at: 0, bytes: [0, 0x61, 0x73, 0x6d] },
  { type: 'MP3 audio', at: 0, bytes: ascii('ID3') },
  { type: 'Ogg media', at: 0, bytes: ascii('OggS') },
  { type: 'FLAC audio', at: 0, bytes: ascii('fLaC') },
  { type: 'Matroska video', at: 0, bytes: [0x1a, 0x45, 0xdf, 0xa3] },
  { type: 'WOFF font', at: 0, bytes: ascii('wOFF') },
  { type: 'WOFF2 font', at: 0, bytes: ascii('wOF2') },
  { type: 'TrueType font', at: 0, bytes: [0, 1, 0, 0, 0] },
  { type: 'OpenType font', at: 0, bytes: ascii('OTTO') },
  { type: 'class file or universal program', at: 0, bytes: [0xca, 0xfe, 0xba, 0xbe] }
]

/** The type of content by its first bytes, e.g. "PNG image"; "data" when it is unknown. */
export function sniffType(bytes: Uint8Array): string {
  if (hasBytesAt(bytes, 0, ascii('RIFF'))) {
    if (hasBytesAt(bytes, 8, ascii('WEBP'))) return 'WebP image'
    if (hasBytesAt(bytes, 8, ascii('WAVE'))) return 'WAV audio'
    if (hasBytesAt(bytes, 8, ascii('AVI '))) return 'AVI video'
  }
  if (hasBytesAt(bytes, 4, ascii('ftyp'))) {
    return hasBytesAt(bytes, 8, ascii('avif')) || hasBytesAt(bytes, 8, ascii('avis')) ? 'AVIF image' : 'MP4 media'
  }
  if (hasBytesAt(bytes, 0, ascii('MZ')) && isPortableExecutable(bytes)) return 'Windows program'
  const found = SIGNATURES.find((signature) => hasBytesAt(bytes, signature.at, signature.bytes))
  return found?.type ?? 'data'
}

function hasBytesAt(bytes: Uint8Array, at: number, expected: readonly number[]): boolean {
  return expected.every((byte, i) => bytes[at + i] === byte)
}

/** "MZ" alone starts many texts. A Windows program has the offset of its "PE" header at byte 60. */
function isPortableExecutable(bytes: Uint8Array): boolean {
  if (bytes.length < 64) return false
  const header = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(60, true)
  return hasBytesAt(bytes, header, [0x50, 0x45, 0, 0])
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
 * The media type of an image that a browser can draw, else null. The signature decides. Two types need their extension, too,
 * because their signature is short (BMP, ICO); SVG has none, so only its extension counts.
 */
export function imageMime(path: string, bytes: Uint8Array): string | null {
  const extension = /\.([a-z0-9]+)$/.exec(path.toLowerCase())?.[1]
  if (extension === 'svg') return 'image/svg+xml'
  const type = sniffType(bytes)
  if (type === 'BMP image' && extension !== 'bmp') return null
  if (type === 'ICO image' && extension !== 'ico') return null
  return MIME_OF_TYPE[type] ?? null
}
