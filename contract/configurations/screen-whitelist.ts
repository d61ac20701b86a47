import { z } from 'zod'
import { Serial } from '../device-protocol.ts'
import { endpoint } from '../frame/endpoint.ts'
import type { ListColumns } from '../frame/list-columns.ts'
import { Instant, oneOrMany, paged, pageOf, Search, Text } from '../frame/shapes.ts'

/** A screen may enrol, has enrolled, or its time to enrol is over. */
export const whitelistStates = ['open', 'enrolled', 'expired'] as const
export const WhitelistState = z.enum(whitelistStates)
export type WhitelistState = z.infer<typeof WhitelistState>

/** A serial whose screen may enrol. It enrols when it first fetches a configuration. */
export const WhitelistEntry = z.strictObject({
  id: z.uuid(),
  merchantId: z.uuid(),
  merchantName: z.string(),
  timeZone: z.string(),
  serial: z.string(),
  /** The merchant's machine with this serial, if any. */
  posName: z.string().nullable(),
  state: WhitelistState,
  addedBy: z.string(),
  createdAt: Instant,
  expiresAt: Instant,
  enrolledAt: Instant.nullable(),
})
export type WhitelistEntry = z.infer<typeof WhitelistEntry>

export const WhitelistFilters = z.strictObject({ search: Search.optional(), states: oneOrMany(WhitelistState) })
export type WhitelistFilters = z.infer<typeof WhitelistFilters>
export const whitelistOrds = ['createdAt', 'serial', 'expiresAt', 'enrolledAt'] as const
export const whitelistColumns = {
  serial: { kind: 'text', heading: 'screen-whitelist:field.serial' },
  merchant: { kind: 'text', heading: 'screen-whitelist:column.merchant' },
  posName: { kind: 'text', heading: 'screen-whitelist:column.machine' },
  state: { kind: 'word', heading: 'screen-whitelist:column.state', of: 'whitelistState' },
  expiresAt: { kind: 'instant', heading: 'screen-whitelist:column.expires' },
  enrolledAt: { kind: 'instant', heading: 'screen-whitelist:column.enrolled' },
  addedBy: { kind: 'text', heading: 'screen-whitelist:column.addedBy' },
  createdAt: { kind: 'instant', heading: 'screen-whitelist:column.created' },
} as const satisfies ListColumns

/** Maximum serials of one call, and of a merchant. */
export const mostWhitelisted = 10_000
export const mostWhitelistedInAll = 50_000

/** Serials as typed or imported. Entries that are no serial, or repeated, are named in the answer and skipped. */
export const NewWhitelistEntries = z.strictObject({
  serials: z.array(Text.max(100)).min(1).max(mostWhitelisted),
})
export const isSerial = (text: string) => Serial.safeParse(text).success

export const WhitelistOutcome = z.strictObject({
  added: z.int(),
  /** On the list already: their time to enrol starts again. */
  renewed: z.array(z.string()),
  /** On the list already, and enrolled. */
  enrolled: z.array(z.string()),
  /** More than once in the call. */
  duplicates: z.array(z.string()),
  /** No serial numbers. */
  invalid: z.array(z.string()),
  expiresAt: Instant,
})
export type WhitelistOutcome = z.infer<typeof WhitelistOutcome>

const feature = 'screenConfigurationManagement' as const
const path = '/merchants/{merchantId}/screen-configuration-whitelist' as const

export const screenWhitelist = {
  listWhitelist: endpoint({
    method: 'GET',
    path,
    summary: 'List serials whose screens may enrol',
    needs: 'screen.read',
    feature,
    topics: ['screenConfiguration'],
    query: WhitelistFilters.extend(paged(whitelistOrds)),
    ok: pageOf(WhitelistEntry),
  }),
  addToWhitelist: endpoint({
    method: 'POST',
    path,
    summary:
      'Add serials to the whitelist for the merchant’s number of days; the answer names repeated and invalid ones',
    needs: 'screen.write',
    feature,
    body: NewWhitelistEntries,
    ok: WhitelistOutcome,
    status: 201,
    fails: ['MerchantNotSelected', 'WhitelistFull'],
    // 100,000 serials are refused by number, not by bytes.
    longestBody: 12 * 1024 * 1024,
  }),
  removeFromWhitelist: endpoint({
    method: 'DELETE',
    path: `${path}/{whitelistEntryId}`,
    summary: 'Remove a serial from the whitelist; its screen fetches no configuration any longer',
    needs: 'screen.write',
    feature,
    fails: ['WhitelistEntryNotFound'],
  }),
}
