/**
 * The open modal dialogs, newest last. The browser makes everything outside the newest one inert, so menus, toasts and
 * announcements are mounted inside it.
 */
import { useSyncExternalStore } from 'react'

const open: HTMLElement[] = []
const listeners = new Set<() => void>()

/** Registers a dialog until the returned function runs. */
export function registerDialog(dialog: HTMLElement): () => void {
  open.push(dialog)
  notify()
  return () => {
    open.splice(open.indexOf(dialog), 1)
    notify()
  }
}

/** Whether a dialog is open: global keys are then off. */
export function isModalOpen(): boolean {
  return open.length > 0
}

/** Where overlays are mounted: the newest dialog, else the page. */
export function overlayParent(): HTMLElement {
  return open.at(-1) ?? document.body
}

/** `overlayParent` for an overlay that stays while dialogs open and close. */
export function useOverlayParent(): HTMLElement {
  return useSyncExternalStore(subscribe, overlayParent)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function notify(): void {
  for (const listener of listeners) listener()
}
