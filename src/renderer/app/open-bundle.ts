/** Opens a bundle that was dropped on the window as a review. */
import { toErrorShape } from '../../contract/errors.ts'
import { BUNDLE_SUFFIX } from '../../contract/words/bundles.ts'
import { useDriftline } from '../client/context.tsx'
import { useToasts } from '../features/toast/toasts.tsx'
import { announce } from '../ui/live-region.tsx'

/** Of one message, bytes. */
const PIECE = 1024 * 1024

/** The bundle among what is dropped; must be called before the event handler returns. */
export function bundleIn(data: DataTransfer): File | null {
  const [file] = data.files
  return file?.name.endsWith(BUNDLE_SUFFIX) ? file : null
}

export function useOpenBundle(onOpen: (workspace: string) => void): (file: File) => void {
  const { client, platform } = useDriftline()
  const toasts = useToasts()
  /** A browser does not reveal the path of a file: it is sent. */
  const upload = async (file: File): Promise<string> => {
    let upload: string | undefined
    for (let at = 0; at < file.size || upload === undefined; at += PIECE) {
      const base64 = await base64Of(file.slice(at, at + PIECE))
      const sent = await client.call('bundle.upload', { ...(upload === undefined ? {} : { upload }), at, base64 })
      upload = sent.upload
    }
    return upload
  }
  const open = async (file: File): Promise<void> => {
    toasts.show({ id: 'bundle', icon: 'eye', text: `Opening ${file.name}…` })
    try {
      const path = platform.pathForFile(file)
      const of = path === '' ? { upload: await upload(file), name: file.name } : { file: path }
      const { workspace } = await client.call('bundle.open', of)
      toasts.hide('bundle')
      onOpen(workspace.id)
    } catch (error) {
      const { message } = toErrorShape(error)
      toasts.show({ id: 'bundle', icon: 'warn', text: message })
      announce(message, 'assertive')
    }
  }
  return (file) => void open(file)
}

async function base64Of(part: Blob): Promise<string> {
  const bytes = new Uint8Array(await part.arrayBuffer())
  let binary = ''
  for (let at = 0; at < bytes.length; at += 8192) binary += String.fromCharCode(...bytes.subarray(at, at + 8192))
  return btoa(binary)
}
