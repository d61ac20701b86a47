import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { collectDefaultMetrics, Histogram, register } from 'prom-client'
import type { Doors } from '#database/tenant.ts'

collectDefaultMetrics()

const answers = new Histogram({
  name: 'gettone_http_seconds',
  help: 'Time to answer, by method, route and status.',
  labelNames: ['method', 'route', 'status'],
  buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
})

/** `/health/live`: the process runs. `/health/ready`: it can serve. `/metrics`: Prometheus. */
export function registerHealth(app: FastifyInstance, doors: Doors, isDraining: () => boolean): void {
  const quiet = { schema: { hide: true }, config: { isQuiet: true } }
  app.get('/health/live', quiet, async () => ({ status: 'live' }))
  app.get('/health/ready', quiet, async (_request, reply) => {
    if (isDraining()) return reply.status(503).send({ status: 'draining' })
    await doors.withSystem('health', (db) => sql`select 1`.execute(db), 'single statement')
    return { status: 'ready' }
  })
  app.get('/metrics', quiet, async (_request, reply) => reply.type(register.contentType).send(await register.metrics()))
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'unknown'
    answers.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1000)
  })
}
