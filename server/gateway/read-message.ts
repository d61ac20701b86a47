import { z } from 'zod'
import { AuditEnvelope, deviceLimits, type RefusalCode, type UpKind, upPayloads } from '#contract/device-protocol.ts'
import { type ModemFacts, openModemEnvelope } from './modem-envelope.ts'

/** Kinds whose items are numbered and stored once. */
export const batchKinds = [
  'sale',
  'event',
  'cash',
  'reading',
  'config',
  'vpConfig',
  'stock',
  'prices',
  'result',
  'credit',
] as const
export type BatchKind = (typeof batchKinds)[number]
type BatchOf<K extends BatchKind> = z.output<(typeof upPayloads)[K]>
export type ItemOf<K extends BatchKind> = BatchOf<K>['items'][number]

/** Why something is refused: a code, and the exact fault. */
export interface Fault {
  code: RefusalCode
  detail: string
}

/** An invalid item. When it has a number, the journal continues without it. */
export interface BadItem extends Fault {
  seq: number | null
  /** Its position in the message. */
  index: number
  raw: unknown
}

/** The head of a message, which is needed to read an item again later. */
export interface Head {
  id: string
  at: string
  epoch: number
}

export interface ReadBatch<K extends BatchKind = BatchKind> {
  head: Head
  items: ItemOf<K>[]
  /** Unknown fields of items as JSON, by their position. */
  unknown: Map<number, string>
  bad: BadItem[]
}

type Read<T> = { value: T } | { fault: Fault }

function parseJson(payload: Uint8Array): Read<unknown> {
  try {
    return {
      value: JSON.parse(
        Buffer.from(payload.buffer, payload.byteOffset, payload.byteLength)
          .toString('utf8')
          .replace(/^\uFEFF/, ''),
      ),
    }
  } catch (error) {
    return { fault: { code: 'notJson', detail: error instanceof Error ? error.message : 'The payload is not JSON' } }
  }
}

const detailOf = (error: z.ZodError): string =>
  error.issues
    .slice(0, 5)
    .map(({ path, message }) => `${path.join('.') || 'payload'}: ${message}`)
    .join('; ')
    .slice(0, 500)

export type WholeKind = 'hello' | 'state' | 'claim' | 'progress' | 'authorise' | 'blocks' | 'linkCode'
/** Kinds of which an invalid optional field is left out. The others decide about commands and money. */
const lenientKinds: readonly WholeKind[] = ['hello', 'state']
interface ReadWhole<K extends WholeKind> {
  value: z.output<(typeof upPayloads)[K]>
  ignored: Fault | null
  /** Unknown fields of a hello. */
  unknown: object | undefined
}

/**
 * Reads a message without items. An invalid optional field is left out and named in `ignored`: a hello must be answered,
 * whatever newer firmware writes about its modem.
 */
export function readWhole<K extends WholeKind>(kind: K, payload: Uint8Array): ReadWhole<K> | { fault: Fault } {
  const json = parseJson(payload)
  if ('fault' in json) return json
  const readAs = (value: object, ignored: Fault | null): ReadWhole<K> => ({
    value: value as z.output<(typeof upPayloads)[K]>,
    ignored,
    unknown: kind === 'hello' ? unknownIn(json.value as object, value) : undefined,
  })
  const first = upPayloads[kind].safeParse(json.value)
  if (first.success) return readAs(first.data, null)
  const fault: Fault = { code: 'invalid', detail: detailOf(first.error) }
  const wrong = new Set(first.error.issues.map(({ path }) => path[0]))
  if (typeof json.value !== 'object' || json.value === null || !lenientKinds.includes(kind)) return { fault }
  const rest = Object.fromEntries(Object.entries(json.value).filter(([name]) => !wrong.has(name)))
  const second = upPayloads[kind].safeParse(rest)
  return second.success ? readAs(second.data, fault) : { fault }
}

/** The schema of one item of a kind. */
const itemSchema = (kind: BatchKind) => upPayloads[kind].shape.items.element
const Envelope = upPayloads.sale.extend({ items: z.array(z.unknown()).min(1).max(deviceLimits.items) })
const Numbered = z.object({ seq: upPayloads.audit.shape.seq })

/** Reads a batch. Bad items are set aside, and the others are read. */
export function readBatch<K extends BatchKind>(kind: K, payload: Uint8Array): Read<ReadBatch<K>> {
  const json = parseJson(payload)
  if ('fault' in json) return json
  const whole = upPayloads[kind].safeParse(json.value)
  if (whole.success) {
    const { id, at, epoch } = whole.data
    const items = whole.data.items as ItemOf<K>[]
    const unknown = new Map<number, string>()
    const raws = (json.value as { items: object[] }).items
    items.forEach((item, index) => noteUnknown(unknown, index, raws[index] as object, item))
    return { value: { head: { id, at, epoch }, items, unknown, bad: [] } }
  }
  const envelope = Envelope.safeParse(json.value)
  if (!envelope.success) return { fault: { code: 'invalid', detail: detailOf(envelope.error) } }
  const { id, at, epoch, items: raws } = envelope.data
  const read: ReadBatch<K> = { head: { id, at, epoch }, items: [], unknown: new Map(), bad: [] }
  raws.forEach((raw, index) => {
    const item = itemSchema(kind).safeParse(raw)
    if (item.success) {
      noteUnknown(read.unknown, read.items.length, raw as object, item.data)
      read.items.push(item.data as ItemOf<K>)
    } else read.bad.push({ code: 'invalidItem', detail: detailOf(item.error), seq: seqOf(raw), index, raw })
  })
  return { value: read }
}

/** The items of a message of unknown kind: each is set aside for a later version. */
export function readUnknownKind(payload: Uint8Array): Read<{ head: Head; bad: BadItem[] }> {
  const json = parseJson(payload)
  if ('fault' in json) return json
  const envelope = Envelope.safeParse(json.value)
  if (!envelope.success) return { fault: { code: 'unknownKind', detail: 'no message of this kind exists' } }
  const { id, at, epoch, items } = envelope.data
  const bad = items.map((raw, index): BadItem => {
    return { code: 'unknownKind', detail: 'no message of this kind exists', seq: seqOf(raw), index, raw }
  })
  return { value: { head: { id, at, epoch }, bad } }
}

/** The unchanged items of a message by their numbers. */
export function rawItems(payload: Uint8Array): Map<number, unknown> {
  const json = parseJson(payload)
  const envelope = 'fault' in json ? null : Envelope.safeParse(json.value)
  return new Map(envelope?.data?.items.map((raw) => [seqOf(raw) ?? 0, raw]))
}

function seqOf(raw: unknown): number | null {
  const numbered = Numbered.safeParse(raw)
  return numbered.success ? numbered.data.seq : null
}

function noteUnknown(unknown: Map<number, string>, index: number, raw: object, read: object): void {
  const fields = unknownIn(raw, read)
  if (fields) unknown.set(index, jsonOf(fields) ?? '"nested deeper than can be written"')
}

/** The parts of a message that were not read, or read differently; undefined without any. Lists by index. */
function unknownIn(raw: object, read: object): object | undefined {
  let unknown: Record<string, unknown> | undefined
  for (const key in raw) {
    const sent = (raw as Record<string, unknown>)[key]
    const parsed = Object.hasOwn(read, key) ? (read as Record<string, unknown>)[key] : undefined
    if (sent === parsed) continue
    const isInside = typeof sent === 'object' && sent !== null && typeof parsed === 'object' && parsed !== null
    const unknownPart = isInside ? unknownIn(sent, parsed) : sent
    if (unknownPart === undefined) continue
    unknown ??= Object.create(null) as Record<string, unknown>
    unknown[key] = unknownPart
  }
  return unknown
}

/** Writes JSON; null when it is too deeply nested to be written, though it could be read. */
export function jsonOf(raw: unknown): string | null {
  try {
    return JSON.stringify(raw) ?? null
  } catch {
    return null
  }
}

/** An audit as received: in our envelope, in a modem's envelope, or the bare bytes of a file. */
export interface ReadAudit {
  envelope: Omit<AuditEnvelope, 'data'> | null
  modem?: ModemFacts
  bytes: Uint8Array
  /** Unknown fields of the envelope, as JSON. */
  unknown?: string
  /** Set when it is numbered like an envelope but cannot be read as one. */
  bad?: { epoch: number; item: BadItem }
}

const NumberedAudit = AuditEnvelope.pick({ epoch: true, seq: true }).extend({ data: z.string() })

/** Reads an audit message. Any bytes that are not an envelope are the file itself, so that nothing is lost. */
export function readAuditMessage(payload: Uint8Array): ReadAudit {
  // An envelope is a JSON object; a file starts with DXS or with noise.
  const isMaybeJson = payload.subarray(0, 32).includes(0x7b)
  const json = isMaybeJson ? parseJson(payload) : null
  const envelope = json && 'value' in json ? AuditEnvelope.safeParse(json.value) : null
  if (!json || !('value' in json) || !envelope) return { envelope: null, bytes: payload }
  if (!envelope.success) {
    const modem = openModemEnvelope(json.value)
    if (modem) return { envelope: null, modem: modem.facts, bytes: modem.bytes }
    const numbered = NumberedAudit.safeParse(json.value)
    if (!numbered.success) return { envelope: null, bytes: payload }
    const { epoch, seq } = numbered.data
    const item: BadItem = { code: 'invalidItem', detail: detailOf(envelope.error), seq, index: 0, raw: json.value }
    return { envelope: null, bytes: payload, bad: { epoch, item } }
  }
  const { data, ...rest } = envelope.data
  const unknown = new Map<number, string>()
  noteUnknown(unknown, 0, json.value as object, envelope.data)
  return {
    envelope: rest,
    bytes: Buffer.from(data, 'base64'),
    ...(unknown.size > 0 && { unknown: unknown.get(0) ?? '' }),
  }
}

export const isBatchKind = (kind: UpKind): kind is BatchKind => (batchKinds as readonly string[]).includes(kind)
