import { existsSync } from 'node:fs'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { tileOriginOf } from '#domain/machines/map-tiles.ts'
import { analyticsOrigins, ingestionOriginOf } from '#domain/machines/telemetry.ts'
import type { Config } from '../config.ts'
import { registerKeyApp } from '../key-app/routes.ts'

const folder = join(import.meta.dirname, '..', '..', 'dist', 'portal')

/** Paths of the server. An unknown path below them is a problem document, not the portal. */
const serverPaths = /^\/(api|identity|mailbox|device|health|metrics|key|key-app)(\/|$)/
/** The address in a machine's QR image. */
const machineCode = /^\/m\/([0-9a-f]{12})$/

/**
 * Headers of session-frame.html, where the identity provider answers in a frame or popup of the portal. It runs one script
 * and loads nothing. With its own opener policy, the popup would lose its connection to the portal.
 */
const frameHeaders = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'",
  'cross-origin-opener-policy': 'unsafe-none',
  'referrer-policy': 'same-origin',
} as const

/** Small scripts that pages wait for, under a fixed name: the browser uses its copy at once and fetches the next one meanwhile. */
const reusedScript = 'public, max-age=60, stale-while-revalidate=86400'

/** Serves the built portal: hashed files are cached forever, the page itself never. Unknown paths go to its router. */
export async function registerPortal(
  app: FastifyInstance,
  config: Config,
  portalOf: Parameters<typeof registerKeyApp>[1]['portalOf'],
  /** The public page of the machine with a QR code, if there is one. */
  publicPageOf?: (code: string, address: string) => Promise<string | undefined>,
): Promise<void> {
  if (!existsSync(join(folder, 'index.html')))
    throw new Error('The portal is not built: run npm start or npm run serve.')
  const policy = contentPolicy(config)
  const secure = (reply: FastifyReply) =>
    reply
      .header('content-security-policy', policy)
      .header('x-content-type-options', 'nosniff')
      .header('referrer-policy', 'strict-origin-when-cross-origin')
      .header('x-frame-options', 'SAMEORIGIN')
      // Sign-in popups keep their opener.
      .header('cross-origin-opener-policy', 'same-origin-allow-popups')
  const serve = { preCompressed: true, index: false, dotfiles: 'ignore' } as const
  // Their names contain a digest of their content, so they never change.
  await app.register(fastifyStatic, {
    ...serve,
    root: join(folder, 'assets'),
    prefix: '/assets/',
    // The page has its own cache headers: cached forever, it would show an old portal.
    decorateReply: false,
    setHeaders: (response) => {
      response
        .header('cache-control', 'public, max-age=31536000, immutable')
        .header('x-content-type-options', 'nosniff')
        .header('vary', 'accept-encoding')
    },
  })
  await app.register(fastifyStatic, {
    ...serve,
    root: folder,
    wildcard: false,
    globIgnore: ['assets/**', 'key-app/**', '**/index.html'],
    setHeaders: (response, path) => {
      response
        .header('cache-control', path.endsWith('.js') ? reusedScript : 'no-cache')
        .header('x-content-type-options', 'nosniff')
        .header('vary', 'accept-encoding')
      if (path.endsWith('session-frame.html')) response.headers(frameHeaders)
    },
  })
  await registerKeyApp(app, { folder: join(folder, 'key-app'), portalOf })
  app.get('/*', { schema: { hide: true }, config: { isQuiet: true } }, async (request, reply) => {
    const [path = ''] = request.url.split('?')
    if (serverPaths.test(path) || /\.[a-z0-9]{2,5}$/i.test(path)) return reply.callNotFound()
    // What a QR image leads to is for customers. In the browser of a user, the app leads back with `?staff` (portal/key/app/scanned.ts), and
    // the portal again with `?customer` where the user may not see the machine.
    const code = machineCode.exec(path)?.[1]
    const by = new URLSearchParams(request.url.split('?')[1])
    const page = code && !by.has('staff') ? await publicPageOf?.(code, request.ip) : undefined
    if (page)
      return reply.header('cache-control', 'no-store').redirect(by.has('customer') ? page : `${page}?scanned`, 302)
    return secure(reply)
      .header('cache-control', 'no-cache')
      .header('vary', 'accept-encoding')
      .sendFile('index.html', folder)
  })
}

/**
 * Allows only our own scripts and frames, and the identity provider. Other hosts are allowed only if configured: for error
 * reports, for Google's tag, and for the streets of maps. Mantine sets styles on elements.
 */
export function contentPolicy(
  config: Pick<Config, 'OIDC_ISSUER' | 'INSTRUMENTATION_KEY' | 'ANALYTICS_CODE' | 'MAP_TILES_URL'>,
): string {
  const issuer = config.OIDC_ISSUER ? [new URL(config.OIDC_ISSUER).origin] : []
  const reports = config.INSTRUMENTATION_KEY ? [ingestionOriginOf(config.INSTRUMENTATION_KEY)] : []
  const tiles = config.MAP_TILES_URL ? [tileOriginOf(config.MAP_TILES_URL)] : []
  const tag = config.ANALYTICS_CODE ? analyticsOrigins : { script: [], connect: [] }
  const selfAnd = (...origins: (string | undefined)[]) => ["'self'", ...origins.filter(Boolean)].join(' ')
  return [
    "default-src 'self'",
    `script-src ${selfAnd(...tag.script)}`,
    "style-src 'self' 'unsafe-inline'",
    `img-src ${selfAnd(...tag.connect, ...tiles)} data: blob:`,
    "font-src 'self' data:",
    "worker-src 'self' blob:",
    `connect-src ${selfAnd(...issuer, ...reports, ...tag.connect, ...tiles)}`,
    `frame-src ${selfAnd(...issuer)}`,
    "frame-ancestors 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "object-src 'none'",
  ].join('; ')
}
