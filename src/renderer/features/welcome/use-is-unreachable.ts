/** When the window says that it cannot reach the recorder. */
import { useConnectionState } from '../../client/context.tsx'
import { useNow } from '../../ui/use-now.ts'

/** Shorter interruptions are not shown. */
const DISCONNECTED_MS = 2000

/** Whether the recorder has not been reached for so long that the window says so. */
export function useIsUnreachable(): boolean {
  const { phase, downSince } = useConnectionState()
  const now = useNow(phase !== 'open' ? 'second' : 'minute')
  return downSince !== null && now - downSince >= DISCONNECTED_MS
}
