/** A change that a person started: whether it is being made, and why the last attempt failed. */
import { useState } from 'react'
import { toErrorShape } from '../../contract/errors.ts'

export function useTask() {
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  return {
    busy,
    problem,
    setProblem,
    /** Resolves to whether the work succeeded. */
    run: async (work: () => Promise<unknown>): Promise<boolean> => {
      setBusy(true)
      setProblem(null)
      try {
        await work()
        return true
      } catch (thrown) {
        setProblem(toErrorShape(thrown).message)
        return false
      } finally {
        setBusy(false)
      }
    }
  }
}
