import { lookup } from 'node:dns'
import { type AgentOptions, Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import { BlockList, isIP, type LookupFunction } from 'node:net'

/*
 * Connections to addresses that users choose. Addresses of our own network are refused when the connection opens, so neither a name
 * that resolves to one nor a redirect reaches them.
 */

/** Special-purpose addresses (RFC 6890 and its registries), and multicast. */
// A list with ::ffff:0:0/96 would also match every IPv4 address.
const special4 = new BlockList()
const special6 = new BlockList()
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const)
  special4.addSubnet(network, bits, 'ipv4')
for (const [network, bits] of [
  ['::', 128],
  ['::1', 128],
  // IPv4 inside IPv6: mapped, translated, 6to4 and Teredo.
  ['::ffff:0:0', 96],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['2001::', 32],
  ['2002::', 16],
  ['100::', 64],
  ['2001:db8::', 32],
  ['fc00::', 7],
  ['fe80::', 10],
  ['ff00::', 8],
] as const)
  special6.addSubnet(network, bits, 'ipv6')

/** Whether an IP address is on the public internet. */
export function isPublicAddress(address: string): boolean {
  const bare = address.replace(/^\[|\]$/g, '').split('%')[0] ?? ''
  const family = isIP(bare)
  if (family === 0) return false
  return family === 6 ? !special6.check(bare, 'ipv6') : !special4.check(bare, 'ipv4')
}

/** A connection was refused because of where it leads. */
export class AddressRefusedError extends Error {
  readonly reason: 'private' | 'other host'
  constructor(reason: 'private' | 'other host') {
    super(`Connection refused: ${reason}`)
    this.name = 'AddressRefusedError'
    this.reason = reason
  }
}

/** Resolves a name, and refuses it if any of its addresses is not public. */
const publicLookup: LookupFunction = (hostname, options, callback) =>
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    if (error) return callback(error, [])
    if (addresses.length === 0 || addresses.some(({ address }) => !isPublicAddress(address)))
      return callback(new AddressRefusedError('private'), [])
    if (options.all) return callback(null, addresses)
    const [first] = addresses
    callback(null, first?.address ?? '', first?.family)
  })

/**
 * Agents for one host of a user's choice: connections to other hosts, where a redirect may lead, are refused. With `isPublicOnly`
 * addresses that are not public are refused too.
 */
export function agentsFor(
  host: string,
  isPublicOnly: boolean,
  options: Pick<AgentOptions, 'keepAlive'> = {},
): { httpAgent: HttpAgent; httpsAgent: HttpsAgent } {
  const bare = (name: string) => name.replace(/^\[|\]$/g, '').toLowerCase()
  const guarded = <A extends HttpAgent>(agent: A): A => {
    const connecting: HttpAgent = agent
    const connect = connecting.createConnection.bind(agent)
    connecting.createConnection = (options, callback) => {
      const to = bare(options.host ?? '')
      if (to !== bare(host)) throw new AddressRefusedError('other host')
      if (isPublicOnly && isIP(to) !== 0 && !isPublicAddress(to)) throw new AddressRefusedError('private')
      return connect(isPublicOnly ? { ...options, lookup: publicLookup } : options, callback)
    }
    return agent
  }
  return { httpAgent: guarded(new HttpAgent(options)), httpsAgent: guarded(new HttpsAgent(options)) }
}
