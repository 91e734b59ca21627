/** Path of Electron's binary, or undefined when it is not here. */
export function electronBinary(): string | undefined
export function fetchElectron(): Promise<void>
