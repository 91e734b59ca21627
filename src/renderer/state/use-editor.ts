/** Opens files in the editor of the person at the host's computer, which is also the browser's. */
import { useMemo } from 'react'
import { toErrorShape } from '../../contract/errors.ts'
import { useDriftline } from '../client/context.tsx'
import { useQuery } from '../client/use-query.ts'
import { useToasts } from '../features/toast/toasts.tsx'

/** `file`: an absolute path; `line`: from 1 on. */
type OpenInEditor = (file: string, line?: number) => void

/** Undefined where no editor was found, and for files of another machine; until that is known, opening a file asks. A failure is shown as a toast. */
export function useEditor(): OpenInEditor | undefined {
  const { client, host } = useDriftline()
  const toasts = useToasts()
  const { data } = useQuery('editor.find', {}, { once: true, here: true })
  const hasNone = host !== null || data?.editor === null
  return useMemo(() => {
    if (hasNone) return undefined
    return (file, line) => {
      client
        .call('editor.open', line === undefined ? { file } : { file, line })
        .catch((error: unknown) => toasts.show({ id: 'editor', icon: 'info', text: toErrorShape(error).message }))
    }
  }, [hasNone, client, toasts])
}
