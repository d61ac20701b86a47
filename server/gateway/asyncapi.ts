import { z } from 'zod'
import { sentParameters } from '#contract/commands/command-parameters.ts'
import { deviceExamples } from '#contract/device-examples.ts'
import {
  DownCommand,
  type DownKind,
  deviceLimits,
  downKinds,
  downPayloads,
  protocolVersion,
  topicRoot,
  type UpKind,
  upKinds,
  upPayloads,
} from '#contract/device-protocol.ts'
import { nameOf } from '#contract/vocabulary/numbers.ts'
import { appPaymentCommand, commandTypes, remoteCommandTypeNumbers } from '#contract/vocabulary/remote-command.ts'
import type { Config } from '../config.ts'
import { deviceAddresses } from './association.ts'

const upSummaries: Record<UpKind, string> = {
  hello:
    'Boot information, after each connect and until it is acknowledged; answered with an ack and the commands that wait',
  state: 'A sign of life with signal and network; also the last will, with online: false',
  sale: 'Transactions, numbered',
  event: 'Events by their EVA-DTS code, numbered; they make and repair alarms',
  audit: 'An EVA-DTS file, in this envelope and numbered, or its bare bytes',
  cash: 'What the cash devices hold, accepted and rejected, numbered',
  reading: 'Signal and temperature as they were measured, numbered',
  config: 'The whole configuration as it was read, numbered',
  vpConfig: 'The document of the visual programmer that the machine works with, or its hash alone, numbered',
  stock: 'What is left, selection by selection, numbered',
  prices: 'What selections cost by price list, numbered',
  result: 'How a command ended, numbered',
  claim: 'Asked just before a command is executed; answered with a go',
  authorise: 'Requests cloud credit before a vend, or credit to write onto the key; answered with authorised',
  credit: 'Released and collected reservations, recharges at the machine, readings of keys, numbered',
  blocks: 'Requests the block list after a version, for vends while offline; answered with blocked',
  linkCode: 'Requests the code by which a customer links the inserted key to an account; answered with linked',
  progress: 'How far a machine is with an update that it executes',
}

const downSummaries: Record<DownKind, string> = {
  ack: 'What is stored: everything up to `committed`; what is missing is to be sent again; what was refused, why, and whether the server keeps it',
  command: 'A command; it is claimed before it is executed',
  go: 'Whether the claimed command may be executed',
  authorised: 'Whether credit is held for the request, and why not',
  blocked: 'Changes of the block list',
  linked: 'The code to show for the inserted key, or why there is none',
  refill: 'What a technician did at the machine; applied once, and named in the next stock report',
  wait: 'The gateway is overloaded: items are kept for so long, and up to half as long again at random; 0 ends the wait',
}

/** Commands as a machine receives them. The parameters depend on the type. */
const commandByType = z.union(
  ([...remoteCommandTypeNumbers, appPaymentCommand] as const).map((type) =>
    DownCommand.extend({ type: z.literal(type), parameters: sentParameters[type] }).meta({
      title: nameOf(commandTypes, type),
    }),
  ),
)

/** The device protocol as an AsyncAPI 3 document, from the schemas with which the gateway reads messages. */
export function asyncApiDocument(config: Config): object {
  const { mqttHost, mqttPort, mqttTls } = deviceAddresses(config)
  const kinds = [
    ...upKinds.map((kind) => ({ kind, way: 'up' as const, summary: upSummaries[kind], schema: upPayloads[kind] })),
    ...downKinds.map((kind) => ({
      kind,
      way: 'down' as const,
      summary: downSummaries[kind],
      schema: kind === 'command' ? commandByType : downPayloads[kind],
    })),
  ]
  const each = <T>(of: (row: (typeof kinds)[number]) => [string, T]) => Object.fromEntries(kinds.map(of))
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Gettone device protocol',
      version: `${protocolVersion}.0`,
      description: [
        'What machines and the gateway say to each other over MQTT 3.1.1. The same payloads are taken over HTTP by',
        `POST ${config.publicUrl}/device/v1/{serial}/{kind} with Basic authentication.`,
        `A message up has at most ${deviceLimits.upBytes} bytes and ${deviceLimits.items} items, one down at most ${deviceLimits.downBytes} bytes;`,
        `a machine’s numbers may have ${deviceLimits.gaps} gaps.`,
        'Compatibility: fields that a receiver does not know are ignored, in both directions; those of numbered items are kept beside them.',
        'Within version 1 fields and kinds are only added, nothing changes its meaning, and what may be left out today may be left out for ever.',
        'Numbers of enumerations that are not known are stored and shown as they came.',
        `This server (${config.version}) speaks protocol ${protocolVersion}, and says so in each ack.`,
      ].join(' '),
    },
    defaultContentType: 'application/json',
    servers: {
      broker: {
        host: `${mqttHost}:${mqttPort}`,
        protocol: mqttTls ? 'mqtts' : 'mqtt',
        protocolVersion: '3.1.1',
        security: [{ $ref: '#/components/securitySchemes/device' }],
      },
    },
    channels: each(({ kind, way, summary }) => [
      `${way}.${kind}`,
      {
        address: `${topicRoot}/{serial}/${way}/${kind}`,
        summary,
        parameters: { serial: { description: 'Serial of the machine. It may only use its own.' } },
        messages: { [kind]: { $ref: `#/components/messages/${kind}` } },
      },
    ]),
    operations: each(({ kind, way, summary }) => [
      `${way === 'up' ? 'receive' : 'send'}.${kind}`,
      {
        action: way === 'up' ? 'receive' : 'send',
        summary,
        channel: { $ref: `#/channels/${way}.${kind}` },
        messages: [{ $ref: `#/channels/${way}.${kind}/messages/${kind}` }],
      },
    ]),
    components: {
      messages: each(({ kind, summary }) => [
        kind,
        {
          name: kind,
          summary,
          payload: { $ref: `#/components/schemas/${kind}` },
          examples: examplesOf(kind),
        },
      ]),
      schemas: each(({ kind, way, schema }) => [
        kind,
        withoutDialect(z.toJSONSchema(schema, { io: way === 'up' ? 'input' : 'output', override: open })),
      ]),
      securitySchemes: {
        device: { type: 'userPassword', description: 'Serial, and secret from the association.' },
      },
    },
  }
}

const id = '0b0a8f7e-3a54-4f0e-9c39-0a3f1f6f3b11'
const downExamples: Record<DownKind, object> = {
  ack: {
    epoch: 1,
    committed: 17,
    missing: [[18, 20]],
    refused: [{ kind: 'sale', id, seqs: [12], code: 'invalidItem', reason: 'value: expected int', kept: true }],
    protocol: protocolVersion,
    recovery: 1,
    time: { utc: '2026-11-21T07:00:01Z', local: '2026-11-21T08:00:01' },
  },
  command: { id, type: 5, parameters: { amount: 200 }, expiresInSeconds: 3600 },
  go: { commandId: id, go: true },
  authorised: {
    id,
    approved: true,
    reservationId: id,
    amount: 120,
    credit: 880,
    expiresInSeconds: 86_400,
    blockVersion: 7,
  },
  blocked: { id, since: 0, version: 7, blocked: ['04A1B2C3'], unblocked: [], more: false },
  linked: { id, code: '40718265', expiresInSeconds: 600 },
  wait: { seconds: 15 },
  refill: {
    id,
    at: { utc: '2026-11-21T07:00:01Z', local: '2026-11-21T08:00:01' },
    lines: [
      { selection: '11', waste: 0, loaded: 10 },
      { selection: '12', counted: 3, waste: 1, loaded: 8 },
    ],
  },
}
const examplesOf = (kind: UpKind | DownKind) =>
  kind in downExamples
    ? [{ name: kind, payload: downExamples[kind as DownKind] }]
    : Object.entries(deviceExamples[kind as UpKind]).map(([name, payload]) => ({ name, payload }))

/** Readers ignore unknown fields, so schemas allow them. */
const open = ({ jsonSchema }: { jsonSchema: { additionalProperties?: unknown } }) => {
  if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties
}

/** The document names the dialect once; schemas do not repeat it. */
const withoutDialect = ({ $schema: _, ...schema }: Record<string, unknown>) => schema
