/** From one finding of a run to the next. */
import type { Finding } from '../../contract/findings.ts'
import { findingPlaceText, findingText } from '../../contract/words/findings.ts'
import { announce } from '../ui/live-region.tsx'
import type { ActionDeps } from './action-deps.ts'
import { comparisonKey } from './comparison.ts'
import type { FileNavigation } from './file-navigation.ts'

export function createFindingNavigation({ store }: Pick<ActionDeps, 'store'>, { showFile }: FileNavigation) {
  const get = store.getState
  const showFinding = (finding: Finding) => {
    const { path, line, side } = finding
    const { query } = get()
    if (!query) return
    const pointed = line === null ? null : { scope: comparisonKey(query), path, lines: { side, from: line, to: line } }
    store.setState({ finding, pointed })
    showFile(path)
  }

  return {
    /** Selects the file of a finding and shows its line. */
    showFinding,
    /** To the next or previous finding, from the last to the first. */
    stepFinding: (delta: 1 | -1) => {
      const { findings: found, finding } = get()
      const all = found?.findings ?? []
      // While a run is live its list grows.
      const at = finding ? all.findIndex(({ kind, path }) => kind === finding.kind && path === finding.path) : -1
      const next = all.at(at === -1 && delta === -1 ? -1 : (at + delta) % all.length)
      if (!next) return
      showFinding(next)
      announce(`${findingText(next)}, ${findingPlaceText(next)}, ${all.indexOf(next) + 1} of ${all.length}.`)
    }
  }
}
