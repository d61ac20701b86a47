/**
 * From whose site an address is, for counting attempts: an IPv6 customer owns a /64 at least, so its addresses count as one; an
 * IPv4 address stands for itself, also written as IPv6.
 */
export function siteOf(address: string): string {
  if (!address.includes(':') || address.includes('.')) return address
  const [before = '', after] = address.toLowerCase().split('%')[0]?.split('::') ?? []
  const groups = (text: string) => (text === '' ? [] : text.split(':'))
  const [head, tail] = [groups(before), groups(after ?? '')]
  // What "::" leaves out are zeros.
  const zeros = after === undefined ? [] : Array.from({ length: 8 - head.length - tail.length }, () => '0')
  return [...head, ...zeros, ...tail].slice(0, 4).join(':')
}
