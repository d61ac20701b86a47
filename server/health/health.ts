import { createHash, timingSafeEqual } from 'node:crypto'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { collectDefaultMetrics, Histogram, register } from 'prom-client'
import type { Doors } from '#database/frame/tenant.ts'
import type { Unwritable } from './write-probe.ts'

collectDefaultMetrics()

const answers = new Histogram({
  name: 'gettone_http_seconds',
  help: 'Time to answer, by method, route and status.',
  labelNames: ['method', 'route', 'status'],
  buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
})

interface HealthParts {
  doors: Doors
  isDraining: () => boolean
  /** Names the places that cannot be written to. */
  unwritable: () => Promise<Unwritable[]>
}

/** `/health/live`: the process runs. `/health/ready`: it can read and write; otherwise 503 with the reason. */
export function registerHealth(app: FastifyInstance, { doors, isDraining, unwritable }: HealthParts): void {
  app.get('/health/live', quiet, async () => ({ status: 'live' }))
  app.get('/health/ready', quiet, async (_request, reply) => {
    if (isDraining()) return reply.status(503).send({ status: 'draining' })
    await doors.withSystem('health', (db) => sql`select 1`.execute(db), 'single statement')
    const places = await unwritable()
    if (places.length > 0) return reply.status(503).send({ status: 'not writable', places })
    return { status: 'ready' }
  })
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'unknown'
    answers.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1000)
  })
}

const quiet = { schema: { hide: true }, config: { isQuiet: true } }

interface MetricsSettings {
  production: boolean
  METRICS_TOKEN?: string | undefined
  METRICS_PORT?: number | undefined
  METRICS_HOST: string
}

/**
 * `/metrics` for Prometheus. With a separate port, metrics are served there only; with a token, it is required as bearer.
 * In production without either there are none, since they show strangers how busy a deployment is.
 */
export async function registerMetrics(app: FastifyInstance, settings: MetricsSettings): Promise<void> {
  const { METRICS_TOKEN: token, METRICS_PORT: port, METRICS_HOST: host, production } = settings
  const answer = async (request: FastifyRequest, reply: FastifyReply) => {
    if (token && !isBearer(request, token))
      return reply.status(401).header('www-authenticate', 'Bearer realm="metrics"').send()
    return reply
      .type(register.contentType)
      .header('x-content-type-options', 'nosniff')
      .send(await register.metrics())
  }
  if (port === undefined) {
    if (token || !production) app.get('/metrics', quiet, answer)
    return
  }
  const metricsApp = Fastify()
  metricsApp.get('/metrics', answer)
  await metricsApp.listen({ port, host })
  app.addHook('onClose', () => metricsApp.close())
}

const digest = (text: string) => createHash('sha256').update(text).digest()

const isBearer = ({ headers }: FastifyRequest, token: string) =>
  timingSafeEqual(digest(headers.authorization ?? ''), digest(`Bearer ${token}`))
