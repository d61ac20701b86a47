import { EventEmitter } from 'node:events'
import type { LiveHint, LiveTopic } from '#contract/frame/live.ts'
import { createOnceLog, type Log } from '../gateway/log.ts'
import { holdConnection } from '../held-connection.ts'
import { gatherByMerchant } from './gather.ts'

const channel = 'gettone_live'
/** For gateways alone: no stream reads it, and no endpoint writes what a client says into it. */
const gatewayChannel = 'gettone_gateway'
/** Ids of people, each a notification of its own: a revocation waits for nothing. */
const personChannel = 'gettone_person'

/** Words to gateways: a command waits to be sent; machines were deleted and must be disconnected. */
export type GatewayWord = 'commandWaits' | 'machineGone'
/** `machineIds` is empty when there are too many to name. */
export interface GatewayNews {
  merchantId: string
  words: GatewayWord[]
  machineIds: string[]
}

export interface LiveHub {
  /** Says that something changed; call it after the commit. Nothing is awaited and nothing is guaranteed: a hint is only a hint. */
  announce(merchantId: string, topic: LiveTopic, machineId?: string): void
  /** Calls back with every hint of every process until the returned function is called. */
  subscribe(listener: (hint: LiveHint) => void): () => void
  /** Tells the gateways of every process; call it after the commit. Like a hint, it may be lost. */
  tellGateways(merchantId: string, word: GatewayWord, machineId: string): void
  /** Calls back with words to gateways until the returned function is called. */
  hearAsGateway(listener: (news: GatewayNews) => void): () => void
  /** Says that a person's sessions have ended, or that the person may see more or less than before; call it after the commit. */
  announcePerson(userId: string): void
  /**
   * Calls back when a person must be looked up again: `changed`, announced by any process; `missed`, because hints and changes
   * may have passed while the database was away. Until the returned function is called.
   */
  watchPerson(userId: string, listener: (why: 'changed' | 'missed') => void): () => void
  /** Disconnects all readers before this process stops; they reconnect to another process. */
  dismiss(): void
  stop(): Promise<void>
}

/**
 * Hints between processes over NOTIFY, gathered per merchant for a moment and sent outside any transaction, since a NOTIFY inside
 * one takes a lock that serialises commits.
 */
export async function startLiveHub(systemUrl: string, log?: Pick<Log, 'warn'>): Promise<LiveHub> {
  const emitter = new EventEmitter()
  emitter.setMaxListeners(0)
  const logOnce = log && createOnceLog(log)
  let sending = Promise.resolve()
  const held = await holdConnection(
    { connectionString: systemUrl, application_name: 'gettone_live' },
    {
      async prepare(client) {
        client.on('notification', ({ channel: from, payload }) => {
          if (!payload) return
          if (from === personChannel) emitter.emit(`person ${payload}`, 'changed')
          else if (from === gatewayChannel) emitter.emit('gateway', JSON.parse(payload) as GatewayNews)
          else emitter.emit('hint', JSON.parse(payload) as LiveHint)
        })
        await client.query(`listen ${channel}; listen ${gatewayChannel}; listen ${personChannel}`)
      },
      onBack: () => emitter.emit('missed', 'missed'),
    },
  )

  /** One at a time: a connection takes the next query when the one before has been answered. */
  function notify(to: string, payload: string): void {
    sending = sending.then(async () => {
      await held.client
        ?.query('select pg_notify($1, $2)', [to, payload])
        .catch((error: unknown) =>
          logOnce?.(to, { error, to }, 'A hint was not sent; what waits for it asks again by itself'),
        )
    })
  }

  const hints = gatherByMerchant<LiveTopic>((merchantId, topics, posIds) =>
    notify(channel, JSON.stringify({ merchantId, topics, posIds } satisfies LiveHint)),
  )
  const news = gatherByMerchant<GatewayWord>((merchantId, words, machineIds) =>
    notify(gatewayChannel, JSON.stringify({ merchantId, words, machineIds } satisfies GatewayNews)),
  )
  const listen = <T>(to: string, listener: (said: T) => void) => {
    emitter.on(to, listener)
    return () => void emitter.off(to, listener)
  }

  return {
    announce: hints.add,
    subscribe: (listener) => listen('hint', listener),
    tellGateways: news.add,
    hearAsGateway: (listener) => listen('gateway', listener),
    announcePerson: (userId) => notify(personChannel, userId),
    watchPerson(userId, listener) {
      const person = `person ${userId}`
      emitter.on(person, listener)
      emitter.on('missed', listener)
      return () => {
        emitter.off(person, listener)
        emitter.off('missed', listener)
      }
    },
    dismiss: () => void emitter.emit('missed', 'missed'),
    async stop() {
      hints.stop()
      news.stop()
      await sending
      await held.close()
    },
  }
}
