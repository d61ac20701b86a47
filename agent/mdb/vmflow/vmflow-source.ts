import mqtt from 'mqtt'
import type { MdbParts, MdbSource } from '../mdb-parts.ts'
import type { MdbSettings, VmflowSource } from '../mdb-settings.ts'
import { itemOf } from '../vend.ts'
import { readVmflow, vmflowTopics } from './message.ts'

const retryMs = 5000
/** A board's clock may be ahead of ours by so much. */
const aheadMs = 120_000

/**
 * Takes the sales of a board from its broker. The session is kept, and a message is acknowledged after it is in the journal: what is published while the agent
 * is away waits at the broker, and what arrives twice is known by its content.
 */
export function openVmflowSource(
  { broker, board, passkey }: VmflowSource,
  settings: Pick<MdbSettings, 'digits' | 'medium'>,
  { serial, report, isKnown, failed }: MdbParts,
): MdbSource {
  const client = mqtt.connect(broker, {
    clientId: `gettone-${serial}`,
    clean: false,
    reconnectPeriod: retryMs,
    resubscribe: false,
  })
  let fault = ''
  const fail = (text: string) => {
    if (text !== fault) failed(new Error(`VMflow: ${text}`))
    fault = text
  }

  /** Throws DiskFullError: then the message is not acknowledged. */
  function take(topic: string, payload: Uint8Array) {
    const read = readVmflow({ topic, payload }, { board, passkey, digits: settings.digits })
    if (typeof read === 'string') return fail(read)
    const name = `vmflow ${topic} ${Buffer.from(payload).toString('latin1')}`
    if (isKnown(name)) return
    const now = Date.now()
    const at = read.at === null || read.at > now + aheadMs ? now : read.at
    report(itemOf(read.vend, at, settings, name))
  }

  client.handleMessage = ({ topic, payload }, done) => {
    try {
      take(topic, Buffer.from(payload))
      done()
    } catch (error) {
      failed(error)
      // It is sent again with the next connection.
      client.stream.destroy()
    }
  }
  client.on('connect', () => {
    client.subscribe(vmflowTopics(board), { qos: 1 }, (error) => {
      if (error) fail(error.message)
    })
  })
  client.on('error', (error) => fail(error.message))

  return {
    close: () =>
      new Promise((resolve) => {
        client.end(true, {}, () => resolve())
      }),
  }
}
