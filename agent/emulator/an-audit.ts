import { writeAudit } from '#domain/audits/eva-dts/write-audit.ts'

/** The audit file of an emulated machine, with so many selections. */
export function anAudit({
  serial = 'EMU0000001',
  selections = 4,
  vends = 12,
  time = '2026-11-21T08:00:00',
} = {}): Uint8Array {
  const price = 120
  const tally = { count: vends * selections, value: vends * selections * price }
  return writeAudit({
    serial,
    model: 'EMULATOR',
    software: '1.0',
    decimals: 2,
    currency: 'EUR',
    time,
    selections: Array.from({ length: selections }, (_, index) => ({
      selection: String(index + 1),
      name: `Drink ${index + 1}`,
      price,
      count: vends,
      value: vends * price,
    })),
    cash: { ...tally, in: { toBox: tally.value, toTubes: 0, bills: 0 } },
    reads: vends,
  })
}
