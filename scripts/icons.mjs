// `npm run icons`: generates all sizes and formats of the app icon from its SVG file.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'

const folder = join(dirname(dirname(fileURLToPath(import.meta.url))), 'packaging/icons')
const SIZES = [16, 24, 32, 48, 64, 128, 256, 512, 1024]
const executablePath = [process.env.DRIFTLINE_BROWSER, '/usr/bin/chromium', '/usr/bin/google-chrome'].find(
  (path) => path && existsSync(path)
)
if (!executablePath) {
  console.error('icons: no browser found; set DRIFTLINE_BROWSER to a Chromium or Chrome.')
  process.exit(1)
}

const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
const page = await browser.newPage()

/** Renders an SVG file as a square PNG of `size` pixels with a transparent background. */
async function png(file, size, ink) {
  let svg = readFileSync(join(folder, file), 'utf8')
  if (ink) svg = svg.replaceAll('#000', ink)
  await page.setViewportSize({ width: size, height: size })
  await page.setContent(`<style>*{margin:0}svg{display:block;width:${size}px;height:${size}px}</style>${svg}`)
  return page.screenshot({ omitBackground: true })
}

const pngs = new Map()
for (const size of SIZES) {
  pngs.set(size, await png('driftline.svg', size))
  writeFileSync(join(folder, `${size}x${size}.png`), pngs.get(size))
}
// Tray icons. macOS tints template images itself; elsewhere the colour must be visible on light and dark bars.
for (const [name, ink] of [
  ['trayTemplate', '#000'],
  ['tray', '#7aa2ff'],
  ['tray-attention', '#ffa366'],
  ['tray-off', '#98a1b0']
])
  for (const [suffix, size] of [
    ['', 16],
    ['@2x', 32]
  ])
    writeFileSync(join(folder, `${name}${suffix}.png`), await png('tray.svg', size, ink))
await browser.close()

writeFileSync(join(folder, 'driftline.ico'), ico([16, 24, 32, 48, 64, 128, 256]))
writeFileSync(
  join(folder, 'driftline.icns'),
  icns([
    ['icp4', 16],
    ['icp5', 32],
    ['icp6', 64],
    ['ic07', 128],
    ['ic08', 256],
    ['ic09', 512],
    ['ic10', 1024],
    ['ic11', 32],
    ['ic12', 64],
    ['ic13', 256],
    ['ic14', 512]
  ])
)
console.log(`Wrote ${SIZES.length} sizes, an .ico and an .icns to ${folder}`)

/** The ICO format: a directory of 16-byte entries, then the PNGs. Size 256 is written as 0. */
function ico(sizes) {
  const head = Buffer.alloc(6 + 16 * sizes.length)
  head.writeUInt16LE(1, 2)
  head.writeUInt16LE(sizes.length, 4)
  let at = head.length
  for (const [n, size] of sizes.entries()) {
    const { length } = pngs.get(size)
    const entry = 6 + 16 * n
    head.writeUInt8(size % 256, entry)
    head.writeUInt8(size % 256, entry + 1)
    head.writeUInt16LE(1, entry + 4)
    head.writeUInt16LE(32, entry + 6)
    head.writeUInt32LE(length, entry + 8)
    head.writeUInt32LE(at, entry + 12)
    at += length
  }
  return Buffer.concat([head, ...sizes.map((size) => pngs.get(size))])
}

/** The ICNS format: per image a type of four letters, a length that includes this 8-byte header, and the PNG. */
function icns(entries) {
  const block = (name, bytes) => {
    const head = Buffer.alloc(8)
    head.write(name, 0, 'ascii')
    head.writeUInt32BE(bytes.length + 8, 4)
    return Buffer.concat([head, bytes])
  }
  return block('icns', Buffer.concat(entries.map(([name, size]) => block(name, pngs.get(size)))))
}
