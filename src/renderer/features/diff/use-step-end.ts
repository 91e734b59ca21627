/** Says that there is no change left to step to. */
import { useToasts } from '../toast/toasts.tsx'

/** Returns what shows it, after a step forward or back. */
export function useStepEnd(): (delta: 1 | -1) => void {
  const toasts = useToasts()
  return (delta) =>
    toasts.show({ id: 'step', icon: 'info', text: delta > 0 ? 'No further change.' : 'No earlier change.' })
}
