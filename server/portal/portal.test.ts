import { expect, test } from 'vitest'
import { contentPolicy } from './portal.ts'

const key = '01234567-89ab-cdef-0123-456789abcdef'
const rulesOf = (config: Parameters<typeof contentPolicy>[0]) =>
  Object.fromEntries(
    contentPolicy(config)
      .split('; ')
      .map((rule) => [rule.split(' ')[0], rule.split(' ').slice(1).join(' ')]),
  )
const none = {
  OIDC_ISSUER: undefined,
  INSTRUMENTATION_KEY: undefined,
  ANALYTICS_CODE: undefined,
  MAP_TILES_URL: undefined,
}

test('without keys the portal connects only to its own server', () => {
  expect(contentPolicy(none)).not.toMatch(/https?:/)
  expect(rulesOf(none)).toMatchObject({ 'script-src': "'self'", 'connect-src': "'self'", 'frame-src': "'self'" })
})

test('with a connection string it may report to that endpoint only', () => {
  const rules = rulesOf({
    ...none,
    INSTRUMENTATION_KEY: `InstrumentationKey=${key};IngestionEndpoint=https://eu.in.test/`,
  })
  expect(rules).toMatchObject({ 'script-src': "'self'", 'connect-src': "'self' https://eu.in.test" })
  expect(rules['frame-src']).toBe("'self'")
})

test('with a tag it may load Google’s script, which may report', () => {
  const rules = rulesOf({ ...none, ANALYTICS_CODE: 'G-ABC123' })
  expect(rules['script-src']).toBe("'self' https://www.googletagmanager.com")
  expect(rules['connect-src']).toContain('https://*.google-analytics.com')
  expect(rules['frame-src']).toBe("'self'")
})

test('the portal may connect to the identity provider and frame it', () => {
  const rules = rulesOf({ ...none, OIDC_ISSUER: 'https://login.test/realms/g' })
  expect(rules).toMatchObject({ 'connect-src': "'self' https://login.test", 'frame-src': "'self' https://login.test" })
})

test('with an address of tiles it may load pictures of maps from that host only', () => {
  const rules = rulesOf({ ...none, MAP_TILES_URL: 'https://tiles.test/{z}/{x}/{y}.png' })
  expect(rules).toMatchObject({
    'script-src': "'self'",
    'img-src': "'self' https://tiles.test data: blob:",
    'connect-src': "'self' https://tiles.test",
    'frame-src': "'self'",
  })
})
