import { expect, test } from 'vitest'
import { isLocalAddress, networkOf, siteOf } from './network-site.ts'

test.each([
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::9'],
  // A site whose own part is zeros is written short.
  ['2001:db8::1', '2001:db8::2'],
  ['2001:db8::1', '2001:DB8:0:0:ffff::7'],
  ['fe80::1%eth0', 'fe80::2'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
])('%s and %s are one site', (one, other) => {
  expect(siteOf(one)).toBe(siteOf(other))
})

test.each([
  ['2001:db8:1:2::1', '2001:db8:1:3::1'],
  ['2001:db8::1', '2001:db8:0:1::1'],
  ['192.0.2.1', '192.0.2.2'],
  ['::ffff:192.0.2.1', '::ffff:192.0.2.2'],
  ['::1', '2001::1'],
])('%s and %s are two sites', (one, other) => {
  expect(siteOf(one)).not.toBe(siteOf(other))
})

test('one IPv6 /48 is one network, and its neighbour is another', () => {
  expect(networkOf('2001:db8:1:2::1')).toBe(networkOf('2001:db8:1:ffff::9'))
  expect(networkOf('2001:db8:1:2::1')).not.toBe(networkOf('2001:db8:2:2::1'))
  expect(networkOf('192.0.2.1')).not.toBe(networkOf('192.0.2.2'))
})

test.each([
  ['127.0.0.1', true],
  ['::1', true],
  ['10.1.2.3', true],
  ['172.16.0.1', true],
  ['172.32.0.1', false],
  ['192.168.178.20', true],
  ['::ffff:192.168.1.1', true],
  ['100.64.0.1', true],
  ['100.128.0.1', false],
  ['fd12:3456::1', true],
  ['fe80::1%eth0', true],
  ['2001:db8::1', false],
  ['192.0.2.7', false],
  ['', false],
])('%s is of a local network: %s', (address, is) => {
  expect(isLocalAddress(address)).toBe(is)
})
