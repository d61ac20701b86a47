import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/**
 * Node waits at a server's end for connections on which nothing was ever asked, such as browsers open in advance, and for those that are
 * kept after their last answer: for a minute or more, and whoever sent SIGTERM seldom does. The ones are let go, the others told.
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
