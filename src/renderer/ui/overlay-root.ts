/** The mount point of dialogs, menus and toasts, and the stack of open dialogs. */

/** The element after #root that holds dialogs, menus and toasts. */
export function overlayRoot(): HTMLElement {
  const found = document.getElementById('overlay')
  if (found) return found
  const created = document.createElement('div')
  created.id = 'overlay'
  document.body.append(created)
  return created
}

const stack: HTMLElement[] = []

/**
 * Makes everything below `element` inert until the returned function runs. Invariant: only the newest dialog is
 * interactive.
 */
export function openModal(element: HTMLElement): () => void {
  stack.push(element)
  apply()
  return () => {
    stack.splice(stack.indexOf(element), 1)
    apply()
  }
}

/** Whether a dialog is open: global keys are then off. */
export function isModalOpen(): boolean {
  return stack.length > 0
}

function apply(): void {
  const root = document.getElementById('root')
  if (root) root.inert = stack.length > 0
  for (const [index, element] of stack.entries()) element.inert = index < stack.length - 1
}
