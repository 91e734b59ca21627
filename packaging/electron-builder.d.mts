interface System {
  readonly icon: string
  readonly extraFiles: readonly { readonly from: string; readonly to: string }[]
}
declare const config: {
  readonly files: readonly string[]
  readonly electronFuses: Readonly<Record<string, boolean>>
  readonly linux: System
  readonly mac: System
  readonly win: System
  readonly nsis: { readonly include: string }
  readonly deb: { readonly afterInstall: string; readonly afterRemove: string }
}
export default config
