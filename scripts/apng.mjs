// Joins PNG pictures of one size into one animated PNG, which every browser plays and other programs show as its first
// picture. The compressed data of each picture is copied as it is: format at https://www.w3.org/TR/png-3/#apng-frame-based-animation
import { crc32 } from 'node:zlib'

const SIGNATURE_BYTES = 8

/** `frames`: PNG files that agree in size and colour type, and how long each is shown, ms. Plays without end. */
export function animatedPng(frames) {
  const pictures = frames.map(({ png }) => chunksOf(png))
  const header = dataOf(pictures[0], 'IHDR')[0]
  if (pictures.some((chunks) => !dataOf(chunks, 'IHDR')[0].equals(header)))
    throw new Error('The pictures of an animation must have the same size and colours.')
  let sequence = 0
  const body = frames.flatMap(({ ms }, index) => {
    const control = Buffer.alloc(26)
    control.writeUInt32BE(sequence++, 0)
    // Width and height; the picture covers all of the one before, whose place needs no clearing.
    header.copy(control, 4, 0, 8)
    control.writeUInt16BE(ms, 20)
    control.writeUInt16BE(1000, 22)
    const data = dataOf(pictures[index], 'IDAT')
    if (index === 0) return [chunk('fcTL', control), ...data.map((part) => chunk('IDAT', part))]
    const numbered = data.map((part) => {
      const number = Buffer.alloc(4)
      number.writeUInt32BE(sequence++)
      return chunk('fdAT', Buffer.concat([number, part]))
    })
    return [chunk('fcTL', control), ...numbered]
  })
  const animation = Buffer.alloc(8)
  animation.writeUInt32BE(frames.length, 0)
  const start = [frames[0].png.subarray(0, SIGNATURE_BYTES), chunk('IHDR', header), chunk('acTL', animation)]
  return Buffer.concat([...start, ...body, chunk('IEND', Buffer.alloc(0))])
}

/** The chunks of a PNG file: type and data of each. */
export function chunksOf(png) {
  const chunks = []
  for (let at = SIGNATURE_BYTES; at < png.length; ) {
    const size = png.readUInt32BE(at)
    chunks.push({ type: png.toString('latin1', at + 4, at + 8), data: png.subarray(at + 8, at + 8 + size) })
    at += size + 12
  }
  return chunks
}

function dataOf(chunks, type) {
  return chunks.filter((each) => each.type === type).map(({ data }) => data)
}

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const out = Buffer.alloc(body.length + 8)
  out.writeUInt32BE(data.length, 0)
  body.copy(out, 4)
  out.writeUInt32BE(crc32(body), body.length + 4)
  return out
}
