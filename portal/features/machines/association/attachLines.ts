import { type UpKind, upTopic } from '#contract/device-protocol.ts'
import type { AssociationInfo } from '#contract/machines/machine.ts'

export interface NewMachine {
  serial: string
  deviceType: string
  name: string
  /** The machine's time zone, for its local clock. */
  timeZone: string
}

export const attachSteps = ['associate', 'hello', 'state', 'sale', 'event', 'eventEnd', 'audit', 'listen'] as const
export type AttachStep = (typeof attachSteps)[number]

/** A text between single quotes of a POSIX shell. */
const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`

/** Values that the shell inserts at run time: the machine's clock, and the epoch from the association. */
const clock = '@clock@'
const epoch = -1

/** A payload between single quotes, with the shell's own parts outside of them. */
const payload = (value: object) =>
  quoted(JSON.stringify(value))
    .replaceAll(`"${clock}"`, `"'$(now)'"`)
    .replaceAll(`"epoch":${epoch}`, `"epoch":'$EPOCH'`)

/**
 * Shell commands that associate a machine and send its messages, in order. `ids` are message ids, one per step. The
 * items have the sequence numbers 1 to 3, so a repeated command is stored once.
 */
export function attachLines(
  { pin, httpUrl, mqttHost, mqttPort, mqttTls }: AssociationInfo,
  { serial, deviceType, name, timeZone }: NewMachine,
  ids: Record<AttachStep, string>,
): Record<AttachStep, string> {
  const body = { serial, deviceType, pin, ...(name && { name }) }
  const broker = `-h ${mqttHost} -p ${mqttPort}${mqttTls ? ' --capath /etc/ssl/certs' : ''}`
  const who = `-u ${serial} -P "$SECRET"`
  const publish = (kind: UpKind, value: object) =>
    [
      `mosquitto_pub ${broker} \\`,
      `  ${who} -q 1 \\`,
      `  -t ${upTopic(serial, kind)} \\`,
      `  -m ${payload(value)}`,
    ].join('\n')
  const batch = (step: AttachStep, item: object) => ({
    id: ids[step],
    at: clock,
    epoch,
    items: [{ at: clock, ...item }],
  })
  return {
    associate: [
      `ANSWER=$(curl -sS ${httpUrl}/device/v1/associate \\`,
      `  -H 'content-type: application/json' \\`,
      `  -d ${quoted(JSON.stringify(body))})`,
      `echo "$ANSWER"`,
      `SECRET=$(echo "$ANSWER" | sed -E 's/.*"secret":"([^"]*)".*/\\1/')`,
      `EPOCH=$(echo "$ANSWER" | sed -E 's/.*"epoch":([0-9]+).*/\\1/')`,
      `now() { TZ='${timeZone}' date +%Y-%m-%dT%H:%M:%S; }`,
    ].join('\n'),
    hello: publish('hello', {
      id: ids.hello,
      at: clock,
      epoch,
      lastSeq: 0,
      firmwareVersion: '1.0.0',
      networkType: '4G',
    }),
    state: publish('state', { id: ids.state, at: clock, online: true, signalPercent: 78, networkType: '4G' }),
    sale: publish(
      'sale',
      batch('sale', { seq: 1, type: 1, mediaType: 1, mediaSource: 1, priceLine: 10, product: 'Espresso', value: 100 }),
    ),
    event: publish('event', batch('event', { seq: 2, code: 'ENE', active: true })),
    eventEnd: publish('event', batch('eventEnd', { seq: 3, code: 'ENE', active: false })),
    audit: [
      `curl -sS ${httpUrl}/device/v1/${serial}/audit \\`,
      `  -u ${serial}:"$SECRET" \\`,
      `  -H 'content-type: application/octet-stream' \\`,
      `  --data-binary @audit.eva`,
    ].join('\n'),
    listen: [`mosquitto_sub ${broker} \\`, `  ${who} -q 1 -v \\`, `  -t 'gettone/v1/${serial}/down/#'`].join('\n'),
  }
}
