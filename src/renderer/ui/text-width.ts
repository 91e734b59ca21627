/** The width of texts on screen, without laying them out. */

let context: CanvasRenderingContext2D | null = null

/** The width in px of a text on one line. `font`: as the CSS shorthand, with a family. */
export function textWidth(text: string, font: string): number {
  context ??= document.createElement('canvas').getContext('2d')
  if (!context) return 0
  // Setting the font costs more than measuring.
  if (context.font !== font) context.font = font
  return context.measureText(text).width
}
