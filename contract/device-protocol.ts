/* The whole protocol between a machine and the gateway: topics, payloads, limits. See docs/device-protocol.md. */
import { z } from 'zod'
import { LineText, Text } from './shapes.ts'
import { AuditOrigin, AuditPort } from './vocabulary/audit.ts'
import { NetworkType } from './vocabulary/device.ts'
import { MediaSource, MediaType, PriceTable, TransactionType } from './vocabulary/transaction.ts'

/** Limits of a message, in bytes of the whole encoded payload. */
export const deviceLimits = {
  upBytes: 256 * 1024,
  downBytes: 65_536,
  /** A raw audit over HTTP. */
  auditBytes: 1024 * 1024,
  /** Items in one batch. */
  items: 500,
} as const

/** A serial names a machine in topics and addresses, so it may hold no wildcard, slash or blank. */
export const Serial = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_.-]{2,39}$/)

export const upKinds = ['hello', 'state', 'sale', 'event', 'audit', 'cash', 'result', 'claim'] as const
export const UpKind = z.enum(upKinds)
export type UpKind = z.infer<typeof UpKind>
export const downKinds = ['ack', 'command', 'go'] as const
export type DownKind = (typeof downKinds)[number]

export const topicRoot = 'gettone/v1'
export const upTopic = (serial: string, kind: UpKind) => `${topicRoot}/${serial}/up/${kind}`
export const downTopic = (serial: string, kind: DownKind) => `${topicRoot}/${serial}/down/${kind}`

/** The machine's own clock, local, without a zone: what it would print on a receipt. Years off is possible. */
export const MachineClock = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,3})?$/)

/** Every message has an id of its own (for logs and answers) and the machine's clock when it was sent. */
const head = { id: z.uuid(), at: MachineClock }

/** What is journalled carries the association epoch and, per item, a sequence number that only grows, from 1. */
const Seq = z.int().min(1).max(Number.MAX_SAFE_INTEGER)
const Epoch = z.int().min(1)
const item = { seq: Seq, at: MachineClock }
const batchOf = <T extends z.ZodType>(one: T) =>
  z.strictObject({ ...head, epoch: Epoch, items: z.array(one).min(1).max(deviceLimits.items) })

const text = (length: number) => Text.max(length)

const Minor = z.int().min(-2_000_000_000).max(2_000_000_000)

/**
 * Boot information; sent once after each connect. `lastSeq` is the last number that the machine has given out; `oldestSeq` the
 * first item that it still holds: what is missing before it is lost and is not asked for again.
 */
export const Hello = z.strictObject({
  ...head,
  epoch: Epoch,
  lastSeq: z.int().min(0),
  oldestSeq: Seq.optional(),
  bootAt: MachineClock.optional(),
  firmwareVersion: text(40).optional(),
  boardSerial: text(60).optional(),
  boardModel: text(60).optional(),
  boardVersion: text(60).optional(),
  modemManufacturer: text(60).optional(),
  modemModel: text(60).optional(),
  modemVersion: text(60).optional(),
  ethernetManufacturer: text(60).optional(),
  macAddress: text(40).optional(),
  simIccid: text(30).optional(),
  simImsi: text(30).optional(),
  simOperator: text(60).optional(),
  imei: text(30).optional(),
  publicIp: text(60).optional(),
  networkType: NetworkType.optional(),
  telemetryBoardType: text(60).optional(),
  telemetryBoardVersion: text(60).optional(),
})
export type Hello = z.infer<typeof Hello>

/** A sign of life: signal in percent, network, temperature of what is sold. Not journalled: only the newest counts. The last will is this with `online: false`. */
export const State = z.strictObject({
  id: z.uuid(),
  at: MachineClock.optional(),
  online: z.boolean(),
  signalPercent: z.int().min(0).max(100).optional(),
  /** To a tenth of a degree. */
  temperatureCelsius: z.number().min(-60).max(150).optional(),
  networkType: NetworkType.optional(),
  publicIp: text(60).optional(),
})
export type State = z.infer<typeof State>

/** One transaction as the machine knows it. Values are minor units of the merchant's currency; `value` is what was paid, `valueCharge` what was loaded onto a media. */
export const SaleItem = z.strictObject({
  ...item,
  type: TransactionType,
  mediaType: MediaType.default(0),
  mediaSource: MediaSource.default(0),
  priceLine: z.int().min(0).max(9999).optional(),
  priceTable: PriceTable.optional(),
  product: text(80).optional(),
  productCode: text(40).optional(),
  value: Minor,
  valueCharge: Minor.default(0),
  freeSale: z.boolean().default(false),
  errorSale: z.boolean().default(false),
  mediaSerial: text(40).optional(),
  creditCardFileId: text(60).optional(),
  externalUserId: text(60).optional(),
  /** Sequence number of the sale that this one takes back. */
  originalSeq: Seq.optional(),
})
export type SaleItem = z.infer<typeof SaleItem>
export const SaleBatch = batchOf(SaleItem)
export type SaleBatch = z.infer<typeof SaleBatch>

/** An event by its EVA-DTS code (or the maker's own); `active: false` says that it has ended. */
export const EventItem = z.strictObject({
  ...item,
  code: z.string().regex(/^[A-Za-z0-9_.-]{1,20}$/),
  active: z.boolean().default(true),
  message: text(200).optional(),
  detail: text(2000).optional(),
})
export type EventItem = z.infer<typeof EventItem>
export const EventBatch = batchOf(EventItem)
export type EventBatch = z.infer<typeof EventBatch>

/**
 * An EVA-DTS file in an envelope; `data` is base64 of its bytes. `readAt` is when it was read, by the same clock as `at`; without
 * it the file was read when it was sent. A payload that is not this envelope is taken as the raw bytes of a file.
 */
export const AuditEnvelope = z.strictObject({
  ...head,
  epoch: Epoch,
  seq: Seq,
  readAt: MachineClock.optional(),
  origin: AuditOrigin.default(0),
  port: AuditPort.default('unknown'),
  data: z.base64(),
})
export type AuditEnvelope = z.infer<typeof AuditEnvelope>

/** Contents of the cash devices. A denomination's `value` is minor units; counts since the last message. */
export const CashItem = z.strictObject({
  ...item,
  box: Minor.optional(),
  boxCapacity: Minor.optional(),
  tubes: z
    .array(z.strictObject({ value: Minor, count: z.int().min(0) }))
    .max(32)
    .default([]),
  recyclers: z
    .array(z.strictObject({ value: Minor, count: z.int().min(0) }))
    .max(32)
    .default([]),
  accepted: z
    .array(z.strictObject({ value: Minor, count: z.int().min(0) }))
    .max(32)
    .default([]),
  rejected: z
    .array(z.strictObject({ value: Minor, count: z.int().min(0) }))
    .max(32)
    .default([]),
})
export type CashItem = z.infer<typeof CashItem>
export const CashBatch = batchOf(CashItem)
export type CashBatch = z.infer<typeof CashBatch>

/** How a command ended: `success`, `warning` and `error` carry a text, `unsupported` says that the machine does not know it. */
export const ResultItem = z.strictObject({
  ...item,
  commandId: z.uuid(),
  outcome: z.enum(['success', 'warning', 'error', 'unsupported']),
  info: text(2000).optional(),
})
export type ResultItem = z.infer<typeof ResultItem>
export const ResultBatch = batchOf(ResultItem)
export type ResultBatch = z.infer<typeof ResultBatch>

/**
 * Asked just before executing; the answer is `down/go`. Without a go a machine must not execute. Asked again with the same `id`
 * (the answer was lost) the answer is the same; a command is never given to a second claim.
 */
export const Claim = z.strictObject({ ...head, commandId: z.uuid() })
export type Claim = z.infer<typeof Claim>

export const upPayloads = {
  hello: Hello,
  state: State,
  sale: SaleBatch,
  event: EventBatch,
  audit: AuditEnvelope,
  cash: CashBatch,
  result: ResultBatch,
  claim: Claim,
} as const satisfies Record<UpKind, z.ZodType>

/** All journalled items up to and with `committed` are stored. `missing` are stretches (from, to, both included) to be sent again. */
export const Ack = z.strictObject({
  epoch: Epoch,
  committed: z.int().min(0),
  missing: z.array(z.tuple([Seq, Seq])).max(50),
})
export type Ack = z.infer<typeof Ack>

/** A command for the machine. `expiresInSeconds` counts from when it was sent; the claim is what decides. */
export const DownCommand = z.strictObject({
  id: z.uuid(),
  type: z.int().min(0).max(255),
  parameters: z.record(z.string(), z.unknown()),
  expiresInSeconds: z.int().min(0),
})
export type DownCommand = z.infer<typeof DownCommand>

export const Go = z.strictObject({ commandId: z.uuid(), go: z.boolean() })
export type Go = z.infer<typeof Go>

export const downPayloads = { ack: Ack, command: DownCommand, go: Go } as const satisfies Record<DownKind, z.ZodType>

/** An unknown machine introduces itself with its merchant's PIN; `POST /device/v1/associate`. */
export const AssociationRequest = z.strictObject({
  serial: Serial,
  deviceType: z.string().regex(/^[A-Z0-9]{2,10}$/),
  pin: z.string().regex(/^\d{8}$/),
  boardSerial: text(60).optional(),
  name: LineText.trim().min(1).max(120).optional(),
})
export type AssociationRequest = z.infer<typeof AssociationRequest>

/** The secret is said once; the server keeps its hash. MQTT and HTTP both take the serial as user name and the secret as password. */
export const AssociationAnswer = z.strictObject({
  serial: Serial,
  secret: z.string(),
  epoch: Epoch,
  mqtt: z.strictObject({ host: z.string(), port: z.int(), tls: z.boolean() }),
})
export type AssociationAnswer = z.infer<typeof AssociationAnswer>

/** Answer of `POST /device/v1/{serial}/{kind}`: the ack a machine would get over MQTT, and commands that wait for it. */
export const DeviceAnswer = z.strictObject({
  ack: Ack,
  commands: z.array(DownCommand),
  go: Go.optional(),
})
export type DeviceAnswer = z.infer<typeof DeviceAnswer>
