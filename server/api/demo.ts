import type { demo } from '#contract/demo.ts'
import { ProductError } from '#contract/errors.ts'
import type { Handlers } from './handler.ts'
import { machineOf } from './refuse.ts'

export const demoHandlers: Handlers<typeof demo> = {
  actOnMachine: async ({ db, config, params, body, request }) => {
    if (!config.DEMO || !config.SIMULATOR_URL) throw new ProductError('DemoOnly')
    const machine = await machineOf(db, params.posId)
    const address = new URL(`/machines/${encodeURIComponent(machine.serial)}/${body.action}`, config.SIMULATOR_URL)
    const token = address.password
    address.username = ''
    address.password = ''
    const answer = await fetch(address, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      signal: AbortSignal.timeout(5000),
    }).catch((error: unknown) => {
      request.log.warn({ err: error }, 'the simulator does not answer')
      throw new ProductError('ServiceUnavailable')
    })
    if (!answer.ok) throw new ProductError(answer.status === 404 ? 'MachineNotFound' : 'ServiceUnavailable')
    return body
  },
}
