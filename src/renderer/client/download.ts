/** Offers bytes to the person as a file: a browser saves it in its folder of downloads, Electron asks where. */
export function download(parts: readonly BlobPart[], name: string): void {
  const url = URL.createObjectURL(new Blob([...parts], { type: 'application/octet-stream' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The browser has its own reference to the bytes by then.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
