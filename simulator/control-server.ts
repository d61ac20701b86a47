import { timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { DemoAction } from '#contract/platform/demo.ts'
import { type UpdateFault, updateFaults } from './updates.ts'

/**
 * Triggers actions of machines: `POST /machines/{serial}/{action}` with the token as a bearer. The action `update-{fault}` breaks its
 * next updates (`updateFaults`), `update-repaired` repairs it. `GET /machines/{serial}`
 * checks whether a machine is simulated here. Listens on loopback only. Answers 202 for an action, 204 for a check, 404 for
 * an unknown machine, 400 for an unknown action, 401 without the token.
 */
export async function startControlServer(options: {
  port: number
  token: string
  /** False for an unknown machine. */
  act(serial: string, action: DemoAction): boolean
  has(serial: string): boolean
  breakUpdates(serial: string, fault: UpdateFault | null): boolean
}): Promise<Server> {
  const expected = Buffer.from(`Bearer ${options.token}`)
  const server = createServer((request, response) => {
    const answer = (status: number) => response.writeHead(status).end()
    const given = Buffer.from(request.headers.authorization ?? '')
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return answer(401)
    const [, serial, action] = /^\/machines\/([^/]+)(?:\/([^/]+))?$/.exec(request.url ?? '') ?? []
    if (request.method === 'GET' && serial && !action)
      return answer(options.has(decodeURIComponent(serial)) ? 204 : 404)
    if (request.method !== 'POST' || !serial) return answer(404)
    const [, fault] = /^update-(\w+)$/.exec(action ?? '') ?? []
    if (fault === 'repaired' || updateFaults.some((one) => one === fault)) {
      const isKnown = options.breakUpdates(
        decodeURIComponent(serial),
        fault === 'repaired' ? null : (fault as UpdateFault),
      )
      return answer(isKnown ? 202 : 404)
    }
    const known = DemoAction.safeParse(action)
    if (!known.success) return answer(400)
    return answer(options.act(decodeURIComponent(serial), known.data) ? 202 : 404)
  })
  server.listen(options.port, '127.0.0.1')
  await once(server, 'listening')
  return server
}
