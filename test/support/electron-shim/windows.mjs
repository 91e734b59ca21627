// The windows that are open, for the parts that need to go through all of them.
const open = new Set()

export const allWindows = () => [...open]
export const addWindow = (window) => open.add(window)
export const removeWindow = (window) => open.delete(window)
