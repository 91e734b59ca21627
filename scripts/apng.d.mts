export interface Frame {
  readonly png: Buffer
  readonly ms: number
}

export function animatedPng(frames: readonly Frame[]): Buffer

export function chunksOf(png: Buffer): readonly { readonly type: string; readonly data: Buffer }[]
