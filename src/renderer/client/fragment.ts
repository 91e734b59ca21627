/** Parameters that a host passes to a page in the fragment of its address. */

export interface PageFragment {
  readonly token: string
  readonly open: string
}

/** Token and workspace of an address fragment such as `#token=…&open=ws_1`; empty strings when absent. */
export function readFragment(hash: string): PageFragment {
  const params = new URLSearchParams(hash.replace(/^#/, ''))
  return { token: params.get('token') ?? '', open: params.get('open') ?? '' }
}
