/** The first 16-bit groups of an IPv6 address; an IPv4 address is itself, also when it is written as IPv6. */
function prefixOf(address: string, length: number): string {
  if (address.includes('.')) return address.replace(/^::ffff:/i, '')
  if (!address.includes(':')) return address
  const [before = '', after] = address.toLowerCase().split('%')[0]?.split('::') ?? []
  const groups = (text: string) => (text === '' ? [] : text.split(':'))
  const head = groups(before)
  const tail = groups(after ?? '')
  // "::" replaces zeros.
  const zeros = after === undefined ? [] : Array.from({ length: 8 - head.length - tail.length }, () => '0')
  return [...head, ...zeros, ...tail].slice(0, length).join(':')
}

/** Whether an address is of a private network or of the machine itself (RFC 1918, 4193, 6598), so that it names no place. */
export const isLocalAddress = (address: string): boolean => {
  const one = prefixOf(address, 8).toLowerCase()
  return one.includes('.')
    ? /^(10|127|192\.168|169\.254|172\.(1[6-9]|2\d|3[01])|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\./.test(one)
    : /^(f[cd]|fe[89ab])|^(0:){7}1$/.test(one)
}

/** From whose site an address is, for counting attempts: an IPv6 customer owns a /64 at least, so its addresses count as one. */
export const siteOf = (address: string): string => prefixOf(address, 4)

/** The same, wider: an IPv6 /48 may belong to one customer, with 65,536 sites. */
export const networkOf = (address: string): string => prefixOf(address, 3)
