import { describe, expect, test } from 'vitest'
import { type ConfigError, readConfig } from './config.ts'

const sound = {
  SECRET_KEY: 'q3Jx0v7mZpL2bT9wRk5yHc8sNd4gVf6aXe1u',
  PUBLIC_URL: 'https://portal.example.com',
  SMTP_URL: 'smtps://mail.example.com',
}
const mistakes = (environment: Record<string, string | undefined>, production = true): string[] => {
  try {
    readConfig(environment, { production })
    return []
  } catch (error) {
    return (error as ConfigError).sentences
  }
}

test('an invalid Application Insights key or Google tag is refused with a sentence', () => {
  expect(mistakes({ INSTRUMENTATION_KEY: 'x', ANALYTICS_CODE: "G-1';" }, false)).toEqual([
    expect.stringMatching(/^INSTRUMENTATION_KEY.*connection string/),
    expect.stringMatching(/^ANALYTICS_CODE.*Google tag/),
  ])
  const tiles = 'https://tiles.example.com/{z}/{x}/{y}.png'
  expect(mistakes({ MAP_TILES_URL: 'https://tiles.example.com' }, false)).toEqual([
    expect.stringMatching(/^MAP_TILES_URL.*\{z\}/),
  ])
  expect(mistakes({ MAP_TILES_URL: tiles }, false)).toEqual([expect.stringMatching(/^MAP_TILES_ATTRIBUTION/)])
  expect(mistakes({ MAP_TILES_URL: tiles, MAP_TILES_ATTRIBUTION: '© Example' }, false)).toEqual([])
  const keys = { INSTRUMENTATION_KEY: '01234567-89ab-cdef-0123-456789abcdef', ANALYTICS_CODE: 'G-ABC123' }
  expect(mistakes({ ...sound, ...keys })).toEqual([])
})

test('the retention of raw rows is set per table in months', () => {
  expect(readConfig({ RETENTION_MONTHS: 'events=12' }, { production: false }).RETENTION_MONTHS).toMatchObject({
    events: 12,
    transactions: 120,
  })
  expect(mistakes({ RETENTION_MONTHS: 'alarms=12' }, false)).toEqual([
    expect.stringMatching(/^RETENTION_MONTHS: must read like .*cash_readings.* each 5 to 1200\.$/),
  ])
})

describe('production', () => {
  test('starts with a secret, an address and a way to send mail', () => {
    expect(mistakes(sound)).toEqual([])
    expect(readConfig(sound, { production: true })).toMatchObject({
      publicUrl: 'https://portal.example.com',
      publicOrigins: ['https://portal.example.com'],
    })
  })

  test('a missing, short or well-known secret is refused, each with its own sentence', () => {
    expect(mistakes({ ...sound, SECRET_KEY: undefined })).toEqual([expect.stringContaining('SECRET_KEY must be set')])
    expect(mistakes({ ...sound, SECRET_KEY: 'short' })).toEqual([expect.stringContaining('32 characters')])
    const wellKnown = `changeme-${sound.SECRET_KEY}`
    expect(mistakes({ ...sound, SECRET_KEY: wellKnown })).toEqual([expect.stringContaining('well-known')])
  })

  test('an address without TLS, and a secret with repetitions, are refused', () => {
    expect(mistakes({ ...sound, PUBLIC_URL: 'http://portal.example.com' })).toEqual([
      expect.stringContaining('https://'),
    ])
    expect(mistakes({ ...sound, PUBLIC_URL: 'http://localhost:8080' })).toEqual([])
    expect(mistakes({ ...sound, PUBLIC_URL: 'portal.example.com' })).toEqual(['PUBLIC_URL must be a URL.'])
    expect(mistakes({ ...sound, SECRET_KEY: 'ab'.repeat(30) })).toEqual([expect.stringContaining('random')])
  })

  test('the demo, a missing address and missing mail are refused, all in one report', () => {
    const { SECRET_KEY } = sound
    expect(mistakes({ SECRET_KEY, DEMO: 'true' })).toHaveLength(3)
  })

  test('mail is required with an external identity provider too, for our invitations', () => {
    const { SMTP_URL: _, ...rest } = sound
    const external = { OIDC_ISSUER: 'https://login.example.com' }
    expect(mistakes({ ...rest, ...external })).toEqual([expect.stringMatching(/^SMTP_URL /)])
    expect(mistakes({ ...sound, ...external })).toEqual([])
  })
})

test('each mistake in the environment has a sentence that names its variable', () => {
  expect(mistakes({ PORT: 'http', LOG_LEVEL: 'loud' }, false)).toEqual([
    expect.stringMatching(/^PORT: /),
    expect.stringMatching(/^LOG_LEVEL: /),
  ])
  expect(mistakes({ DATABASE_URL: 'nowhere' }, false)).toEqual(['DATABASE_URL must be a URL.'])
  expect(mistakes({ DEFAULT_LANGUAGE: 'xx' }, false)).toEqual([expect.stringMatching(/^DEFAULT_LANGUAGE: /)])
})

test('a broker’s certificate needs its key, and excludes every address without TLS', () => {
  const cert = import.meta.filename
  const key = import.meta.filename
  expect(mistakes({ MQTT_TLS_CERT_FILE: cert, MQTT_TLS_KEY_FILE: key }, false)).toEqual([])
  expect(mistakes({ MQTT_TLS_CERT_FILE: cert }, false)).toEqual([expect.stringContaining('or neither')])
  expect(mistakes({ MQTT_TLS_CERT_FILE: '/nowhere/a.crt', MQTT_TLS_KEY_FILE: key }, false)).toEqual([
    expect.stringMatching(/^MQTT_TLS_CERT_FILE.*names no file/),
  ])
  expect(mistakes({ MQTT_TLS_CERT_FILE: cert, MQTT_TLS_KEY_FILE: key, DEMO: 'true' }, false)).toEqual([
    expect.stringContaining('do not use TLS'),
  ])
  expect(mistakes({ MQTT_PUBLIC_URL: 'https://broker.example.com' }, false)).toEqual([
    expect.stringMatching(/^MQTT_PUBLIC_URL.*mqtts:/),
  ])
})

test('the database roles’ password is derived from the secret and differs from it', () => {
  const [one, two] = ['a', 'b'].map((letter) => readConfig({}, { production: false, keptSecret: letter.repeat(43) }))
  expect(one?.rolePassword).not.toBe(two?.rolePassword)
  expect(one?.rolePassword).not.toContain('aaaa')
})
