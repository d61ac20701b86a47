import { z } from 'zod'
import { AuditEnvelope, deviceLimits, type UpKind, upPayloads } from '#contract/device-protocol.ts'

/** Kinds whose items are numbered and stored once. */
export const batchKinds = ['sale', 'event', 'cash', 'reading', 'config', 'stock', 'prices', 'result'] as const
export type BatchKind = (typeof batchKinds)[number]
type BatchOf<K extends BatchKind> = z.output<(typeof upPayloads)[K]>
type ItemOf<K extends BatchKind> = BatchOf<K>['items'][number]

/** Why something is refused: a code, and what exactly is wrong with it. */
export interface Fault {
  code: 'notJson' | 'invalid' | 'invalidItem' | 'oversized'
  detail: string
}

/** An item that cannot be understood. When it says its number, the journal goes on without it. */
export interface BadItem extends Fault {
  seq: number | null
  raw: unknown
}

export interface ReadBatch<K extends BatchKind = BatchKind> {
  epoch: number
  sentAt: string
  items: ItemOf<K>[]
  bad: BadItem[]
}

type Read<T> = { value: T } | { fault: Fault }

function parseJson(payload: Uint8Array): Read<unknown> {
  try {
    return { value: JSON.parse(Buffer.from(payload.buffer, payload.byteOffset, payload.byteLength).toString('utf8')) }
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

/** Reads a message whose parts stand or fall together. */
export function readWhole<K extends 'hello' | 'state' | 'claim'>(
  kind: K,
  payload: Uint8Array,
): Read<z.output<(typeof upPayloads)[K]>> {
  const json = parseJson(payload)
  if ('fault' in json) return json
  const read = upPayloads[kind].safeParse(json.value)
  if (!read.success) return { fault: { code: 'invalid', detail: detailOf(read.error) } }
  return { value: read.data as z.output<(typeof upPayloads)[K]> }
}

const itemSchemas = {
  sale: upPayloads.sale.shape.items.element,
  event: upPayloads.event.shape.items.element,
  cash: upPayloads.cash.shape.items.element,
  reading: upPayloads.reading.shape.items.element,
  config: upPayloads.config.shape.items.element,
  stock: upPayloads.stock.shape.items.element,
  prices: upPayloads.prices.shape.items.element,
  result: upPayloads.result.shape.items.element,
} as const
const Envelope = upPayloads.sale.extend({ items: z.array(z.unknown()).min(1).max(deviceLimits.items) })
const Numbered = z.object({ seq: upPayloads.audit.shape.seq })

/** Reads a batch. An item that is wrong is set aside; the others do not suffer for it. */
export function readBatch<K extends BatchKind>(kind: K, payload: Uint8Array): Read<ReadBatch<K>> {
  const json = parseJson(payload)
  if ('fault' in json) return json
  const whole = upPayloads[kind].safeParse(json.value)
  if (whole.success) {
    const { epoch, at, items } = whole.data
    return { value: { epoch, sentAt: at, items: items as ItemOf<K>[], bad: [] } }
  }
  const envelope = Envelope.safeParse(json.value)
  if (!envelope.success) return { fault: { code: 'invalid', detail: detailOf(envelope.error) } }
  const read: ReadBatch<K> = { epoch: envelope.data.epoch, sentAt: envelope.data.at, items: [], bad: [] }
  for (const raw of envelope.data.items) {
    const item = itemSchemas[kind].safeParse(raw)
    if (item.success) read.items.push(item.data as ItemOf<K>)
    else {
      const numbered = Numbered.safeParse(raw)
      const seq = numbered.success ? numbered.data.seq : null
      read.bad.push({ code: 'invalidItem', detail: detailOf(item.error), seq, raw })
    }
  }
  return { value: read }
}

/** An audit as it came: in its envelope, or the bare bytes of a file. */
export interface ReadAudit {
  envelope: Omit<AuditEnvelope, 'data'> | null
  bytes: Uint8Array
}

/** Reads an audit message. Whatever is not the envelope is taken for the file itself, so that any bytes are kept. */
export function readAuditMessage(payload: Uint8Array): ReadAudit {
  // An envelope is a JSON object; a file begins with DXS or with noise.
  const isMaybeJson = payload.subarray(0, 32).includes(0x7b)
  const json = isMaybeJson ? parseJson(payload) : null
  const envelope = json && 'value' in json ? AuditEnvelope.safeParse(json.value) : null
  if (!envelope?.success) return { envelope: null, bytes: payload }
  const { data, ...rest } = envelope.data
  return { envelope: rest, bytes: Buffer.from(data, 'base64') }
}

export const isBatchKind = (kind: UpKind): kind is BatchKind => (batchKinds as readonly string[]).includes(kind)
