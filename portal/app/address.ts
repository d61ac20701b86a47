const base = '/api/v1'

/** The address of an endpoint: path names filled in, query values once or once per element, empty values left out. */
export function addressOf(path: string, input: { params?: unknown; query?: unknown }) {
  const params = (input.params ?? {}) as Record<string, string>
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  const search = new URLSearchParams()
  for (const [key, value] of Object.entries((input.query ?? {}) as Record<string, unknown>)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined && one !== null && one !== '') search.append(key, String(one))
    }
  }
  const query = search.toString()
  return base + filled + (query && `?${query}`)
}
