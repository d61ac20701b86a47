import { createServer } from 'node:http'
import { verifyWebhook, WebhookError } from 'gettone-client'

const secret = process.env.GETTONE_WEBHOOK_SECRET ?? ''
/** In production: a table with a unique id, written in the transaction of what you do with the message. */
const known = new Set<string>()

const server = createServer(async (request, response) => {
  let body = ''
  for await (const part of request) body += part
  try {
    const message = await verifyWebhook({ secret, headers: request.headers, body })
    if (!known.has(message.id)) {
      known.add(message.id)
      if (message.type === 'sale.made') console.log('sold', message.data.value, message.currency)
      else console.log(message.type)
    }
    response.writeHead(204).end()
  } catch (error) {
    response.writeHead(error instanceof WebhookError ? 400 : 500).end()
  }
})
server.listen(Number(process.env.PORT ?? 0), () =>
  console.log('listening', (server.address() as { port: number }).port),
)
