// Using a part of Electron that the shim does not implement is an error that names it.
const HARMLESS = new Set(['then', 'toJSON', 'default'])

/** The same object; reading an absent member throws. */
export function strict(name, object) {
  return new Proxy(object, {
    get(target, key) {
      if (!(key in target) && typeof key !== 'symbol' && !HARMLESS.has(key)) {
        throw new Error(`electron shim: ${name}.${key} is not modelled`)
      }
      const value = Reflect.get(target, key, target)
      return typeof value === 'function' ? value.bind(target) : value
    }
  })
}
