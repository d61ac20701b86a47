/** The bytes to send: from `start` to `end`, both included. */
export interface ByteRange {
  start: number
  end: number
}

/**
 * The single range that a request asks for (RFC 9110, section 14). `whole`: none, or a form that may be ignored, such as several
 * ranges. `beyond`: it begins at or after the end.
 */
export function rangeOf(header: string | undefined, size: number): ByteRange | 'whole' | 'beyond' {
  const [, from = '', to = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? '') ?? []
  if (from === '' && to === '') return 'whole'
  if (from === '') {
    const last = Number(to)
    return last === 0 ? 'beyond' : { start: Math.max(0, size - last), end: size - 1 }
  }
  const start = Number(from)
  if (to !== '' && Number(to) < start) return 'whole'
  if (start >= size) return 'beyond'
  return { start, end: to === '' ? size - 1 : Math.min(Number(to), size - 1) }
}
