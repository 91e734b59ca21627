/** Where things that lie over the screen are mounted, and which of them is on top. */

/** The element after #root that holds dialogs, menus and toasts. */
export function overlayRoot(): HTMLElement {
  const found = document.getElementById('overlay')
  if (found) return found
  const made = document.createElement('div')
  made.id = 'overlay'
  document.body.append(made)
  return made
}

const stack: HTMLElement[] = []

/** Makes everything below `element` inert until the returned function runs. Invariant: only the newest is reachable. */
export function openModal(element: HTMLElement): () => void {
  stack.push(element)
  apply()
  return () => {
    stack.splice(stack.indexOf(element), 1)
    apply()
  }
}

/** True while a dialog is open: global keys other than its own are then off. */
export function isModalOpen(): boolean {
  return stack.length > 0
}

function apply(): void {
  const root = document.getElementById('root')
  if (root) root.inert = stack.length > 0
  for (const [index, element] of stack.entries()) element.inert = index < stack.length - 1
}
