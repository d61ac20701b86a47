import { expect, test } from 'vitest'
import { ingestionOriginOf, isAnalyticsCode, withoutNames } from './telemetry.ts'

const key = '01234567-89ab-cdef-0123-456789abcdef'

test.each([
  [key, 'https://dc.services.visualstudio.com'],
  [`InstrumentationKey=${key}`, 'https://dc.services.visualstudio.com'],
  [
    `InstrumentationKey=${key};IngestionEndpoint=https://eu.in.example.com/;LiveEndpoint=https://x/`,
    'https://eu.in.example.com',
  ],
  [`instrumentationkey = ${key} ; ingestionendpoint = http://127.0.0.1:9000/v2`, 'http://127.0.0.1:9000'],
])('errors with key %s are reported to %s', (text, origin) => {
  expect(ingestionOriginOf(text)).toBe(origin)
})

test.each([
  '',
  'key',
  'InstrumentationKey=key',
  'IngestionEndpoint=https://eu.in.example.com/',
  `InstrumentationKey=${key};IngestionEndpoint=javascript:alert(1)`,
  `InstrumentationKey=${key};IngestionEndpoint=;`,
  `InstrumentationKey=${key};IngestionEndpoint=https:// 'unsafe-inline'`,
])('%s is not a key', (text) => {
  expect(ingestionOriginOf(text)).toBeUndefined()
})

test('a Google tag has its shape', () => {
  expect(['G-ABC123XYZ', 'GT-ABCD', 'UA-12345-1'].every(isAnalyticsCode)).toBe(true)
  expect(['', 'G-', 'g-abc123', "G-A';alert(1)", 'https://x'].some(isAnalyticsCode)).toBe(false)
})

test('an error is reported without names', () => {
  expect(
    withoutNames(`No ${key} for giulia.ferri@example.com at https://p.test/devices?search=Rossi (a.js:1:22)`),
  ).toBe('No <id> for <address> at https://p.test/devices (a.js:1:22)')
  expect(withoutNames('serial 40718263 is gone')).toBe('serial <number> is gone')
  expect(withoutNames('x'.repeat(10_000))).toHaveLength(4_000)
})
