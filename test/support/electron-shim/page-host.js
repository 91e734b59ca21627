// Runs first in the page. Provides the environment of a sandboxed preload; its source is inserted below.
;(() => {
  if (window !== window.top || 'electronShimEmit' in window) return
  const settings = /* SETTINGS */ {}
  const clone = (value) => structuredClone(value)

  const listeners = new Map()
  const ipcRenderer = {
    async invoke(channel, ...args) {
      const answer = await window.electronShimInvoke(channel, clone(args))
      if (answer.failed !== undefined) throw new Error(`Error invoking remote method '${channel}': ${answer.failed}`)
      return answer.ok
    },
    send(channel, ...args) {
      void window.electronShimSend(channel, clone(args))
    },
    on(channel, listener) {
      listeners.set(channel, [...(listeners.get(channel) ?? []), listener])
      return ipcRenderer
    },
    removeListener(channel, listener) {
      listeners.set(
        channel,
        (listeners.get(channel) ?? []).filter((known) => known !== listener)
      )
      return ipcRenderer
    }
  }
  Object.defineProperty(window, 'electronShimEmit', {
    value: (channel, args) => {
      for (const listener of listeners.get(channel) ?? [])
        listener({ sender: ipcRenderer, senderId: 0, ports: [] }, ...args)
    }
  })

  // The context bridge copies values, wraps functions in proxies that copy arguments and results, and freezes the exposed object.
  const pass = (value) => {
    if (typeof value === 'function') return proxy(value)
    if (value instanceof Promise) return value.then(pass)
    if (Array.isArray(value)) return Object.freeze(value.map(pass))
    if (value && Object.getPrototypeOf(value) === Object.prototype) {
      return Object.freeze(Object.fromEntries(Object.entries(value).map(([key, member]) => [key, pass(member)])))
    }
    return typeof value === 'object' && value !== null && !(value instanceof File) ? clone(value) : value
  }
  const proxy =
    (target) =>
    (...args) =>
      pass(target(...args.map(pass)))

  const electron = {
    ipcRenderer,
    contextBridge: {
      exposeInMainWorld(key, api) {
        if (key in window)
          throw new Error(`Cannot bind an API on top of an existing property on the window object: ${key}`)
        Object.defineProperty(window, key, { value: pass(api), enumerable: true })
      }
    },
    webUtils: {
      getPathForFile(file) {
        if (!(file instanceof File)) throw new TypeError('getPathForFile takes a File')
        return window.electronShimPaths?.[file.name] ?? ''
      }
    }
  }

  const require = (name) => {
    if (name === 'electron' || name === 'electron/renderer') return electron
    throw new Error(`module not found: ${name}: a sandboxed preload has electron and little else`)
  }
  const process = {
    platform: settings.platform,
    argv: settings.argv,
    type: 'renderer',
    sandboxed: true,
    contextIsolated: true,
    versions: { electron: 'shim' },
    env: {}
  }
  const module = { exports: {} }
  const preload = (_require, _module, _exports, _process) => {
    /* PRELOAD */
  }
  preload(require, module, module.exports, process)
})()
