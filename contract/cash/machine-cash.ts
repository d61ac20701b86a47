import { z } from 'zod'
import { endpoint } from '../frame/endpoint.ts'
import { Day, Instant, MinorUnits } from '../frame/shapes.ts'
import { daysBetween } from '../rules/number.ts'
import { CollectionStatus, FloatDevice } from '../vocabulary/cash.ts'
import { Currency } from '../vocabulary/world/currencies.ts'

/** Pieces that a tube or recycler can hold. */
export const mostFloat = 100_000
const Pieces = z.int().min(0).max(mostFloat)

/** A denomination in a tube or recycler. Null: not reported, or not set. */
export const CashSlot = z.strictObject({
  device: FloatDevice,
  /** Minor units. */
  value: MinorUnits,
  kind: z.enum(['coin', 'note']),
  count: z.int().nullable(),
  capacity: z.int().nullable(),
  /** The pieces that should be in it after a visit. */
  wanted: z.int().nullable(),
})
export type CashSlot = z.infer<typeof CashSlot>

const Taken = z.strictObject({ accepted: z.int(), rejected: z.int() })

/** The longest period for which accepted and refused pieces are added up. */
export const cashPeriod = { minDays: 1, maxDays: 366 } as const

/** The cash of a machine: what is in it, what moved since the last collection, and which pieces it accepted and refused. */
export const MachineCash = z.strictObject({
  currency: Currency,
  /** The last cash report; null without any. */
  readAt: Instant.nullable(),
  slots: z.array(CashSlot),
  box: MinorUnits.nullable(),
  boxCapacity: MinorUnits.nullable(),
  /** Coins and banknotes in the boxes by value, from machines that report them; null from others. */
  boxPieces: z.array(z.strictObject({ value: MinorUnits, kind: z.enum(['coin', 'note']), count: z.int() })).nullable(),
  /** The merchant counts blind, and the reader does not see cash boxes. */
  isBoxHidden: z.boolean(),
  /** Of the settings of tubes and recyclers; 0: none are set. */
  floatVersion: z.int().min(0),
  lastCollection: z.strictObject({ id: z.uuid(), at: Instant, status: CollectionStatus }).nullable(),
  /**
   * Cash in and out since the last collection; null without one, and where the box is hidden. In − out is what the box, the tubes and the recyclers gained, and what the
   * last report does not know yet: `in − out = box − left + tubes + unreported`.
   */
  since: z
    .strictObject({
      in: MinorUnits,
      out: MinorUnits,
      /** In the box after the collection. Null, as `tubes`: the machine reported no cash at the collection. */
      left: MinorUnits.nullable(),
      /** Gained by tubes and recyclers; negative if they gave more change than they took. */
      tubes: MinorUnits.nullable(),
      /** In − out after the last cash report. */
      unreported: MinorUnits,
    })
    .nullable(),
  acceptance: z.strictObject({
    startDate: Day,
    endDate: Day,
    /** By value, the smallest first. */
    denominations: z.array(Taken.extend({ denomination: MinorUnits })),
    /** As many days before. */
    previous: Taken,
  }),
})
export type MachineCash = z.infer<typeof MachineCash>

export const CashFloat = z
  .strictObject({
    device: FloatDevice,
    value: MinorUnits.min(1),
    capacity: Pieces.min(1).nullable(),
    wanted: Pieces.nullable(),
  })
  .refine(({ capacity, wanted }) => capacity === null || wanted === null || wanted <= capacity, { path: ['wanted'] })
export type CashFloat = z.infer<typeof CashFloat>

export const machineCash = {
  getMachineCash: endpoint({
    method: 'GET',
    path: '/merchants/{merchantId}/pos/{posId}/cash',
    summary: 'Get the cash in a point of sale by device and denomination',
    needs: 'machine.read',
    finds: ['posId'],
    topics: ['machine', 'collection'],
    /** The period of accepted and refused pieces; the last 30 ended days by default. Chosen days are cut at the last ended one, except today alone. */
    query: z.strictObject({ startDate: Day.optional(), endDate: Day.optional() }).check(daysBetween(cashPeriod)),
    ok: MachineCash,
    fails: ['MachineNotFound'],
  }),
  updateCashFloats: endpoint({
    method: 'PUT',
    path: '/merchants/{merchantId}/pos/{posId}/cash/floats',
    summary: 'Set capacity and wanted float of tubes and recyclers of a point of sale',
    needs: 'machine.write',
    body: z.strictObject({
      /** `floatVersion` of the cash that the edit started from. */
      version: z.int().min(0),
      floats: z
        .array(CashFloat)
        .max(80)
        .refine((floats) => new Set(floats.map(({ device, value }) => `${device} ${value}`)).size === floats.length, {
          message: 'A denomination is named twice',
        }),
    }),
    ok: z.strictObject({ floatVersion: z.int() }),
    fails: ['MachineNotFound', 'EditConflict', 'ValidationFailed'],
  }),
}
