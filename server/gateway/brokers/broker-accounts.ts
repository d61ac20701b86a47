import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { MqttClient } from 'mqtt'
import { z } from 'zod'
import { topicRoot } from '#contract/device-protocol.ts'
import type { LogFailure } from '../../log/once-log.ts'

/** Machines' accounts on a broker with Mosquitto's dynamic security plugin. */
export interface BrokerAccounts {
  /** Resolves when the gateway has its rights and receives machines' messages. */
  ready: Promise<void>
  /** Creates or replaces the machine's account with this secret; connections with another secret are closed. */
  put(serial: string, secret: string): Promise<void>
  /** Removes the machine's account and closes its connections; does nothing without an account. */
  remove(serial: string): Promise<void>
  /** Handles a message of the plugin; returns false for any other message. */
  hear(topic: string, payload: Uint8Array): boolean
}

const control = '$CONTROL/dynamic-security/v1'
const answers = `${control}/response`
const patienceMs = 10_000

const Responses = z.object({
  responses: z.array(
    z.object({ command: z.string().optional(), correlationData: z.string().optional(), error: z.string().optional() }),
  ),
})
type Response = z.infer<typeof Responses>['responses'][number]
type Command = { command: string } & Record<string, unknown>

const allow = (acltype: string, topic: string) => ({ acltype, topic, priority: 0, allow: true })

/**
 * Uses the plugin's own protocol (mosquitto.org/documentation/dynamic-security) on the gateway's connection, whose user may
 * administer it. A machine's role allows only topics of its own serial.
 */
export function createBrokerAccounts(client: MqttClient, sharedTopic: string, logFailure: LogFailure): BrokerAccounts {
  const pending = new Map<string, (responses: Response[]) => void>()

  async function ask(commands: Command[]): Promise<Response[]> {
    const correlationData = randomUUID()
    const answer = new Promise<Response[]>((resolve) => pending.set(correlationData, resolve))
    const message = JSON.stringify({ commands: commands.map((command) => ({ ...command, correlationData })) })
    try {
      await client.publishAsync(control, message, { qos: 1 })
      const late = pause(patienceMs, undefined, { ref: false }).then(() => {
        throw new Error('The broker did not answer')
      })
      return await Promise.race([answer, late])
    } finally {
      pending.delete(correlationData)
    }
  }

  /** Rights that the plugin's administrator lacks at first. Granting them twice changes nothing. */
  async function takeRights(): Promise<void> {
    await client.subscribeAsync(answers, { qos: 1 })
    await ask([
      { command: 'addRoleACL', rolename: 'admin', ...allow('publishClientSend', `${topicRoot}/+/down/+`) },
      { command: 'addRoleACL', rolename: 'admin', ...allow('subscribePattern', sharedTopic) },
    ])
    await client.subscribeAsync(sharedTopic, { qos: 1 })
  }
  const unreadable = logFailure('The broker’s answer about accounts cannot be read')
  const { promise: ready, resolve: becomeReady } = Promise.withResolvers<void>()
  // Granting rights closes the connection of their user, which interrupts the first attempt. The next attempt finds the
  // rights in place.
  let attempts = 0
  const refused = logFailure('The broker gives the gateway no rights; the next connection asks again')
  client.on('connect', () => {
    attempts += 1
    takeRights().then(becomeReady, (error: unknown) => attempts > 1 && refused(error))
  })

  return {
    ready,
    async put(serial, secret) {
      const rolename = `machine ${serial}`
      const acls = [
        allow('publishClientSend', `${topicRoot}/${serial}/up/+`),
        allow('subscribePattern', `${topicRoot}/${serial}/down/#`),
      ]
      const responses = await ask([
        { command: 'deleteClient', username: serial },
        { command: 'deleteRole', rolename },
        { command: 'createRole', rolename, acls },
        { command: 'createClient', username: serial, password: secret, roles: [{ rolename, priority: 0 }] },
      ])
      const failed = responses.find(({ command = '', error }) => command.startsWith('create') && error !== undefined)
      if (failed || responses.length === 0) throw new Error(`The broker created no account: ${failed?.error}`)
    },
    async remove(serial) {
      await ask([
        { command: 'deleteClient', username: serial },
        { command: 'deleteRole', rolename: `machine ${serial}` },
      ])
    },
    hear(topic, payload) {
      if (topic !== answers) return false
      try {
        const { responses } = Responses.parse(JSON.parse(Buffer.from(payload).toString()))
        pending.get(responses[0]?.correlationData ?? '')?.(responses)
      } catch (error) {
        // Callers get a time-out.
        unreadable(error)
      }
      return true
    },
  }
}
