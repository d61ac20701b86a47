// Over 450 lines because a protocol is read as a whole: topics, limits and every payload between a machine and the gateway.
// See docs/device-protocol.md. Objects that machines send are never strict: newer firmware may say more than this version knows.

import { z } from 'zod'
import { VpDocument } from './configurations/vp-document.ts'
import { LineText, Text } from './frame/shapes.ts'
import { longestCloudMessage, OneTimeCode, Pin } from './rules/text.ts'
import { AuditOrigin, AuditPort, auditOrigins } from './vocabulary/audit.ts'
import { authorisationRefusals, linkCodeRefusals, reservationPurposes } from './vocabulary/cashless.ts'
import { Parameters } from './vocabulary/configuration.ts'
import { NetworkType } from './vocabulary/device.ts'
import { type Numbers } from './vocabulary/numbers.ts'
import { Peripheral } from './vocabulary/remote-command.ts'
import { serialPattern } from './vocabulary/serial.ts'
import { StockType } from './vocabulary/stock.ts'
import {
  MediaSource,
  MediaType,
  mediaSources,
  mediaTypes,
  PriceTable,
  priceTables,
  saleTypes,
  TransactionType,
  transactionTypes,
} from './vocabulary/transaction.ts'
import { UpdateKind, UpdatePhase } from './vocabulary/update.ts'

/** Limits of a message, in bytes of the whole encoded payload. */
export const deviceLimits = {
  upBytes: 256 * 1024,
  downBytes: longestCloudMessage,
  /** A raw audit over HTTP. */
  auditBytes: 1024 * 1024,
  /** Items in one batch. */
  items: 500,
  /** Maximum selections in one stock report, and prices in one price report. */
  selections: 500,
  prices: 2000,
  /** Messages about refills that one stock report names. */
  refills: 100,
  /** Media in one part of the block list. */
  blocks: 500,
  /** Gaps in one machine's numbers. With more the machine counts wrong, and its message is refused. */
  gaps: 1000,
  /** Items that the server keeps of one machine without being able to book them, and their bytes. Beyond that they stay with the machine. */
  keptItems: 20_000,
  keptBytes: 64 * 1024 * 1024,
} as const

/** The first number changes when machines have to change, and is part of each topic and path; the second with each addition. */
export const protocolVersion = '1.9'

export const Serial = z.string().regex(serialPattern)

export const upKinds = [
  'hello',
  'state',
  'sale',
  'event',
  'audit',
  'cash',
  'reading',
  'config',
  'vpConfig',
  'stock',
  'prices',
  'result',
  'claim',
  'authorise',
  'credit',
  'blocks',
  'linkCode',
  'progress',
] as const
export const UpKind = z.enum(upKinds)
export type UpKind = z.infer<typeof UpKind>
export const downKinds = ['ack', 'command', 'go', 'authorised', 'blocked', 'linked', 'refill', 'wait'] as const
export type DownKind = (typeof downKinds)[number]

export const topicRoot = 'gettone/v1'
export const upTopic = (serial: string, kind: UpKind) => `${topicRoot}/${serial}/up/${kind}`
export const downTopic = (serial: string, kind: DownKind) => `${topicRoot}/${serial}/down/${kind}`

/** The machine's own local time, without a zone, as on a receipt. It may be off by years. */
export const MachineClock = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,3})?$/)

/** Every message has an id (for logs and answers) and the machine's time of sending. */
const head = { id: z.uuid(), at: MachineClock }

/** Journalled items have the association epoch, and a sequence number that starts at 1 and only grows. */
const Seq = z.int().min(1).max(Number.MAX_SAFE_INTEGER)
const Epoch = z.int().min(1)
const item = { seq: Seq, at: MachineClock }
const batchOf = <T extends z.ZodType>(one: T) =>
  z.object({ ...head, epoch: Epoch, items: z.array(one).min(1).max(deviceLimits.items) })

/** Databases do not store unpaired surrogates. */
const text = (length: number) => Text.max(length).refine((value) => value.isWellFormed())

/** The machine's connection. An unknown network is ignored. */
const Network = NetworkType.or(text(40).transform(() => undefined))
/** The port of the read-out; an unknown port becomes `unknown`, and its name is kept beside the item. */
const Port = AuditPort.or(text(40).transform(() => 'unknown' as const))

/** The meaning of an enumeration's numbers, for readers of the schemas. */
const meaningOf = (numbers: Numbers) => ({
  description: `${Object.entries(numbers)
    .map(([name, number]) => `${number} ${name}`)
    .join(', ')}. Other numbers are stored and shown unchanged.`,
})
const Origin = AuditOrigin.meta(meaningOf(auditOrigins))

const Minor = z.int().min(-2_000_000_000).max(2_000_000_000)

/** The version of a database, or of something in a peripheral. */
export const InstalledVersion = z.object({
  kind: UpdateKind.exclude(['firmware']),
  peripheral: Peripheral.optional(),
  version: text(40).min(1),
})
export type InstalledVersion = z.infer<typeof InstalledVersion>

/**
 * Boot information; sent after each connect, again until it is acknowledged, and when a command requests it. `lastSeq` is the last
 * number that the machine has given out; `oldestSeq` the first item that it still holds, acknowledged or not: missing items before it are lost and
 * not requested again.
 */
export const Hello = z.object({
  ...head,
  epoch: Epoch,
  lastSeq: z.int().min(0),
  oldestSeq: Seq.optional(),
  bootAt: MachineClock.optional(),
  firmwareVersion: text(40).optional(),
  boardSerial: text(60).optional(),
  boardManufacturer: text(60).optional(),
  boardModel: text(60).optional(),
  boardVersion: text(60).optional(),
  modemManufacturer: text(60).optional(),
  modemModel: text(60).optional(),
  modemVersion: text(60).optional(),
  ethernetManufacturer: text(60).optional(),
  ethernetModel: text(60).optional(),
  ethernetVersion: text(60).optional(),
  macAddress: text(40).optional(),
  simIccid: text(30).optional(),
  simImsi: text(30).optional(),
  simOperator: text(60).optional(),
  imei: text(30).optional(),
  publicIp: text(60).optional(),
  networkType: Network.optional(),
  telemetryBoardType: text(60).optional(),
  telemetryBoardVersion: text(60).optional(),
  /** What it runs beside its firmware: its cash database, and firmware and databases of its peripherals. */
  versions: z.array(InstalledVersion).max(32).optional(),
})
export type Hello = z.infer<typeof Hello>

/** A sensor's measure of dirt: percent of soiling, of transmitted light, or a unit of its maker. */
export const SensorReport = z.object({
  submodule: LineText.trim().min(1).max(40),
  name: LineText.trim().min(1).max(40),
  value: z.number().min(-1_000_000).max(1_000_000),
})
export type SensorReport = z.infer<typeof SensorReport>

/** A sign of life: signal in percent, network, temperature of what is sold, dirt of its sensors. Not journalled: only the newest counts; what is to be seen over time comes as readings. Of sensors the server keeps a history by the hour. The last will is this with `online: false`. */
export const State = z.object({
  id: z.uuid(),
  at: MachineClock.optional(),
  online: z.boolean(),
  signalPercent: z.int().min(0).max(100).optional(),
  /** To a tenth of a degree. */
  temperatureCelsius: z.number().min(-60).max(150).optional(),
  /** All of them at once, since of two messages the newer counts; a sensor that is not named keeps its value. */
  sensors: z.array(SensorReport).max(64).optional(),
  networkType: Network.optional(),
  publicIp: text(60).optional(),
})
export type State = z.infer<typeof State>

/** A serial of a medium, read without regard to case and spaces. */
const MediaSerial = text(40)
/** The key's own counter of uses, which only grows. */
const KeyCounter = z.int().min(0).max(Number.MAX_SAFE_INTEGER)
/** The credit on the key after this use. */
const KeyCredit = Minor.min(0)

/** One transaction as the machine knows it. Values are minor units of the merchant's currency; `value` is what was paid, `valueCharge` what was loaded onto a media. */
export const SaleItem = z
  .object({
    ...item,
    type: TransactionType.meta(meaningOf(transactionTypes)),
    mediaType: MediaType.meta(meaningOf(mediaTypes)).default(0),
    mediaSource: MediaSource.meta(meaningOf(mediaSources)).default(0),
    /** The medium that paid, where it is another one: a key is loaded with coins. Without it the server concludes it. */
    paidWith: MediaType.meta(meaningOf(mediaTypes)).optional(),
    priceLine: z.int().min(0).max(9999).optional(),
    priceTable: PriceTable.meta(meaningOf(priceTables)).optional(),
    product: text(80).optional(),
    productCode: text(40).optional(),
    value: Minor,
    valueCharge: Minor.default(0),
    freeSale: z.boolean().default(false),
    errorSale: z.boolean().default(false),
    mediaSerial: MediaSerial.optional(),
    /** The reservation that pays it with cloud credit: `value` is taken, and the rest is free again; 0 releases it. */
    reservationId: z.uuid().optional(),
    /** What the key has afterwards; both fields together are a reading. */
    keyCredit: KeyCredit.optional(),
    keyCounter: KeyCounter.optional(),
    creditCardFileId: text(60).optional(),
    externalUserId: text(60).optional(),
    /** Sequence number of the sale that this one reverses. */
    originalSeq: Seq.optional(),
  })
  .refine(({ type, value }) => value >= 0 || !saleTypes.includes(type), {
    path: ['value'],
    message: 'Nothing is sold for less than nothing; what takes money back has a type of its own',
  })
export type SaleItem = z.infer<typeof SaleItem>
export const SaleBatch = batchOf(SaleItem)
export type SaleBatch = z.infer<typeof SaleBatch>

/** An event by its EVA-DTS code (or the maker's own); `active: false` means that it has ended. */
export const EventItem = z.object({
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
export const AuditEnvelope = z.object({
  ...head,
  epoch: Epoch,
  seq: Seq,
  readAt: MachineClock.optional(),
  origin: Origin.default(0),
  port: Port.default('unknown'),
  data: z.base64(),
})
export type AuditEnvelope = z.infer<typeof AuditEnvelope>

/** Coins or notes of one denomination, in minor units. */
const DenominationList = z.array(z.object({ value: Minor.min(1), count: z.int().min(0).max(10_000_000) })).max(32)
const Denominations = DenominationList.default([])

/** Contents of the cash devices. `boxPieces`: of the boxes of coins and banknotes, from machines that count them. `accepted` and `rejected` count since the last message. */
export const CashItem = z.object({
  ...item,
  box: Minor.min(0).optional(),
  boxCapacity: Minor.min(0).optional(),
  boxPieces: DenominationList.optional(),
  tubes: Denominations,
  recyclers: Denominations,
  accepted: Denominations,
  rejected: Denominations,
})
export type CashItem = z.infer<typeof CashItem>
export const CashBatch = batchOf(CashItem)
export type CashBatch = z.infer<typeof CashBatch>

/** A measurement: signal in percent, temperature of the products to a tenth of a degree, or both. */
export const ReadingItem = z
  .object({
    ...item,
    signalPercent: z.int().min(0).max(100).optional(),
    temperatureCelsius: z.number().min(-60).max(150).optional(),
  })
  .refine(({ signalPercent, temperatureCelsius }) => signalPercent !== undefined || temperatureCelsius !== undefined)
export type ReadingItem = z.infer<typeof ReadingItem>
export const ReadingBatch = batchOf(ReadingItem)
export type ReadingBatch = z.infer<typeof ReadingBatch>

/** The whole configuration of a machine when it was read; origin and port as those of an audit. */
export const ConfigItem = z.object({
  ...item,
  origin: Origin.default(0),
  port: Port.default('unknown'),
  parameters: Parameters,
})
export type ConfigItem = z.infer<typeof ConfigItem>
export const ConfigBatch = batchOf(ConfigItem)
export type ConfigBatch = z.infer<typeof ConfigBatch>

/**
 * The document of the visual programmer that a machine works with: after a start, after a change at the machine, and after command 19.
 * `sha256` is that of its canonical form (RFC 8785). A document that does not fit into a message is left out.
 */
export const VpConfigItem = z.object({
  ...item,
  origin: Origin.default(0),
  name: text(120).optional(),
  schemaVersion: text(10).optional(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  document: VpDocument.optional(),
})
export type VpConfigItem = z.infer<typeof VpConfigItem>
export const VpConfigBatch = batchOf(VpConfigItem)
export type VpConfigBatch = z.infer<typeof VpConfigBatch>

/** A selection by the machine's own name, as on its keys: `12`, `A3`. */
export const SelectionName = z.string().regex(/^[\p{L}\p{N}](?:[\p{L}\p{N} ._/-]{0,18}[\p{L}\p{N}])?$/u)

/** Pieces or portions. */
const Count = z.int().min(0).max(1_000_000)

/**
 * Stock levels of some or all selections. A selection that is not named keeps its level; `gone` removes a selection of the
 * machine. An entry replaces all that was known of its selection: a field that is left out becomes unknown.
 */
export const StockItem = z
  .object({
    ...item,
    levels: z
      .array(
        z.object({
          selection: SelectionName,
          level: Count,
          capacity: Count.min(1).optional(),
          /** At or below this value the level is low; by default a fifth of the capacity. */
          warningLevel: Count.optional(),
          refilledAt: MachineClock.optional(),
          product: text(80).optional(),
          /** 1: the total of the machine's hot drinks; 2: a single cold price line. */
          stockType: StockType.optional(),
          gone: z.boolean().default(false),
        }),
      )
      .min(1)
      .max(deviceLimits.selections),
    /** The ids of the messages `refill` that these levels include. */
    refills: z.array(z.uuid()).max(deviceLimits.refills).optional(),
  })
  .refine(({ levels }) => new Set(levels.map(({ selection }) => selection)).size === levels.length, {
    path: ['levels'],
    message: 'A selection is named twice',
  })
export type StockItem = z.infer<typeof StockItem>
export const StockBatch = batchOf(StockItem)
export type StockBatch = z.infer<typeof StockBatch>

/** Prices of selections, by price list 1 to 8, in minor units; as with stock, a selection that is not named keeps its price. */
export const PricesItem = z
  .object({
    ...item,
    prices: z
      .array(
        z.object({
          priceTable: z.int().min(1).max(8),
          selection: SelectionName,
          price: Minor.min(0),
          product: text(80).optional(),
          gone: z.boolean().default(false),
        }),
      )
      .min(1)
      .max(deviceLimits.prices),
  })
  .refine(({ prices }) => new Set(prices.map((one) => `${one.priceTable} ${one.selection}`)).size === prices.length, {
    path: ['prices'],
    message: 'A selection is named twice in a price list',
  })
export type PricesItem = z.infer<typeof PricesItem>
export const PricesBatch = batchOf(PricesItem)
export type PricesBatch = z.infer<typeof PricesBatch>

/**
 * The outcome of a command: `success`, `warning` and `error` have a text; `unsupported` means that the machine does not
 * know it.
 */
export const ResultItem = z.object({
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
export const Claim = z.object({ ...head, commandId: z.uuid() })
export type Claim = z.infer<typeof Claim>

/**
 * Requests cloud credit before a vend, or credit that the machine may write onto the key (`collect`; `amount` is then the maximum). Not
 * numbered: the answer is `down/authorised`. A request that is repeated with the same `id` gets the same answer. Its fields decide
 * about money, so an invalid field refuses it.
 */
export const Authorise = z.object({
  ...head,
  mediaSerial: MediaSerial.min(1),
  mediaType: MediaType.meta(meaningOf(mediaTypes)),
  amount: Minor.min(1),
  /** By default the merchant's. */
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/)
    .optional(),
  purpose: z.enum(reservationPurposes),
})
export type Authorise = z.infer<typeof Authorise>

/**
 * What happened to credit beside sales. `release`: a reservation will not be used. `collected`: its amount, or a part of it, was written onto
 * the key. `recharge`: the holder paid in `amount`, for the cloud or onto the key. `key`: a mere reading of a key.
 */
export const CreditItem = z.discriminatedUnion('action', [
  z.object({ ...item, action: z.literal('release'), reservationId: z.uuid() }),
  z.object({
    ...item,
    action: z.literal('collected'),
    reservationId: z.uuid(),
    amount: Minor.min(1),
    mediaSerial: MediaSerial.optional(),
    keyCredit: KeyCredit.optional(),
    keyCounter: KeyCounter.optional(),
  }),
  z.object({
    ...item,
    action: z.literal('recharge'),
    mediaSerial: MediaSerial.min(1),
    mediaType: MediaType.meta(meaningOf(mediaTypes)),
    amount: Minor.min(1),
    to: z.enum(['cloud', 'key']),
    keyCredit: KeyCredit.optional(),
    keyCounter: KeyCounter.optional(),
  }),
  z.object({
    ...item,
    action: z.literal('key'),
    mediaSerial: MediaSerial.min(1),
    mediaType: MediaType.meta(meaningOf(mediaTypes)),
    keyCredit: KeyCredit,
    keyCounter: KeyCounter,
  }),
])
export type CreditItem = z.infer<typeof CreditItem>
export const CreditBatch = batchOf(CreditItem)
export type CreditBatch = z.infer<typeof CreditBatch>

/** Requests the block list after the version that the machine has; 0 without any. The answer is `down/blocked`. */
export const BlocksRequest = z.object({ ...head, version: z.int().min(0).max(Number.MAX_SAFE_INTEGER) })
export type BlocksRequest = z.infer<typeof BlocksRequest>
/**
 * Requests a code for the key or card that is inserted: its holder types it in the app, and thus links it to their account. The answer is
 * `down/linked`.
 */
export const LinkCodeRequest = z.object({
  ...head,
  mediaSerial: MediaSerial.min(1),
  mediaType: MediaType.meta(meaningOf(mediaTypes)),
})
export type LinkCodeRequest = z.infer<typeof LinkCodeRequest>

/** How far a machine is with a command that it executes, an update above all; only the newest counts. */
export const Progress = z.object({
  ...head,
  commandId: z.uuid(),
  phase: UpdatePhase,
  percent: z.int().min(0).max(100).optional(),
})
export type Progress = z.infer<typeof Progress>

export const upPayloads = {
  hello: Hello,
  state: State,
  sale: SaleBatch,
  event: EventBatch,
  audit: AuditEnvelope,
  cash: CashBatch,
  reading: ReadingBatch,
  config: ConfigBatch,
  vpConfig: VpConfigBatch,
  stock: StockBatch,
  prices: PricesBatch,
  result: ResultBatch,
  claim: Claim,
  authorise: Authorise,
  credit: CreditBatch,
  blocks: BlocksRequest,
  linkCode: LinkCodeRequest,
  progress: Progress,
} as const satisfies Record<UpKind, z.ZodType>

/** Why a message or item was refused. docs/device-protocol.md has the machine's reaction to each code. */
export const refusalCodes = [
  'notJson',
  'invalid',
  'invalidItem',
  'invalidField',
  'unknownKind',
  'oversized',
  'staleEpoch',
  'tooManyGaps',
  'noRoom',
] as const
export const RefusalCode = z.enum(refusalCodes)
export type RefusalCode = z.infer<typeof RefusalCode>

/**
 * The refused part of a message: the items numbered `seqs`, or the whole message without `seqs`; with `invalidField` only the fields
 * that `reason` names. `kept`: the server has a complete copy of these items, and the journal continues without them; otherwise the
 * machine must keep them.
 */
export const Refusal = z.object({
  kind: z.string(),
  /** The message's own id, where it could be read. */
  id: z.uuid().optional(),
  seqs: z.array(Seq),
  code: RefusalCode,
  reason: z.string(),
  kept: z.boolean(),
})
export type Refusal = z.infer<typeof Refusal>

/** The server's time: as an instant, and as the clock of the merchant's zone shows it, which is how a machine's clock is set. */
export const ServerTime = z.object({ utc: z.iso.datetime(), local: MachineClock })
export type ServerTime = z.infer<typeof ServerTime>

/**
 * All journalled items up to and with `committed` are stored. `missing` are stretches (from, to, both included) to be sent again;
 * `refused` is there when something was. `recovery` changes when the database was restored: the machine then sends a hello, so that what is missing
 * is requested.
 */
export const Ack = z.object({
  epoch: Epoch,
  committed: z.int().min(0),
  missing: z.array(z.tuple([Seq, Seq])).max(50),
  refused: z.array(Refusal).optional(),
  protocol: z.string(),
  recovery: z.int().optional(),
  time: ServerTime,
})
export type Ack = z.infer<typeof Ack>

/** A command for the machine. `expiresInSeconds` counts from sending; only the claim decides. */
export const DownCommand = z.object({
  id: z.uuid(),
  type: z.int().min(0).max(255),
  parameters: z.record(z.string(), z.unknown()),
  expiresInSeconds: z.int().min(0),
})
export type DownCommand = z.infer<typeof DownCommand>

/**
 * The gateway is overloaded: the machine keeps its items for `seconds`, and up to half as long again at random. 0 ends the wait at once.
 * Over HTTP the header `Retry-After` of a 503 says the same.
 */
export const Wait = z.object({ seconds: z.int().min(0).max(600) })
export type Wait = z.infer<typeof Wait>

/**
 * What a technician did at the machine, for a machine that counts its levels: at `at` there were `counted` pieces (if they were counted), `waste`
 * was taken out and `loaded` was added. It is sent until a stock report names its `id`. The machine applies it once, and leaves out what it
 * has counted as its own refill since two hours before `at`.
 */
export const Refill = z.object({
  id: z.uuid(),
  at: ServerTime,
  lines: z
    .array(
      z.object({
        selection: SelectionName,
        counted: z.int().min(0).optional(),
        waste: z.int().min(0),
        loaded: z.int().min(0),
      }),
    )
    .min(1)
    .max(deviceLimits.selections),
})
export type Refill = z.infer<typeof Refill>

export const Go = z.object({ commandId: z.uuid(), go: z.boolean() })
export type Go = z.infer<typeof Go>

/**
 * The answer to `authorise`, by its `id`. Approved: `amount` is held as `reservationId` for `expiresInSeconds`. `credit` is what else the
 * medium may spend in the cloud; `blockVersion` the newest version of the block list.
 */
export const Authorised = z.object({
  id: z.uuid(),
  approved: z.boolean(),
  reason: z.enum(authorisationRefusals).optional(),
  reservationId: z.uuid().optional(),
  amount: Minor.optional(),
  credit: z.int(),
  expiresInSeconds: z.int().min(0).optional(),
  blockVersion: z.int().min(0),
})
export type Authorised = z.infer<typeof Authorised>

/**
 * Changes of the block list after version `since`, up to and with `version`. With `since` 0 the list replaces the machine's own.
 * `more`: request again from `version` on.
 */
export const BlockChanges = z.object({
  id: z.uuid(),
  since: z.int().min(0),
  version: z.int().min(0),
  blocked: z.array(z.string()),
  unblocked: z.array(z.string()),
  more: z.boolean(),
})
export type BlockChanges = z.infer<typeof BlockChanges>

/**
 * The answer to `linkCode`, by its `id`: 8 digits to show for `expiresInSeconds`, or why there is none. A new code ends the one before.
 */
export const LinkCode = z.object({
  id: z.uuid(),
  code: z.string().optional(),
  reason: z.enum(linkCodeRefusals).optional(),
  expiresInSeconds: z.int().min(0).optional(),
})
export type LinkCode = z.infer<typeof LinkCode>

export const downPayloads = {
  ack: Ack,
  command: DownCommand,
  go: Go,
  authorised: Authorised,
  blocked: BlockChanges,
  linked: LinkCode,
  refill: Refill,
  wait: Wait,
} as const satisfies Record<DownKind, z.ZodType>

/**
 * An unknown machine introduces itself with its merchant's PIN or a one-time code; `POST /device/v1/associate`. A known one renews its secret with
 * the secret it has.
 */
export const AssociationRequest = z
  .object({
    serial: Serial,
    deviceType: z.string().regex(/^[A-Z0-9]{2,10}$/),
    pin: Pin.optional(),
    /** A one-time code from the portal, for this serial only. */
    code: OneTimeCode.optional(),
    secret: text(200).optional(),
    boardSerial: text(60).optional(),
    name: LineText.trim().min(1).max(120).optional(),
  })
  .refine(({ pin, code, secret }) => [pin, code, secret].some((proof) => proof !== undefined), { path: ['pin'] })
export type AssociationRequest = z.infer<typeof AssociationRequest>

/** The secret is shown once; the server stores its hash. MQTT and HTTP use the serial as user name and the secret as password. */
export const AssociationAnswer = z.object({
  serial: Serial,
  secret: z.string(),
  epoch: Epoch,
  mqtt: z.object({ host: z.string(), port: z.int(), tls: z.boolean() }),
})
export type AssociationAnswer = z.infer<typeof AssociationAnswer>

/** Answer of `POST /device/v1/{serial}/{kind}`: the ack a machine would get over MQTT, with commands and refills that wait for it. */
export const DeviceAnswer = z.object({
  ack: Ack,
  commands: z.array(DownCommand),
  refills: z.array(Refill).optional(),
  go: Go.optional(),
  authorised: Authorised.optional(),
  blocked: BlockChanges.optional(),
  linked: LinkCode.optional(),
})
export type DeviceAnswer = z.infer<typeof DeviceAnswer>
