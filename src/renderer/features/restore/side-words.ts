/** The three ways to look at a file in conflict, in the words of what is being restored. Pure. */
import type { Act, PreviewSide } from '../../../contract/restore.ts'

const OWN: Readonly<Record<Act['kind'], string>> = {
  restore: 'What goes back',
  'undo-run': 'What the run did',
  undo: 'What the restore did',
  redo: 'What the undo did',
  drift: 'What changed outside',
  recover: 'What was written'
}

const ORDER: readonly PreviewSide[] = ['result', 'own', 'others']

export function sideOptions(act: Act): readonly { readonly value: PreviewSide; readonly label: string }[] {
  const others = act.kind === 'restore' ? 'Outside since' : 'Others since'
  const labels: Readonly<Record<PreviewSide, string>> = { result: 'Now → after', own: OWN[act.kind], others }
  return ORDER.map((value) => ({ value, label: labels[value] }))
}

/** Under the choices while something else than the result is looked at. */
export const SIDE_WORDS: Readonly<Record<Exclude<PreviewSide, 'result'>, string>> = {
  own: 'What would be taken back, by itself. Your choice decides what becomes of the rest.',
  others: 'What others wrote in this file since. Keep mine and Merge leave it; Replace drops it.'
}

export function nextSide(side: PreviewSide): PreviewSide {
  return ORDER[(ORDER.indexOf(side) + 1) % ORDER.length] ?? 'result'
}
