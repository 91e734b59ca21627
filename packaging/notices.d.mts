export function bundledPackages(root: string): string[]
export function noticesOf(root: string): string
