import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

export interface Received {
  path: string
  headers: IncomingHttpHeaders
  body: string
}

export interface Receiver {
  url: string
  /** Requests in the order in which they arrived whole. */
  received: Received[]
  /** Decides what is answered; 204 by default. */
  answer: (response: ServerResponse, request: Received) => void
}

/** A receiver of webhooks on this machine, closed when the test ends. */
export async function aReceiver(): Promise<Receiver> {
  const receiver: Receiver = {
    url: '',
    received: [],
    answer: (response) => response.writeHead(204).end(),
  }
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const one = { path: request.url ?? '', headers: request.headers, body: Buffer.concat(parts).toString('utf8') }
    receiver.received.push(one)
    receiver.answer(response, one)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
  onTestFinished(async () => {
    server.closeAllConnections()
    server.close()
  })
  return receiver
}
