import { z } from 'zod'
import { SelectionName } from '../device-protocol.ts'
import { always, saying } from '../frame/broken.ts'
import { editOf } from '../frame/editing.ts'
import { endpoint } from '../frame/endpoint.ts'
import type { ExportedList } from '../frame/exported-list.ts'
import { ids } from '../frame/ids.ts'
import { type ListColumns, ordsOf } from '../frame/list-columns.ts'
import { withOptionalTotals } from '../frame/list-totals.ts'
import { recordOf } from '../frame/record-of.ts'
import { Day, Flag, LineText, paged, pageOf, Search } from '../frame/shapes.ts'

const isUnique = (all: readonly unknown[]) => new Set(all).size === all.length
/** `A1` and `a1` are the same selection to a reader. */
const isUniqueName = (all: readonly string[]) => isUnique(all.map((one) => one.toLowerCase()))

/** A time of day, on the machine's clock. */
export const TimeOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, saying('format'))

/**
 * A weekly window in the machine's zone. `days` are ISO weekdays, 1 Monday to 7 Sunday, on which it starts. An end at or before the start
 * is on the next day: 22:00 to 06:00 crosses midnight, 00:00 to 00:00 is the whole day.
 */
export const NoVendWindow = z.strictObject({
  days: z.array(z.int().min(1).max(7)).min(1).max(7).refine(isUnique, saying('choice')),
  from: TimeOfDay,
  to: TimeOfDay,
})
export type NoVendWindow = z.infer<typeof NoVendWindow>

const dayMinutes = 1440
const weekMinutes = 7 * dayMinutes
const minuteOf = (clock: string) => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3, 5))

/** The minutes of a week that a window covers: the start on each of its days, and its length. The week is a circle. */
const spansOf = ({ days, from, to }: NoVendWindow) => {
  const start = minuteOf(from)
  const end = minuteOf(to)
  const length = end > start ? end - start : end - start + dayMinutes
  return days.map((day) => ({ start: (day - 1) * dayMinutes + start, length }))
}

/** Windows that share a minute of the week with an earlier one, by their place. */
export function overlappingWindows(windows: readonly NoVendWindow[]): number[] {
  const spans = windows.map(spansOf)
  /** Minutes from the start of one span to the start of the other, around the week. */
  const later = (one: number, other: number) => (other - one + weekMinutes) % weekMinutes
  const meets = (one: number, other: number) =>
    (spans[one] ?? []).some((a) =>
      (spans[other] ?? []).some((b) => later(a.start, b.start) < a.length || later(b.start, a.start) < b.length),
    )
  return windows.flatMap((_, at) => (windows.slice(0, at).some((__, before) => meets(before, at)) ? at : []))
}

/** On a holiday the windows apply as on other days, do not apply, or nothing of the profile is sold all day. */
export const holidayRules = ['asUsual', 'never', 'allDay'] as const
export const HolidayRule = z.enum(holidayRules)
export type HolidayRule = z.infer<typeof HolidayRule>

/** What is not sold in the windows: selections, products, or everything paid from a price table. */
export const NewNoVendProfile = z
  .strictObject({
    name: LineText.trim().min(1).max(120),
    selections: z.array(SelectionName).max(100).refine(isUniqueName, saying('choice')).default([]),
    productIds: z.array(ids.productId).max(100).refine(isUnique, saying('choice')).default([]),
    priceTables: z.array(z.int().min(1).max(8)).max(8).refine(isUnique, saying('choice')).default([]),
    windows: z.array(NoVendWindow).max(28).default([]),
    holidays: z.array(Day).max(100).refine(isUnique, saying('choice')).default([]),
    onHolidays: HolidayRule.default('asUsual'),
  })
  .check(
    z.superRefine(({ selections, productIds, priceTables, windows, holidays, onHolidays }, context) => {
      const add = (field: string) => context.addIssue({ code: 'custom', ...saying('required'), path: [field] })
      const isRead = z.array(NoVendWindow).safeParse(windows)
      for (const at of overlappingWindows(isRead.data ?? []))
        context.addIssue({ code: 'custom', ...saying('overlap'), path: ['windows', at] })
      if (selections.length + productIds.length + priceTables.length === 0) add('selections')
      if (windows.length === 0 && !(onHolidays === 'allDay' && holidays.length > 0)) add('windows')
    }, always),
  )
export type NewNoVendProfile = z.output<typeof NewNoVendProfile>

export const NoVendProfile = recordOf(NewNoVendProfile, {
  /** Machines of the reader's groups with it, and those of them that have confirmed it. */
  machines: z.int(),
  machinesInSync: z.int(),
})
export type NoVendProfile = z.infer<typeof NoVendProfile>

export const NoVendProfileFilters = z.strictObject({
  search: Search.optional(),
  hasMachines: Flag.optional(),
})
export type NoVendProfileFilters = z.infer<typeof NoVendProfileFilters>

export const noVendProfileColumns = {
  name: { kind: 'text', heading: 'no-vend-profile:field.name' },
  merchant: { kind: 'text', heading: 'no-vend-profile:column.merchant' },
  machines: { kind: 'number', heading: 'no-vend-profile:column.machines' },
  machinesInSync: { kind: 'number', heading: 'no-vend-profile:column.machinesInSync' },
  createdAt: { kind: 'instant', heading: 'no-vend-profile:column.created' },
  id: { kind: 'plain', heading: 'no-vend-profile:column.id' },
} as const satisfies ListColumns

export const noVendProfileOrds = ordsOf(noVendProfileColumns, 'name')

/** At most so many of the machines that block a deletion are named; all are counted. */
export const mostNoVendBlockers = 20

/** Facts of `NoVendProfileInUse`. Machines outside the reader's groups are only said to exist. */
export const NoVendProfileBlockers = z.strictObject({
  machines: z.int(),
  firstMachines: z.array(z.strictObject({ id: z.uuid(), name: z.string() })),
  hasOthers: z.boolean(),
})
export type NoVendProfileBlockers = z.infer<typeof NoVendProfileBlockers>

const path = '/merchants/{merchantId}/no-vend-profiles' as const
const one = '/merchants/{merchantId}/no-vend-profiles/{noVendProfileId}' as const

export const noVendProfiles = {
  listNoVendProfiles: endpoint({
    method: 'GET',
    path,
    summary: 'List no-vend profiles',
    needs: 'noVendProfile.read',
    feature: 'vending',
    topics: ['noVendProfile', 'machine', 'configuration'],
    query: NoVendProfileFilters.extend(paged(noVendProfileOrds)),
    ok: pageOf(NoVendProfile).extend(withOptionalTotals),
  }),
  getNoVendProfile: endpoint({
    method: 'GET',
    path: one,
    summary: 'Get a no-vend profile',
    needs: 'noVendProfile.read',
    feature: 'vending',
    topics: ['noVendProfile', 'machine', 'configuration'],
    ok: NoVendProfile,
    fails: ['NoVendProfileNotFound'],
  }),
  createNoVendProfile: endpoint({
    method: 'POST',
    path,
    summary: 'Create a no-vend profile; an error names the duplicate name',
    needs: 'noVendProfile.write',
    feature: 'vending',
    body: NewNoVendProfile,
    ok: NoVendProfile,
    status: 201,
    fails: ['MerchantNotSelected', 'NoVendProfileAlreadyExists', 'ProductNotFound'],
  }),
  updateNoVendProfile: endpoint({
    method: 'PUT',
    path: one,
    summary: 'Update a no-vend profile and send it to its machines',
    needs: 'noVendProfile.write',
    feature: 'vending',
    body: editOf(NewNoVendProfile),
    ok: NoVendProfile,
    fails: ['NoVendProfileNotFound', 'NoVendProfileAlreadyExists', 'ProductNotFound', 'EditConflict'],
    timeOut: 'large',
  }),
  deleteNoVendProfile: endpoint({
    method: 'DELETE',
    path: one,
    summary: 'Delete a no-vend profile that no machine uses',
    needs: 'noVendProfile.write',
    feature: 'vending',
    fails: ['NoVendProfileNotFound', 'NoVendProfileInUse'],
  }),
}

/** The list as a file. */
export const exportedNoVendProfiles = {
  row: noVendProfiles.listNoVendProfiles,
  filters: NoVendProfileFilters,
  ords: noVendProfileOrds,
  columns: noVendProfileColumns,
} as const satisfies ExportedList
