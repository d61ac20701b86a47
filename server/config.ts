import { createHmac, randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { networkInterfaces } from 'node:os'
import { basename, isAbsolute } from 'node:path'
import { z } from 'zod'
import { Language } from '#contract/vocabulary/world/languages.ts'
import {
  type Retention,
  readRetention,
  retentionDefaults,
  retentionMaximum,
  retentionMinimum,
} from '#domain/frame/retention.ts'
import { type SecretWeakness, weaknessOf } from '#domain/frame/secret-strength.ts'
import { tileOriginOf } from '#domain/machines/map-tiles.ts'
import { ingestionOriginOf, isAnalyticsCode } from '#domain/machines/telemetry.ts'
import { type BlobAddress, blobAddressOf, blobAddressRule } from './files/blob-address.ts'

const port = (fallback: number) => z.coerce.number().int().min(0).max(65_535).default(fallback)
const list = z
  .string()
  .default('')
  .transform((text) =>
    text
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean),
  )
const optional = z
  .string()
  .optional()
  .transform((text) => text || undefined)
const file = optional.refine((path) => path === undefined || existsSync(path), 'names no file')
const flag = z
  .enum(['true', 'false'])
  .default('false')
  .transform((text) => text === 'true')

const blobAddress = optional.transform((text, context): BlobAddress | undefined => {
  const address = text === undefined ? undefined : blobAddressOf(text)
  if (text === undefined || address) return address
  context.addIssue({ code: 'custom', message: blobAddressRule })
  return z.NEVER
})

const Environment = z.object({
  PORT: port(8080),
  HOST: z.string().default('127.0.0.1'),
  MQTT_PORT: port(1883),
  MQTT_HOST: z.string().default('127.0.0.1'),
  DATA_DIR: z.string().default('.data'),
  DATABASE_URL: optional,
  /** Where files are, unless in DATA_DIR: a bucket or a folder. */
  BLOB_URL: blobAddress,
  /** Where backups are stored; without it there are none. */
  BACKUP_URL: blobAddress,
  /** Public keys of age for which backups are encrypted. */
  BACKUP_RECIPIENTS: list.refine(
    (keys) => keys.every((key) => key.startsWith('age1') && key.length >= 62 && /^[a-z0-9]+$/.test(key)),
    'must be public keys of age, such as age1…',
  ),
  /** Paths of files of other programs that belong into the backup, such as the accounts of a broker. */
  BACKUP_FILES: list
    .refine((paths) => paths.every((path) => isAbsolute(path)), 'must be absolute paths')
    .refine(
      (paths) => new Set(paths.map((path) => basename(path))).size === paths.length,
      'must have names of their own',
    ),
  /** Hours between two copies of the server. */
  BACKUP_HOURS: z.coerce.number().int().min(1).max(720).default(24),
  /** For so many days the server can be restored to any moment. */
  BACKUP_DAYS: z.coerce.number().int().min(1).max(3660).default(14),
  /** The certificate and its key. With them, the embedded broker accepts TLS only. */
  MQTT_TLS_CERT_FILE: file,
  MQTT_TLS_KEY_FILE: file,
  MQTT_URL: optional,
  /** The CA of the broker at MQTT_URL, unless Node trusts it already. */
  MQTT_CA_FILE: file,
  /**
   * How the machines' accounts on that broker are created: by an administrator, or by us with Mosquitto's dynamic security
   * plugin.
   */
  MQTT_ACCOUNTS: z.enum(['by-hand', 'dynamic-security']).default('by-hand'),
  /** Distinguishes several gateways of one host on an external broker. */
  GATEWAY_NAME: z.string().default('1'),
  PUBLIC_URL: optional,
  /** The host to which machines connect, if it differs from the broker's own address. */
  MQTT_PUBLIC_HOST: optional,
  MQTT_PUBLIC_URL: optional.refine(
    (text) => text === undefined || /^mqtts?:$/.test(URL.parse(text)?.protocol ?? ''),
    'must begin with mqtt:// or mqtts://',
  ),
  TENANT: z
    .string()
    .regex(/^[A-Z0-9]+$/)
    .default('GETTONE'),
  SECRET_KEY: optional,
  DEFAULT_LANGUAGE: optional.pipe(Language.optional()),
  OIDC_ISSUER: optional,
  OIDC_CLIENT_ID: z.string().default('gettone-portal'),
  OIDC_AUDIENCE: z.string().default('gettone-api'),
  OIDC_SCOPE: z.string().default('gettone.read'),
  OIDC_RESOURCE: optional,
  OIDC_TOKEN_TYPE: optional,
  OIDC_ALGORITHMS: list,
  /** Words that `scope` of an external provider's access tokens must have. */
  OIDC_TOKEN_SCOPE: list,
  /** The external provider writes the type of logout tokens: others are refused. */
  OIDC_LOGOUT_TOKEN_TYPED: flag,
  OIDC_CHANGE_PASSWORD_URL: optional,
  /** The claim with the role: its name, also in a namespace, or a path inside of objects. */
  OIDC_ROLE_CLAIM: z.string().min(1).max(200).default('userRole'),
  /** Values of the claim `acr` that stand for several factors, at a provider that does not send `amr`. */
  OIDC_SECOND_FACTOR_ACR: list,
  /** Super admins need a second factor. Merchants have settings of their own for their users. */
  SUPER_ADMIN_SECOND_FACTOR: flag,
  SMTP_URL: optional,
  MAIL_FROM: z.string().default('Gettone <no-reply@gettone.local>'),
  FIRST_ADMIN_EMAIL: z.string().trim().toLowerCase().pipe(z.email()).optional(),
  INSTRUMENTATION_KEY: optional.refine(
    (text) => text === undefined || ingestionOriginOf(text) !== undefined,
    'is neither an instrumentation key nor a connection string of Application Insights',
  ),
  ANALYTICS_CODE: optional.refine(
    (text) => text === undefined || isAnalyticsCode(text),
    'is no Google tag such as G-ABC123XYZ',
  ),
  /** Where maps get streets: the address of tiles with {z}, {x} and {y}. Without it they show countries alone. */
  MAP_TILES_URL: optional.refine(
    (text) => text === undefined || tileOriginOf(text) !== undefined,
    'must be an https address with {z}, {x} and {y} in its path',
  ),
  /** Whom the tiles are of, as their owner requires it on each map. */
  MAP_TILES_ATTRIBUTION: optional,
  /** A routing service like OSRM, which orders the stops of rounds by roads. Without it they are ordered as the crow flies. */
  ROUTING_URL: optional.refine(
    (text) => text === undefined || /^https?:$/.test(URL.parse(text)?.protocol ?? ''),
    'must begin with http:// or https://',
  ),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  HTTPS: flag,
  DEMO: flag,
  TRUST_PROXY: flag,
  /** The default silence after which a machine is reported as missing. Merchants may set their own. */
  NO_DATA_MINUTES: z.coerce.number().int().min(5).max(43_200).default(60),
  /** Months for which raw rows are stored, per table. */
  RETENTION_MONTHS: z
    .string()
    .default('')
    .transform((text, context): Retention => {
      const retention = readRetention(text)
      if (retention) return retention
      const tables = Object.keys(retentionDefaults).join(', ')
      context.addIssue({
        code: 'custom',
        message: `must read like transactions=120,events=24: ${tables}, each ${retentionMinimum} to ${retentionMaximum}`,
      })
      return z.NEVER
    }),
  METRICS_TOKEN: optional.refine(
    (text) => text === undefined || /^[\w.~+/=-]{16,}$/.test(text),
    'must have 16 characters or more, without spaces',
  ),
  METRICS_PORT: z.coerce.number().int().min(1).max(65_535).optional(),
  METRICS_HOST: z.string().default('127.0.0.1'),
  /** A collector of OpenTelemetry that takes OTLP over HTTP (JSON). */
  OTEL_EXPORTER_OTLP_ENDPOINT: optional.refine(
    (text) => text === undefined || /^https?:$/.test(URL.parse(text)?.protocol ?? ''),
    'must begin with http:// or https://',
  ),
  /** The share of traces that is sent. */
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number().min(0).max(1).default(1),
  /** Milliseconds between two sendings of metrics. */
  OTEL_METRIC_EXPORT_INTERVAL: z.coerce.number().int().min(1000).default(60_000),
  /** Statements that take this many milliseconds or longer are on the status page. */
  SLOW_STATEMENT_MS: z.coerce.number().int().min(1).default(500),
  MAX_HTTP_CONNECTIONS: z.coerce.number().int().positive().default(5000),
  MAX_MQTT_CONNECTIONS: z.coerce.number().int().positive().default(20_000),
  /** Calls of one API token, and of one user, that a process accepts in a minute. */
  TOKEN_CALLS: z.coerce.number().int().min(1).default(600),
  USER_CALLS: z.coerce.number().int().min(1).default(3000),
  /** Maximum rows of an immediate export. Longer lists are exported in the background. */
  EXPORT_MAX_RESULTS: z.coerce.number().int().min(1).max(1_000_000).default(10_000),
  /** Maximum media of one batch refund. */
  BATCH_REFUND_MAX: z.coerce.number().int().min(1).max(500).default(100),
  /** How long a background export is available. */
  EXPORT_HOURS: z.coerce.number().int().min(1).max(720).default(24),
  /** Maximum data retrieval requests of a merchant that wait or are written. */
  DATA_RETRIEVAL_MAX: z.coerce.number().int().min(1).max(100).default(5),
  /** How long the file of a data retrieval request is available. */
  DATA_RETRIEVAL_HOURS: z.coerce.number().int().min(1).max(2160).default(168),
  DATABASE_POOL: z.coerce.number().int().min(2).max(200).default(20),
})

export type Config = z.output<typeof Environment> & {
  production: boolean
  /** SECRET_KEY, or the one kept in the data folder: it opens the deployment's secret in the database. */
  masterKey: string
  /** The deployment's own secret. Other secrets are derived from it or encrypted with it. Until a database is opened it is the master key. */
  secretKey: string
  /** The address at which browsers and machines reach us. */
  publicUrl: string
  /** Every origin that serves the portal, publicUrl's first. The embedded identity provider accepts no other. */
  publicOrigins: string[]
  rolePassword: string
  /** The address at which the demo's simulator accepts actions; set once it runs. */
  simulatorUrl?: string | undefined
  version: string
}

/** One sentence per mistake of the environment. */
export class ConfigError extends Error {
  readonly sentences: string[]
  constructor(sentences: string[]) {
    super(sentences.join('\n'))
    this.name = 'ConfigError'
    this.sentences = sentences
  }
}

const better = 'use random characters, such as those of: openssl rand -base64 48'
const weaknesses = {
  short: 'SECRET_KEY must have at least 32 characters.',
  wellKnown: `SECRET_KEY contains a well-known word; ${better}.`,
  repeated: `SECRET_KEY repeats itself or follows a sequence; ${better}.`,
  words: `SECRET_KEY consists of words; ${better}.`,
} as const satisfies Record<SecretWeakness, string>

/**
 * Reads the environment. In production a secret is required, and must be hard to guess (`weaknessOf`). Elsewhere
 * `keptSecret` (from the data folder) or a new random secret is used.
 */
export function readConfig(
  environment: Record<string, string | undefined>,
  options: { production: boolean; keptSecret?: string; version?: string },
): Config {
  const read = Environment.safeParse(environment)
  const sentences: string[] = []
  if (!read.success) {
    for (const fault of read.error.issues) sentences.push(`${fault.path.join('.')}: ${fault.message}.`)
    throw new ConfigError(sentences)
  }
  const settings = read.data
  const secretKey = settings.SECRET_KEY ?? options.keptSecret ?? randomBytes(32).toString('base64url')
  if (options.production) {
    if (!settings.SECRET_KEY) sentences.push('SECRET_KEY must be set in production: 32 random characters or more.')
    else {
      const weakness = weaknessOf(settings.SECRET_KEY)
      if (weakness) sentences.push(weaknesses[weakness])
    }
    if (!settings.PUBLIC_URL)
      sentences.push('PUBLIC_URL must be the address of this server in browsers, such as https://portal.example.com.')
    else if (!isSafeFromListeners(settings.PUBLIC_URL))
      sentences.push('PUBLIC_URL must start with https:// in production, because it carries passwords and tokens.')
    if (!settings.SMTP_URL)
      sentences.push('SMTP_URL must be set in production to email invitations, alarms and password resets.')
    if (settings.DEMO)
      sentences.push('DEMO cannot be used in production, because demo accounts have a public password.')
  }
  if (!settings.MQTT_TLS_CERT_FILE !== !settings.MQTT_TLS_KEY_FILE)
    sentences.push('Set both MQTT_TLS_CERT_FILE and MQTT_TLS_KEY_FILE, or neither.')
  if (settings.DEMO && settings.MQTT_TLS_CERT_FILE)
    sentences.push('DEMO cannot be used with MQTT_TLS_CERT_FILE, because simulated machines do not use TLS.')
  if (settings.MAP_TILES_URL && !settings.MAP_TILES_ATTRIBUTION)
    sentences.push('MAP_TILES_ATTRIBUTION must name the owner of the tiles at MAP_TILES_URL.')
  if (settings.OIDC_ISSUER && !URL.canParse(settings.OIDC_ISSUER)) sentences.push('OIDC_ISSUER must be a URL.')
  for (const name of ['DATABASE_URL', 'MQTT_URL', 'PUBLIC_URL', 'SMTP_URL'] as const)
    if (settings[name] && !URL.canParse(settings[name])) sentences.push(`${name} must be a URL.`)
  if (sentences.length > 0) throw new ConfigError(sentences)
  const publicUrl = new URL(settings.PUBLIC_URL ?? originAt(settings.HTTPS, 'localhost', settings.PORT)).origin
  const isOpen = settings.HOST === '0.0.0.0' || settings.HOST === '::'
  const nearby = settings.PUBLIC_URL ? [] : ['127.0.0.1', ...(isOpen ? lanAddresses() : [])]
  return {
    ...settings,
    production: options.production,
    masterKey: secretKey,
    secretKey,
    publicUrl,
    publicOrigins: [...new Set([publicUrl, ...nearby.map((host) => originAt(settings.HTTPS, host, settings.PORT))])],
    rolePassword: createHmac('sha256', secretKey).update('database roles').digest('base64url'),
    version: options.version ?? '0.1.0',
  }
}

/** Whether traffic is safe from eavesdropping: it uses TLS, or never leaves this machine. */
const isSafeFromListeners = (text: string) => {
  const { protocol, hostname } = URL.parse(text) ?? { protocol: 'https:', hostname: '' }
  return protocol === 'https:' || ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
}

const originAt = (isSecure: boolean, host: string, port: number) =>
  new URL(`${isSecure ? 'https' : 'http'}://${host}:${port}`).origin

/** This machine's addresses on its networks, for a phone nearby. */
const lanAddresses = () =>
  Object.values(networkInterfaces())
    .flat()
    .filter((network) => network !== undefined)
    .filter((network) => network.family === 'IPv4' && !network.internal)
    .map((network) => network.address)
