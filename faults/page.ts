import { createServer, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { aFreePort } from '#testkit/browser/portal.ts'

/** Acts like a browser: listens, and reconnects two seconds after the stream has ended. */
export function watchLive(url: string, headers: Record<string, string>): { lastAt: number } {
  const contact = { lastAt: 0 }
  const over = new AbortController()
  onTestFinished(() => over.abort())
  const listen = async () => {
    while (!over.signal.aborted) {
      try {
        const answer = await fetch(`${url}/api/v1/users/me/live`, { headers, signal: over.signal })
        for await (const bytes of answer.body ?? [])
          if (Buffer.from(bytes).includes('"transaction"')) contact.lastAt = performance.now()
      } catch {
        // The server is away, or the stream broke.
      }
      await pause(2_000)
    }
  }
  void listen()
  return contact
}

/** Reads as an open page does, twice a second, and counts answers other than 200. */
export function readPage(url: string, headers: Record<string, string>): { read: number; refused: string[] } {
  const counted = { read: 0, refused: [] as string[] }
  let isOver = false
  onTestFinished(() => {
    isOver = true
  })
  const read = async () => {
    while (!isOver) {
      const answer = await fetch(`${url}/api/v1/users/me/merchants`, { headers }).catch((error: Error) => error)
      if (isOver) return
      counted.read++
      if (answer instanceof Error) counted.refused.push(answer.message)
      else if (!answer.ok) counted.refused.push(`${answer.status} ${(await answer.text()).slice(0, 200)}`)
      await pause(500)
    }
  }
  void read()
  return counted
}

/**
 * A proxy in front of servers, like that of deploy/Caddyfile: in turn, and to the next one where a request reached none or is answered 503. Bodies are small
 * enough to be kept.
 */
export async function aProxy(urls: () => readonly string[]): Promise<string> {
  let turn = 0
  const server = createServer(async (incoming, outgoing) => {
    const body = Buffer.concat(await incoming.toArray())
    const all = urls()
    const attempt = (left: number) => {
      const target = new URL(incoming.url ?? '/', all[turn++ % all.length])
      const { method, headers } = incoming
      const sent = request(target, { method, headers, agent: false }, (answer) => {
        if (answer.statusCode === 503 && left > 0) {
          answer.resume()
          setTimeout(() => attempt(left - 1), 100)
          return
        }
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(outgoing)
        answer.on('error', () => outgoing.destroy())
        outgoing.on('close', () => answer.destroy())
      })
      sent.on('error', () => {
        if (outgoing.headersSent) outgoing.destroy()
        else if (left > 0) setTimeout(() => attempt(left - 1), 100)
        else outgoing.writeHead(502).end()
      })
      sent.end(body)
    }
    attempt(20)
  })
  const port = await aFreePort()
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://localhost:${port}`
}
