import { EventEmitter } from 'node:events'
import type { LiveHint, LiveTopic } from '#contract/frame/live.ts'
import { isPasswordRefused } from '#database/frame/pool.ts'
import { createOnceLog, type Log } from '../log/once-log.ts'
import { holdConnection } from '../postgres/held-connection.ts'
import type { SystemAddress } from '../postgres/storage.ts'
import { gatherByMerchant } from './gather.ts'

const channel = 'gettone_live'
/** For gateways only: no stream reads it, and no endpoint writes clients' input to it. */
const gatewayChannel = 'gettone_gateway'
/** Ids of users, one per notification: a revocation must not wait. */
const userChannel = 'gettone_person'

/** Hints to gateways: a command is waiting to be sent; machines were deleted and must be disconnected. */
export type GatewayHint = 'commandWaiting' | 'machineDeleted'
/** `machineIds` is empty when there are too many to name. */
export interface GatewayHints {
  merchantId: string
  words: GatewayHint[]
  machineIds: string[]
}

export interface LiveHub {
  /** Announces a change; call it after the commit. Delivery is neither awaited nor guaranteed. */
  announce(merchantId: string, topic: LiveTopic, machineId?: string): void
  /** Calls back with every hint of every process until the returned function is called. */
  subscribe(listener: (hint: LiveHint) => void): () => void
  /** Sends a hint to the gateways of every process; call it after the commit. The hint may be lost. */
  announceToGateways(merchantId: string, word: GatewayHint, machineId: string): void
  /** Calls back with hints to gateways until the returned function is called. */
  subscribeGateway(listener: (news: GatewayHints) => void): () => void
  /** Announces that a user's sessions have ended or their access has changed; call it after the commit. */
  announceUser(userId: string): void
  /**
   * Calls back when a user must be reloaded: `changed`, announced by any process; `missed`, because hints may have been
   * lost while the database was away. Ends when the returned function is called.
   */
  watchUser(userId: string, listener: (why: 'changed' | 'missed') => void): () => void
  /** Disconnects all readers before this process stops; they reconnect to another process. */
  dismiss(): void
  stop(): Promise<void>
}

/**
 * Hints between processes over NOTIFY, collected per merchant for a moment and sent outside any transaction. A NOTIFY
 * inside a transaction takes a lock that serializes commits.
 */
export async function startLiveHub(address: SystemAddress, log?: Pick<Log, 'warn'>): Promise<LiveHub> {
  const emitter = new EventEmitter()
  emitter.setMaxListeners(0)
  const logOnce = log && createOnceLog(log)
  let sending = Promise.resolve()
  const held = await holdConnection(() => ({ connectionString: address.url(), application_name: 'gettone_live' }), {
    async prepare(client) {
      client.on('notification', ({ channel: from, payload }) => {
        if (!payload) return
        if (from === userChannel) emitter.emit(`person ${payload}`, 'changed')
        else if (from === gatewayChannel) emitter.emit('gateway', JSON.parse(payload) as GatewayHints)
        else emitter.emit('hint', JSON.parse(payload) as LiveHint)
      })
      await client.query(`listen ${channel}; listen ${gatewayChannel}; listen ${userChannel}`)
    },
    onBack: () => emitter.emit('missed', 'missed'),
    onRefused: async (error) => {
      if (isPasswordRefused(error)) await address.renew()
    },
  })

  /** One at a time: a connection accepts the next query after the answer to the previous one. */
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
  const news = gatherByMerchant<GatewayHint>((merchantId, words, machineIds) =>
    notify(gatewayChannel, JSON.stringify({ merchantId, words, machineIds } satisfies GatewayHints)),
  )
  const listen = <T>(to: string, listener: (hint: T) => void) => {
    emitter.on(to, listener)
    return () => void emitter.off(to, listener)
  }

  return {
    announce: hints.add,
    subscribe: (listener) => listen('hint', listener),
    announceToGateways: news.add,
    subscribeGateway: (listener) => listen('gateway', listener),
    announceUser: (userId) => notify(userChannel, userId),
    watchUser(userId, listener) {
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
