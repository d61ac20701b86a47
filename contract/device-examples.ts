import type { UpKind } from './device-protocol.ts'

const id = '0b0a8f7e-3a54-4f0e-9c39-0a3f1f6f3b11'
const at = '2026-11-21T08:00:00'
const batch = (item: object) => ({ id, at, epoch: 1, items: [{ seq: 1, at, ...item }] })
const money = [{ value: 50, count: 3 }]

/** For each kind, one message with all fields and one with only the required fields. */
export const deviceExamples: Record<UpKind, { full: object; least: object }> = {
  hello: {
    full: {
      id,
      at,
      epoch: 1,
      lastSeq: 7,
      oldestSeq: 3,
      bootAt: at,
      firmwareVersion: '1.0',
      versions: [{ kind: 'peripheralDatabase', peripheral: 'recycler', version: '7' }],
      boardSerial: 'B1',
      boardManufacturer: 'A maker',
      boardModel: 'M',
      boardVersion: '2',
      modemManufacturer: 'Q',
      modemModel: 'EC',
      modemVersion: '3',
      ethernetManufacturer: 'R',
      macAddress: '00:11:22:33:44:55',
      simIccid: '8939',
      simImsi: '2220',
      simOperator: 'TIM',
      imei: '35',
      publicIp: '192.0.2.1',
      networkType: '4G',
      telemetryBoardType: 'T',
      telemetryBoardVersion: '4',
    },
    least: { id, at, epoch: 1, lastSeq: 0 },
  },
  state: {
    full: {
      id,
      at,
      online: true,
      signalPercent: 60,
      temperatureCelsius: 4.5,
      networkType: '4G',
      publicIp: '192.0.2.1',
    },
    least: { id, online: false },
  },
  sale: {
    full: batch({
      type: 1,
      mediaType: 2,
      mediaSource: 3,
      paidWith: 2,
      priceLine: 12,
      priceTable: 1,
      product: 'Espresso',
      productCode: 'E1',
      value: 120,
      valueCharge: 0,
      freeSale: false,
      errorSale: false,
      mediaSerial: 'K1',
      reservationId: id,
      keyCredit: 880,
      keyCounter: 41,
      creditCardFileId: 'C1',
      externalUserId: 'U1',
      originalSeq: 1,
    }),
    least: batch({ type: 1, value: 0 }),
  },
  event: {
    full: batch({ code: 'EAD', active: true, message: 'Coin jam', detail: 'in tube 3' }),
    least: batch({ code: 'EAD' }),
  },
  audit: {
    full: { id, at, epoch: 1, seq: 1, readAt: at, origin: 2, port: 'dex', data: 'RFhT' },
    least: { id, at, epoch: 1, seq: 1, data: '' },
  },
  cash: {
    full: batch({
      box: 100,
      boxCapacity: 20_000,
      boxPieces: money,
      tubes: money,
      recyclers: money,
      accepted: money,
      rejected: money,
    }),
    least: batch({}),
  },
  reading: {
    full: batch({ signalPercent: 60, temperatureCelsius: 4.5 }),
    least: batch({ signalPercent: 60 }),
  },
  config: {
    full: batch({ origin: 2, port: 'dex', parameters: { 'price.12': '120' } }),
    least: batch({ parameters: { 'price.12': '120' } }),
  },
  vpConfig: {
    full: batch({
      origin: 2,
      name: 'School autumn',
      schemaVersion: '3.2',
      sha256: '44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a',
      document: {},
    }),
    least: batch({ sha256: '44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a' }),
  },
  stock: {
    full: batch({
      levels: [
        { selection: 'A 12', level: 3, capacity: 10, warningLevel: 2, refilledAt: at, product: 'Water', gone: false },
      ],
    }),
    least: batch({ levels: [{ selection: '12', level: 0 }] }),
  },
  prices: {
    full: batch({ prices: [{ priceTable: 8, selection: '12', price: 120, product: 'Water', gone: false }] }),
    least: batch({ prices: [{ priceTable: 1, selection: '12', price: 0 }] }),
  },
  result: {
    full: batch({ commandId: id, outcome: 'success', info: 'Read' }),
    least: batch({ commandId: id, outcome: 'success' }),
  },
  progress: {
    full: { id, at, commandId: id, phase: 'downloading', percent: 40 },
    least: { id, at, commandId: id, phase: 'installing' },
  },
  claim: { full: { id, at, commandId: id }, least: { id, at, commandId: id } },
  authorise: {
    full: { id, at, mediaSerial: '04A1B2C3', mediaType: 2, amount: 120, currency: 'EUR', purpose: 'vend' },
    least: { id, at, mediaSerial: '04A1B2C3', mediaType: 2, amount: 120, purpose: 'collect' },
  },
  credit: {
    full: batch({
      action: 'recharge',
      mediaSerial: '04A1B2C3',
      mediaType: 2,
      amount: 500,
      to: 'key',
      keyCredit: 1380,
      keyCounter: 42,
    }),
    least: batch({ action: 'release', reservationId: id }),
  },
  blocks: { full: { id, at, version: 7 }, least: { id, at, version: 0 } },
  linkCode: { full: { id, at, mediaSerial: 'K1', mediaType: 2 }, least: { id, at, mediaSerial: 'K1', mediaType: 2 } },
}
