import { timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import { DemoAction } from '#contract/platform/demo.ts'
import { MediaAct, type MediaActResult, mediaActions } from './media/media-acts.ts'

const longestBody = 4096

import { type UpdateFault, updateFaults } from './downloads/updates.ts'

/**
 * Triggers actions of machines: `POST /machines/{serial}/{action}` with the token as a bearer. The action `update-{fault}` breaks its
 * next updates (`updateFaults`), `update-repaired` repairs it. `GET /machines/{serial}`
 * checks whether a machine is simulated here. Listens on loopback only. Answers 202 for an action, 204 for a check, 404 for
 * an unknown machine, 400 for an unknown action, 401 without the token. Actions with a medium (`sell`, `recharge`, `collect`) have a
 * JSON body (`MediaAct` without `action`), and are answered 200 with their result when they have ended.
 */
export async function startControlServer(options: {
  port: number
  token: string
  /** False for an unknown machine. */
  act(serial: string, action: DemoAction): boolean
  has(serial: string): boolean
  /** Null for an unknown machine. */
  serve(serial: string, act: MediaAct): Promise<MediaActResult | null>
  breakUpdates(serial: string, fault: UpdateFault | null): boolean
}): Promise<Server> {
  const expected = Buffer.from(`Bearer ${options.token}`)
  const server = createServer(async (request, response) => {
    const answer = (status: number) => response.writeHead(status).end()
    const authorization = Buffer.from(request.headers.authorization ?? '')
    if (authorization.length !== expected.length || !timingSafeEqual(authorization, expected)) return answer(401)
    const [, encoded, action] = /^\/machines\/([^/]+)(?:\/([^/]+))?$/.exec(request.url ?? '') ?? []
    const serial = encoded && decodeURIComponent(encoded)
    if (request.method === 'GET' && serial && !action) return answer(options.has(serial) ? 204 : 404)
    if (request.method !== 'POST' || !serial) return answer(404)
    if ((mediaActions as readonly string[]).includes(action ?? '')) {
      const act = MediaAct.safeParse({ ...(await bodyOf(request)), action })
      if (!act.success) return answer(400)
      const result = await options.serve(serial, act.data)
      if (!result) return answer(404)
      return response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(result))
    }
    const [, fault] = /^update-(\w+)$/.exec(action ?? '') ?? []
    if (fault === 'repaired' || updateFaults.some((one) => one === fault)) {
      const isKnown = options.breakUpdates(serial, fault === 'repaired' ? null : (fault as UpdateFault))
      return answer(isKnown ? 202 : 404)
    }
    const parsed = DemoAction.safeParse(action)
    if (!parsed.success) return answer(400)
    return answer(options.act(serial, parsed.data) ? 202 : 404)
  })
  server.listen(options.port, '127.0.0.1')
  await once(server, 'listening')
  return server
}

async function bodyOf(request: IncomingMessage): Promise<object> {
  let text = ''
  try {
    for await (const chunk of request.setEncoding('utf8')) {
      text += chunk
      if (text.length > longestBody) return {}
    }
    const body: unknown = JSON.parse(text)
    return typeof body === 'object' && body !== null ? body : {}
  } catch {
    return {}
  }
}
