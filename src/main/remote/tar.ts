/** Writes a tar archive of files, in the ustar form that every `tar` reads. */

interface ArchivedFile {
  /** Relative, with slashes, at most 100 bytes. */
  readonly path: string
  readonly content: Uint8Array
  readonly executable?: boolean
}

const BLOCK = 512

/** Files of root, readable by their owner alone; `tar` creates their folders. */
export function tarOf(files: readonly ArchivedFile[]): Buffer {
  const parts = files.flatMap(({ path, content, executable }) => [
    headerOf(path, content.length, executable ? 0o700 : 0o600),
    content,
    Buffer.alloc((BLOCK - (content.length % BLOCK)) % BLOCK)
  ])
  return Buffer.concat([...parts, Buffer.alloc(2 * BLOCK)])
}

function headerOf(path: string, size: number, mode: number): Buffer {
  if (Buffer.byteLength(path) > 100) throw new Error(`the name ${path} is too long for the archive`)
  const header = Buffer.alloc(BLOCK)
  const octal = (value: number, at: number, digits: number): void => {
    header.write(value.toString(8).padStart(digits, '0'), at)
  }
  header.write(path, 0)
  octal(mode, 100, 7)
  octal(0, 108, 7)
  octal(0, 116, 7)
  octal(size, 124, 11)
  octal(0, 136, 11)
  header.write('0', 156)
  header.write('ustar\u000000', 257, 'latin1')
  // The checksum counts its own field as spaces.
  header.fill(' ', 148, 156)
  octal(
    header.reduce((sum, byte) => sum + byte, 0),
    148,
    6
  )
  header[154] = 0
  return header
}
