import { DriftlineError } from '../../contract/errors.ts'

/** Copies a text. Rejects with a sentence to show: the browser may refuse, and an insecure page has no clipboard. */
export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
  } catch {
    throw new DriftlineError(
      'Refused',
      'Couldn’t copy: the browser keeps this page from the clipboard. Allow it in the site’s settings.'
    )
  }
}
