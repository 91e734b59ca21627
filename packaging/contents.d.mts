export const NATIVE_PACKAGE: string
export const UNPACKED: readonly string[]
export const SIZE_BUDGET: number
export const FUSES: Readonly<Record<string, boolean>>
export const BUILDER: string
export function filesFor(system: string): string[]
