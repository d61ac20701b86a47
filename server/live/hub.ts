import { EventEmitter } from 'node:events'
import type { LiveHint, LiveTopic } from '#contract/frame/live.ts'
import { holdConnection } from '../held-connection.ts'

const channel = 'gettone_live'
/** Ids of people, each a notification of its own: a revocation waits for nothing. */
const personChannel = 'gettone_person'
/** A hint at most this often per merchant, in milliseconds. */
const pause = 250
/** More machines than this in one hint are not named: a notification holds 8,000 bytes. */
const namedMachines = 150

export interface LiveHub {
  /** Says that something changed; call it after the commit. Nothing is awaited and nothing is guaranteed: a hint is only a hint. */
  announce(merchantId: string, topic: LiveTopic, machineId?: string): void
  /** Calls back with every hint of every process until the returned function is called. */
  subscribe(listener: (hint: LiveHint) => void): () => void
  /** Says that a person's sessions have ended, or that the person may see more or less than before; call it after the commit. */
  announcePerson(userId: string): void
  /**
   * Calls back when a person must be looked up again: `changed`, announced by any process; `missed`, because hints and changes
   * may have passed while the database was away. Until the returned function is called.
   */
  watchPerson(userId: string, listener: (why: 'changed' | 'missed') => void): () => void
  /** Sends all readers away, since this process stops; they come back to another one. */
  dismiss(): void
  stop(): Promise<void>
}

interface Pending {
  topics: Set<LiveTopic>
  machines: Set<string>
  timer: NodeJS.Timeout
}

/**
 * Hints between processes over NOTIFY, gathered per merchant for 250 ms and sent outside any transaction, since a NOTIFY inside
 * one takes a lock that serialises commits.
 */
export async function startLiveHub(systemUrl: string): Promise<LiveHub> {
  const emitter = new EventEmitter()
  emitter.setMaxListeners(0)
  const pending = new Map<string, Pending>()
  let sending = Promise.resolve()
  const held = await holdConnection(
    { connectionString: systemUrl, application_name: 'gettone_live' },
    {
      async prepare(client) {
        client.on('notification', ({ channel: from, payload }) => {
          if (!payload) return
          if (from === personChannel) emitter.emit(`person ${payload}`, 'changed')
          else emitter.emit('hint', JSON.parse(payload) as LiveHint)
        })
        await client.query(`listen ${channel}; listen ${personChannel}`)
      },
      onBack: () => emitter.emit('missed', 'missed'),
    },
  )

  /** One at a time: a connection takes the next query when the one before has been answered. */
  function notify(to: string, payload: string): void {
    sending = sending.then(async () => {
      await held.client?.query('select pg_notify($1, $2)', [to, payload]).catch(() => {})
    })
  }

  function send(merchantId: string, { topics, machines }: Pending): void {
    const hint: LiveHint = {
      merchantId,
      topics: [...topics],
      posIds: machines.size > namedMachines ? [] : [...machines],
    }
    notify(channel, JSON.stringify(hint))
  }

  return {
    announce(merchantId, topic, machineId) {
      const waiting = pending.get(merchantId)
      if (waiting) {
        waiting.topics.add(topic)
        if (machineId) waiting.machines.add(machineId)
        return
      }
      const entry: Pending = {
        topics: new Set([topic]),
        machines: new Set(machineId ? [machineId] : []),
        timer: setTimeout(() => {
          pending.delete(merchantId)
          send(merchantId, entry)
        }, pause),
      }
      pending.set(merchantId, entry)
    },
    subscribe(listener) {
      emitter.on('hint', listener)
      return () => emitter.off('hint', listener)
    },
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
      for (const { timer } of pending.values()) clearTimeout(timer)
      await sending
      await held.close()
    },
  }
}
