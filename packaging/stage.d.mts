export function packedFiles(root: string, system: string): string[]
export function writeNotices(root: string): void
export function packApp(root: string, system: string, to: string): Promise<string>
