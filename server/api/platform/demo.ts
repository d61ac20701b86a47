import type { FastifyRequest } from 'fastify'
import { ProductError } from '#contract/errors.ts'
import type { demo } from '#contract/platform/demo.ts'
import type { Config } from '#server/config.ts'
import type { Handlers } from '#server/http/handler.ts'
import { machineOf } from '#server/http/refuse.ts'

/**
 * Passes a call about a machine to the simulator. Throws DemoOnly without a simulator, and ServiceUnavailable when it does
 * not answer.
 */
async function askSimulator(config: Config, request: FastifyRequest, method: 'GET' | 'POST', path: string) {
  if (!config.simulatorUrl) throw new ProductError('DemoOnly')
  const address = new URL(path, config.simulatorUrl)
  const token = address.password
  address.username = ''
  address.password = ''
  const answer = await fetch(address, {
    method,
    headers: { authorization: `Bearer ${token}` },
    signal: AbortSignal.timeout(5000),
  }).catch((error: unknown) => {
    request.log.warn({ err: error }, 'The simulator does not respond')
    throw new ProductError('ServiceUnavailable')
  })
  if (!answer.ok && answer.status !== 404) throw new ProductError('ServiceUnavailable')
  return answer.ok
}
const placeOf = ({ serial }: { serial: string }) => `/machines/${encodeURIComponent(serial)}`

export const demoHandlers: Handlers<typeof demo> = {
  getSimulation: async ({ db, config, params, request }) => {
    const machine = await machineOf(db, params.posId)
    return { isSimulated: await askSimulator(config, request, 'GET', placeOf(machine)) }
  },

  actOnMachine: async ({ db, config, params, body, request }) => {
    const machine = await machineOf(db, params.posId)
    const isTaken = await askSimulator(config, request, 'POST', `${placeOf(machine)}/${body.action}`)
    if (!isTaken) throw new ProductError('MachineNotFound')
    return body
  },
}
