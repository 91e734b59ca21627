/** The three sides of a conflict that the preview can show, named for the request. Pure. */
import type { PreviewSide, RestoreRequest } from '../../../contract/restore.ts'

const OWN_LABELS: Readonly<Record<RestoreRequest['kind'], string>> = {
  restore: 'Restored changes',
  'undo-run': 'The run’s changes',
  undo: 'The restore’s changes',
  redo: 'The undo’s changes',
  drift: 'Outside changes',
  recover: 'Written so far'
}

const ORDER: readonly PreviewSide[] = ['result', 'own', 'others']

export function sideOptions(
  request: RestoreRequest
): readonly { readonly value: PreviewSide; readonly label: string }[] {
  const others = request.kind === 'restore' ? 'Outside since' : 'Others since'
  const labels: Readonly<Record<PreviewSide, string>> = { result: 'Now → after', own: OWN_LABELS[request.kind], others }
  return ORDER.map((value) => ({ value, label: labels[value] }))
}

/** Shown below the cards while a side other than the result is selected. */
export const SIDE_EXPLANATIONS: Readonly<Record<Exclude<PreviewSide, 'result'>, string>> = {
  own: 'The changes that would be undone. Your resolution decides the rest.',
  others: 'Later edits by others. Keep mine and Merge preserve them; Replace removes them.'
}

export function nextSide(side: PreviewSide): PreviewSide {
  return ORDER[(ORDER.indexOf(side) + 1) % ORDER.length] ?? 'result'
}
