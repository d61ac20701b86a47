import { z } from 'zod'
import { Ack, DeviceAnswer, type UpKind } from '#contract/device-protocol.ts'
import type { Access, Link, LinkHandlers } from './link.ts'

/** How often waiting commands are fetched, in milliseconds. */
const fetchEvery = 30_000
const timeoutMs = 60_000

const Commands = DeviceAnswer.pick({ commands: true })
/** Refused items come as a problem document with the acknowledgement in its facts. */
const Problem = z.object({ facts: z.object({ ack: Ack }) })

/** The way over HTTP, one message after another: answers bring acknowledgements and commands. */
export function httpLink({ portal, serial, secret }: Access, handlers: LinkHandlers): Link {
  const authorization = `Basic ${Buffer.from(`${serial}:${secret}`).toString('base64')}`
  const stop = new AbortController()
  let isOpen = false
  let waiting = Promise.resolve()
  let timer: NodeJS.Timeout | undefined

  async function call(path: string, body?: object) {
    const response = await fetch(new URL(`/device/v1/${serial}/${path}`, portal), {
      method: body ? 'POST' : 'GET',
      headers: { authorization, 'content-type': 'application/json' },
      body: body && JSON.stringify(body),
      redirect: 'error',
      signal: AbortSignal.any([stop.signal, AbortSignal.timeout(timeoutMs)]),
    })
    if (response.status === 401) handlers.refused()
    const seconds = Number(response.headers.get('retry-after'))
    if (response.status === 503 && seconds > 0) handlers.wait({ seconds: Math.min(600, Math.ceil(seconds)) })
    const answer: unknown = await response.json().catch(() => undefined)
    return { isOk: response.ok, answer }
  }

  async function post(kind: UpKind, payload: object) {
    const { isOk, answer } = await call(kind, payload)
    if (!isOk) {
      const problem = Problem.safeParse(answer)
      if (problem.success) handlers.ack(problem.data.facts.ack)
      return
    }
    const { ack, commands, go } = DeviceAnswer.parse(answer)
    handlers.ack(ack)
    for (const command of commands) handlers.command(command)
    if (go) handlers.go(go)
  }

  async function fetchCommands() {
    const { isOk, answer } = await call('commands')
    if (isOk) for (const command of Commands.parse(answer).commands) handlers.command(command)
  }

  /** What fails is sent again, since no acknowledgement arrives. */
  const enqueue = (work: () => Promise<void>) => {
    waiting = waiting.then(work).catch(() => {})
  }

  return {
    isOpen: () => isOpen,
    open() {
      isOpen = true
      timer = setInterval(() => enqueue(fetchCommands), fetchEvery)
      handlers.opened()
    },
    send(kind, payload) {
      if (isOpen) enqueue(() => post(kind, payload))
    },
    async close() {
      isOpen = false
      clearInterval(timer)
      stop.abort()
      await waiting
    },
  }
}
