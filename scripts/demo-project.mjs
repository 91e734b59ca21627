// Creates a small project with a recorded history, through the command line only. Used by the screenshots.
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { deflateSync } from 'node:zlib'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const driftline = join(root, 'bin/driftline')

/** Writes the project to `folder` and its history to `dataDir`. Both must be empty or missing. */
export function makeDemo(folder, dataDir) {
  const write = (path, text) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  const run = (...args) => {
    const done = spawnSync(driftline, [...args, '--data', dataDir, '--folder', folder], {
      cwd: folder,
      encoding: 'utf8'
    })
    if (done.status !== 0) throw new Error(`driftline ${args.join(' ')}: ${done.stderr}${done.stdout}`)
    return done.stdout
  }
  // Each run executes this script in another process: `node demo-project.mjs step FOLDER N`.
  const record = (title, step) => {
    const done = spawnSync(
      driftline,
      [
        'run',
        '--title',
        title,
        '--data',
        dataDir,
        '--folder',
        folder,
        '--',
        process.execPath,
        fileURLToPath(import.meta.url),
        'step',
        folder,
        step
      ],
      {
        cwd: folder,
        encoding: 'utf8'
      }
    )
    if (done.status !== 0) throw new Error(`driftline run ${title}: ${done.stderr}`)
  }
  mkdirSync(folder, { recursive: true })
  spawnSync('git', ['init', '-q', '-b', 'main', folder])
  write('.gitignore', 'node_modules/\ndist/\n')
  write('.env', 'STRIPE_KEY=sk_test_demo\n')
  write('node_modules/left-out/index.js', 'module.exports = 1\n')
  write('README.md', '# shop-api\n\nThe cart and checkout service.\n')
  write('package.json', '{\n  "name": "shop-api",\n  "type": "module",\n  "scripts": { "test": "node --test" }\n}\n')
  write('src/cart/total.ts', TOTAL)
  write('src/cart/sum.ts', SUM)
  write('src/cart/types.ts', TYPES)
  write(
    'src/cart/index.ts',
    "export { cartTotal } from './total'\nexport type { Cart, CartItem, Money } from './types'\n"
  )
  write(
    'src/session/store.ts',
    'const sessions = new Map<string, Session>()\n\nexport function load(id: string) {\n  return sessions.get(id)\n}\n'
  )
  write('test/cart/total.test.ts', TEST)
  write(
    'test/cart/sum.test.ts',
    "import { sum } from '../../src/cart/sum'\n\ntest('adds', () => {\n  expect(sum([1, 2])).toBe(3)\n})\n"
  )
  write('assets/receipt-logo.png', logo(90))
  write('openapi/shop.json', '{\n  "openapi": "3.1.0",\n  "paths": { "/cart": {} }\n}\n')
  run('add', folder)
  record('Move sessions to Redis', 'redis')
  record('Retry failed webhooks with a growing delay', 'webhooks')
  run('restore', 'latest', '--yes')
  run('checkpoint', '-m', 'Before the tax work')
  record('Add tax to the cart totals, one line per rate', 'tax')
  write('README.md', '# shop-api\n\nThe cart and checkout service. Prices are in cents.\n')
  writeFileSync(
    join(folder, 'src/cart/total.ts'),
    readFileSync(join(folder, 'src/cart/total.ts'), 'utf8').replace(
      'const FREE_FROM',
      '// Free from 50.00 until the new contract, see #412.\nconst FREE_FROM'
    )
  )
  run('status')
}

const STEPS = {
  redis: (write) =>
    write(
      'src/session/store.ts',
      "import { createClient } from 'redis'\n\nconst redis = createClient()\n\nexport async function load(id: string) {\n  const json = await redis.get('session:' + id)\n  return json ? JSON.parse(json) : undefined\n}\n"
    ),
  webhooks: (write) => write('src/webhooks/retry.ts', 'export const delays = [1, 5, 25, 125]\n'),
  tax: (write, folder) => {
    renameSync(join(folder, 'src/cart/sum.ts'), join(folder, 'src/cart/add.ts'))
    write('src/cart/add.ts', SUM.replace('function sum', 'function add').replace('Sums', 'Adds'))
    write('src/cart/tax.ts', TAX)
    write('src/cart/rounding.ts', ROUNDING)
    write('src/cart/total.ts', TOTAL_WITH_TAX)
    write(
      'src/cart/index.ts',
      "export { cartTotal } from './total'\nexport { taxFor } from './tax'\nexport type { Cart, CartItem, Money } from './types'\n"
    )
    write(
      'test/cart/total.test.ts',
      TEST.replace('currency: ', "region: 'DE', currency: ").replace(
        'total: 1190',
        'tax: [{ rate: 19, amount: 190 }], total: 1190'
      )
    )
    rmSync(join(folder, 'test/cart/sum.test.ts'))
    write('assets/receipt-logo.png', logo(180))
    write(
      'openapi/shop.json',
      '{\n  "openapi": "3.1.0",\n  "paths": {\n    "/cart": {},\n    "/cart/tax": { "get": { "summary": "Tax lines of a cart" } }\n  }\n}\n'
    )
    chmodSync(join(folder, 'package.json'), 0o755)
  }
}

const SUM = `import type { Money } from './types'

/** Sums a list of amounts. */
export function sum(amounts: Money[]): Money {
  let total = 0
  for (const amount of amounts) total += amount
  return total
}
`
const TYPES = `/** Cents; never a fraction. */
export type Money = number

export interface CartItem {
  price: Money
  quantity: number
}

export interface Cart {
  items: CartItem[]
  shipping: Money
}
`
const TOTAL = `import { sum } from './sum'
import type { Cart, CartItem, Money } from './types'

export interface TotalOptions {
  currency: string
  /** Skip shipping, e.g. for a pick-up order. */
  pickup?: boolean
}

export interface CartTotal {
  subtotal: Money
  shipping: Money
  total: Money
}

function lineTotal(item: CartItem): Money {
  if (!Number.isInteger(item.quantity) || item.quantity < 0) {
    throw new RangeError(\`quantity \${item.quantity}\`)
  }
  return item.price * item.quantity
}

/** Orders of this size and more are shipped for free. */
const FREE_FROM = 50_00

export function cartTotal(cart: Cart, options: TotalOptions): CartTotal {
  const subtotal = sum(cart.items.map(lineTotal))
  const shipping = options.pickup || subtotal >= FREE_FROM ? 0 : cart.shipping
  return { subtotal, shipping, total: subtotal + shipping }
}
`
const TOTAL_WITH_TAX = TOTAL.replace(
  "import { sum } from './sum'",
  "import { add } from './add'\nimport { roundHalfEven } from './rounding'\nimport { taxFor, type TaxLine, type TaxRegion } from './tax'"
)
  .replace(
    '  currency: string\n',
    '  currency: string\n  /** Where the order ships to; it decides the tax rates. */\n  region: TaxRegion\n'
  )
  .replace('  subtotal: Money\n', '  subtotal: Money\n  tax: TaxLine[]\n')
  .replace(
    'export function cartTotal(cart: Cart, options: TotalOptions): CartTotal {\n  const subtotal = sum(',
    'export function cartTotal(\n  cart: Cart,\n  { region, pickup }: TotalOptions\n): CartTotal {\n  const subtotal = add('
  )
  .replace('options.pickup ||', 'pickup ||')
  .replace(
    '  return { subtotal, shipping, total: subtotal + shipping }',
    '  const tax = taxFor(region, subtotal + shipping)\n  const total = subtotal + shipping + add(tax.map((line) => line.amount))\n  return { subtotal, tax, shipping, total: roundHalfEven(total) }'
  )
const TAX = `import type { Money } from './types'

export type TaxRegion = 'DE' | 'FR' | 'US-CA'

export interface TaxLine {
  rate: number
  amount: Money
}

const RATES: Record<TaxRegion, number[]> = {
  DE: [19],
  FR: [20],
  'US-CA': [6, 1.25]
}

/** One line per rate, in the order they are printed on the receipt. */
export function taxFor(region: TaxRegion, net: Money): TaxLine[] {
  return RATES[region].map((rate) => ({ rate, amount: Math.round((net * rate) / 100) }))
}
`
const ROUNDING = `/** Rounds .5 to the even neighbour, so that many receipts do not drift upwards. */
export function roundHalfEven(value: number): number {
  const floor = Math.floor(value)
  const half = value - floor === 0.5
  return half ? floor + (floor % 2) : Math.round(value)
}
`
const TEST = `import { cartTotal } from '../../src/cart/total'

test('shipping is part of the total', () => {
  const cart = { items: [{ price: 500, quantity: 2 }], shipping: 0 }
  expect(cartTotal(cart, { currency: 'EUR' })).toEqual({ subtotal: 1000, shipping: 0, total: 1190 })
})
`

/** A square PNG, generated so that the repository needs no binary fixture. */
function logo(green) {
  const size = 48
  const rows = Buffer.alloc((size * 3 + 1) * size)
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      const inside = (x - 24) ** 2 + (y - 24) ** 2 < 400
      rows.set(inside ? [40, green, 220] : [245, 246, 250], y * (size * 3 + 1) + 1 + x * 3)
    }
  }
  const chunk = (type, data) => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
    const out = Buffer.alloc(body.length + 8)
    out.writeUInt32BE(data.length, 0)
    body.copy(out, 4)
    out.writeUInt32BE(crc(body), body.length + 4)
    return out
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(size, 0)
  header.writeUInt32BE(size, 4)
  header.set([8, 2, 0, 0, 0], 8)
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0))
  ])
}

function crc(bytes) {
  let value = ~0
  for (const byte of bytes) {
    value ^= byte
    for (let i = 0; i < 8; i++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1
  }
  return ~value >>> 0
}

if (process.argv[2] === 'step') {
  const [folder, step] = process.argv.slice(3)
  STEPS[step]((path, text) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }, folder)
} else if (process.argv[2] === 'make') {
  makeDemo(resolve(process.argv[3]), resolve(process.argv[4]))
}
