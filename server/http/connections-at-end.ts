import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/**
 * On shutdown, destroy idle sockets and send `Connection: close` on the rest: Node would wait for them for a minute
 * or longer, and process managers kill earlier.
 */
export function endConnections(app: FastifyInstance, isTls: boolean): void {
  const unused = new Set<Socket>()
  let isEnding = false
  app.server.on(isTls ? 'secureConnection' : 'connection', (socket: Socket) => {
    if (isEnding) return socket.destroy()
    unused.add(socket)
    socket.once('close', () => unused.delete(socket))
  })
  app.server.on('request', ({ socket }: { socket: Socket }) => unused.delete(socket))
  app.addHook('onSend', async (_request, reply) => {
    if (isEnding) reply.header('connection', 'close')
  })
  app.addHook('preClose', async () => {
    isEnding = true
    for (const socket of unused) socket.destroy()
  })
}
