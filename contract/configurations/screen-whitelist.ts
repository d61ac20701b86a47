import { z } from 'zod'
import { Serial } from '../device-protocol.ts'
import { endpoint } from '../frame/endpoint.ts'
import type { ExportedList } from '../frame/exported-list.ts'
import { type ListColumns, ordsOf } from '../frame/list-columns.ts'
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
export const whitelistColumns = {
  serial: { kind: 'text', heading: 'screen-whitelist:field.serial' },
  merchant: { kind: 'text', heading: 'screen-whitelist:column.merchant' },
  posName: { kind: 'text', heading: 'screen-whitelist:column.machine' },
  state: { kind: 'status', heading: 'screen-whitelist:column.state', of: 'whitelistState' },
  expiresAt: { kind: 'instant', heading: 'screen-whitelist:column.expires' },
  enrolledAt: { kind: 'instant', heading: 'screen-whitelist:column.enrolled' },
  addedBy: { sort: false, kind: 'text', heading: 'screen-whitelist:column.addedBy' },
  createdAt: { kind: 'instant', heading: 'screen-whitelist:column.created' },
} as const satisfies ListColumns

export const whitelistOrds = ordsOf(whitelistColumns, 'createdAt')

/** Maximum lines of one call, and serials of a merchant. */
export const mostWhitelistLines = 100_000
export const mostWhitelistedInAll = 50_000

/** One line for each serial, as typed or imported. Wrong lines are named in the answer; all others are taken. */
export const NewWhitelistEntries = z.strictObject({ serials: z.array(Text).min(1).max(mostWhitelistLines) })
export const isSerial = (text: string) => Serial.safeParse(text).success

/** Why a line is not taken. `full`: the merchant has as many serials as it may have. */
export const skipReasons = ['notSerial', 'repeated', 'full'] as const
/** Lines that an answer names. */
export const mostSkippedNamed = 1_000
export const SkippedLine = z.strictObject({
  /** From 1, in the call. */
  line: z.int(),
  /** Its first 100 characters. */
  text: z.string(),
  reason: z.enum(skipReasons),
})
export type SkippedLine = z.infer<typeof SkippedLine>

export const WhitelistOutcome = z.strictObject({
  added: z.int(),
  /** In the spelling of the list. On it already: their time to enrol starts again. */
  renewed: z.array(z.string()),
  /** On the list already, and enrolled. */
  enrolled: z.array(z.string()),
  /** Lines that were not taken, the first thousand of them. */
  skipped: z.array(SkippedLine),
  skippedTotal: z.int(),
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
      'Add serials to the whitelist for the merchant’s number of days; the answer names the lines that were not taken, with reasons',
    needs: 'screen.write',
    feature,
    body: NewWhitelistEntries,
    ok: WhitelistOutcome,
    status: 201,
    fails: ['MerchantNotSelected', 'WhitelistFull'],
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

/** The list as a file. */
export const exportedScreenWhitelist = {
  row: screenWhitelist.listWhitelist,
  filters: WhitelistFilters,
  ords: whitelistOrds,
  columns: whitelistColumns,
} as const satisfies ExportedList
