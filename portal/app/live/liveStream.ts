import { type LiveHint, type LiveMessage, liveBeatMillis } from '#contract/frame/live.ts'
import { users } from '#contract/people/user.ts'
import { fetchRow } from '../api.ts'
import { ApiError } from '../apiError.ts'

/** `off`: the session has ended, or has not started. `offline`: the browser reports no network. */
export type LiveState = 'live' | 'connecting' | 'offline' | 'off'

interface Listener {
  onHint: (hint: LiveHint) => void
  onState: (state: LiveState) => void
  /** The user's rights have changed. */
  onRightsChanged: () => void
}
type Message = { state: LiveState } | LiveMessage | { ask: true }

/** A stream without a heartbeat for this long counts as lost. */
const silenceMs = liveBeatMillis + 10_000
const backOffMs = (failures: number) => Math.min(30_000, 500 * 2 ** failures) * (0.75 + Math.random() / 2)

/**
 * Splits a stream of server-sent events into the data of each; text after the last blank line is kept for the next
 * piece.
 */
export function eventsIn(text: string): { events: string[]; rest: string } {
  const blocks = text.replaceAll('\r\n', '\n').split('\n\n')
  const rest = blocks.pop() ?? ''
  const events = blocks
    .map((block) =>
      block
        .split('\n')
        .filter((line) => line.startsWith('data:'))
        .map((line) => line.slice(5).trimStart())
        .join('\n'),
    )
    .filter((data) => data !== '')
  return { events, rest }
}

/** Believed as all answers of the server are; an incomplete one is skipped. */
function messageOf(data: string): LiveMessage | undefined {
  try {
    const message: Partial<LiveHint> & { person?: unknown } = JSON.parse(data)
    const isMessage = message.person !== undefined || (Array.isArray(message.topics) && Array.isArray(message.posIds))
    return isMessage ? (message as LiveMessage) : undefined
  } catch {
    return undefined
  }
}

/** Reads one connection to its end. */
async function readStream(signal: AbortSignal, { onHint, onState, onRightsChanged }: Listener) {
  const broken = new AbortController()
  const breakOff = () => broken.abort()
  // Without a network it may be minutes until a connection is found to be dead.
  window.addEventListener('offline', breakOff, { signal })
  try {
    const response = await fetchRow(users.watchLive, {}, AbortSignal.any([signal, broken.signal]))
    onState('live')
    const reader = (response.body as ReadableStream<Uint8Array<ArrayBuffer>>)
      .pipeThrough(new TextDecoderStream())
      .getReader()
    await readHints(reader, breakOff, { onHint, onRightsChanged })
  } finally {
    window.removeEventListener('offline', breakOff)
  }
}

/** Reads to the end of a stream, or until it was silent for too long. */
async function readHints(
  reader: ReadableStreamDefaultReader<string>,
  breakOff: () => void,
  { onHint, onRightsChanged }: Omit<Listener, 'onState'>,
) {
  let buffer = ''
  for (;;) {
    const timer = setTimeout(breakOff, silenceMs)
    const { done, value } = await reader.read().finally(() => clearTimeout(timer))
    if (done) return
    const { events, rest } = eventsIn(buffer + value)
    buffer = rest
    for (const message of events.map(messageOf)) {
      if (!message) continue
      if ('person' in message) onRightsChanged()
      else onHint(message)
    }
  }
}

/** Waits this long, or until the network is back. */
async function pause(millis: number, signal: AbortSignal) {
  const over = new AbortController()
  await new Promise<void>((resolve) => {
    setTimeout(resolve, millis)
    window.addEventListener('online', () => resolve(), { signal: AbortSignal.any([signal, over.signal]) })
  })
  over.abort()
}

/** Keeps a connection open, with growing pauses between attempts, until the session has ended or the signal says so. */
async function keepStream(signal: AbortSignal, listener: Listener) {
  for (let failures = 0; !signal.aborted; failures += 1) {
    const began = Date.now()
    try {
      await readStream(signal, listener)
    } catch (error) {
      if (signal.aborted) return
      if (error instanceof ApiError && (error.status === 401 || error.status === 403)) return listener.onState('off')
    }
    if (signal.aborted) return
    if (Date.now() - began > 30_000) failures = 0
    listener.onState(navigator.onLine ? 'connecting' : 'offline')
    await pause(backOffMs(failures), signal)
  }
}

/** Hints of changes, over one connection per browser: one tab holds it and broadcasts to the others. */
export function followHints(userId: string, listener: Listener): () => void {
  const name = `gettone-live-${userId}`
  const stop = new AbortController()
  if (!('locks' in navigator) || !('BroadcastChannel' in globalThis)) {
    void keepStream(stop.signal, listener)
    return () => stop.abort()
  }
  const channel = new BroadcastChannel(name)
  let state: LiveState = 'connecting'
  let isLeading = false
  const say = (message: Message) => {
    if (!stop.signal.aborted) channel.postMessage(message)
  }
  channel.onmessage = ({ data }: MessageEvent<Message>) => {
    if ('topics' in data) listener.onHint(data)
    else if ('person' in data) listener.onRightsChanged()
    else if ('state' in data) listener.onState(data.state)
    else if (isLeading) say({ state })
  }
  say({ ask: true })
  navigator.locks
    .request(name, { signal: stop.signal }, () => {
      isLeading = true
      const onState = (next: LiveState) => {
        state = next
        listener.onState(next)
        say({ state })
      }
      // The tab that held the connection is closed: missed hints must be caught up.
      onState('connecting')
      return keepStream(stop.signal, {
        onState,
        onHint: (hint) => {
          listener.onHint(hint)
          say(hint)
        },
        onRightsChanged: () => {
          listener.onRightsChanged()
          say({ person: 'changed' })
        },
      })
    })
    .catch(() => undefined)
  return () => {
    stop.abort()
    channel.close()
  }
}
