import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { createApp } from './server.ts'

test('an unused connection does not delay the shutdown, and pending requests are answered', async () => {
  const app = createApp(pino({ level: 'silent' }))
  const { promise: requested, resolve: ask } = Promise.withResolvers<void>()
  const { promise: answer, resolve: say } = Promise.withResolvers<void>()
  app.get('/slow', async () => {
    ask()
    await answer
    return 'answered'
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  const unused = connect(port, '127.0.0.1').resume()
  await once(unused, 'connect')
  const call = fetch(`http://127.0.0.1:${port}/slow`)
  await requested
  const ended = app.close()
  await once(unused, 'close')
  say()
  expect(await (await call).text()).toBe('answered')
  await ended
})
