/** The file the gallery's run changed: before and after. */

export const TOTAL_BEFORE = `import { sum } from './sum'
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

const FREE_FROM = 50_00

/** What one line of the cart costs before tax. */
function lineTotal(item: CartItem): number {
  const price = item.unitPrice.minor * item.quantity
  const off = item.discount ? Math.round(price * item.discount) : 0
  return price - off
}

export type CartRow = { item: CartItem; total: number }

/** Every line with its own total, in the order of the cart. */

export function cartTotal(cart: Cart, options: TotalOptions): CartTotal {
  const subtotal = sum(cart.items.map(lineTotal))
  const shipping = options.pickup || subtotal >= FREE_FROM ? 0 : cart.shipping
  return {
    subtotal: money(subtotal, options.currency),
    shipping: money(shipping, options.currency),
    total: money(subtotal + shipping, options.currency),
  }
}

function money(minor: number, currency: string): Money {
  if (!Number.isInteger(minor)) {
    throw new RangeError(\`not a whole number of minor units: \${minor}\`)
  }
  return { minor, currency }
}

/** True for a cart with nothing to pay for. */
export function isEmpty(cart: Cart): boolean {
  return cart.items.length === 0
}

const EMPTY_TOTAL = (currency: string): CartTotal => ({
  subtotal: money(0, currency),
  shipping: money(0, currency),
  total: money(0, currency),
})
`

export const TOTAL_AFTER = `import { add } from './add'
import { roundHalfEven } from './rounding'
import { taxFor, type TaxLine, type TaxRegion } from './tax'
import type { Cart, CartItem, Money } from './types'

export interface TotalOptions {
  currency: string
  /** Where the order ships to; it decides the tax rates. */
  region: TaxRegion
  /** Skip shipping, e.g. for a pick-up order. */
  pickup?: boolean
}

export interface CartTotal {
  subtotal: Money
  tax: TaxLine[]
  shipping: Money
  total: Money
}

const FREE_FROM = 50_00

/** What one line of the cart costs before tax. */
function lineTotal(item: CartItem): number {
  const price = item.unitPrice.minor * item.quantity
  const off = item.discount ? Math.round(price * item.discount) : 0
  return price - off
}

export type CartRow = { item: CartItem; total: number }

/** Every line with its own total, in the order of the cart. */

export function cartTotal(
  cart: Cart,
  { currency, region, pickup }: TotalOptions,
): CartTotal {
  const subtotal = add(cart.items.map(lineTotal))
  const shipping = pickup || subtotal >= FREE_FROM ? 0 : cart.shipping

  // One line per rate: receipts have to show them apart.
  const tax = taxFor(cart.items, region, lineTotal)
  const taxTotal = add(tax.map((line) => roundHalfEven(line.amount)))

  return {
    subtotal: money(subtotal, currency),
    tax,
    shipping: money(shipping, currency),
    total: money(subtotal + taxTotal + shipping, currency),
  }
}

function money(minor: number, currency: string): Money {
  if (!Number.isInteger(minor)) {
    throw new RangeError(\`not a whole number of minor units: \${minor}\`)
  }
  return { minor, currency }
}

/** True for a cart with nothing to pay for. */
export function isEmpty(cart: Cart): boolean {
  return !cart.items.some((item) => item.quantity > 0)
}

const EMPTY_TOTAL = (currency: string): CartTotal => ({
  subtotal: money(0, currency),
  tax: [],
  shipping: money(0, currency),
  total: money(0, currency),
})
`
