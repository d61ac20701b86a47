import { z } from 'zod'
import { endpoint, kioskEndpoint } from '../frame/endpoint.ts'
import { ids } from '../frame/ids.ts'
import { Day, Instant, LineText } from '../frame/shapes.ts'
import { MapArea, MapCluster, MapPoint } from '../machines/machine.ts'
import { Currency } from '../vocabulary/world/currencies.ts'
import { Dashboard } from './dashboard.ts'

/*
 * Wall displays: a link that shows the figures and the map of a merchant or one of its groups full-screen, without a sign-in, until its last day.
 * Its secret opens the three rows of `kioskEndpoint` and nothing else.
 */

/** What a display shows: today's figures, the map of machines, or both in turn. */
export const kioskViews = ['dashboard', 'map', 'both'] as const
export const KioskView = z.enum(kioskViews)
export type KioskView = z.infer<typeof KioskView>

/** `open`: it can be shown. `over`: its last day has passed. `withoutCreator`: its creator may not create displays. */
export const kioskStates = ['open', 'over', 'withoutCreator'] as const
export const KioskState = z.enum(kioskStates)
export type KioskState = z.infer<typeof KioskState>

/** The start of every secret. */
export const kioskPrefix = 'gtk_'
/** Where a display is opened; the secret follows after a #, which browsers send to no server. */
export const kioskPath = '/kiosk'
/** The most that one merchant has. */
export const mostKiosks = 20
/** The most days from today to the last one. */
export const mostKioskDays = 366

/** A display as admins see it. Its link is shown once, when it is created. */
export const Kiosk = z.strictObject({
  id: z.uuid(),
  name: z.string(),
  shows: KioskView,
  /** Null: the whole merchant. */
  groupId: z.uuid().nullable(),
  groupName: z.string().nullable(),
  /** By the merchant's calendar. */
  lastDay: z.iso.date(),
  state: KioskState,
  createdAt: Instant,
  /** Null where the name is kept from the reader. */
  createdBy: z.string().nullable(),
  lastUsedAt: Instant.nullable(),
  lastUsedFrom: z.string().nullable(),
})
export type Kiosk = z.infer<typeof Kiosk>

/** The only answer that has the link. */
export const KioskOnce = z.strictObject({ link: z.url(), details: Kiosk })
export type KioskOnce = z.infer<typeof KioskOnce>

export const NewKiosk = z.strictObject({
  name: LineText.trim().min(1).max(100),
  shows: KioskView,
  groupId: ids.groupId.nullable(),
  lastDay: Day,
})
export type NewKiosk = z.infer<typeof NewKiosk>

/** What a display says of itself. */
export const ShownKiosk = z.strictObject({
  name: z.string(),
  shows: KioskView,
  merchantName: z.string(),
  groupName: z.string().nullable(),
  currency: Currency,
  timeZone: z.string(),
  lastDay: z.iso.date(),
})
export type ShownKiosk = z.infer<typeof ShownKiosk>

/** The dashboard's figures without what depends on a user. */
export const KioskDashboard = Dashboard.omit({ hasFirstSteps: true, haltedRollouts: true })
export type KioskDashboard = z.infer<typeof KioskDashboard>

const many = '/merchants/{merchantId}/kiosks' as const
const ended = ['KioskEnded', 'DemoExpired', 'WebPortalNotIncluded'] as const

export const kiosks = {
  listKiosks: endpoint({
    method: 'GET',
    path: many,
    summary: 'List wall displays of the merchant, by name',
    needs: 'settings.read',
    topics: ['merchant', 'group'],
    ok: z.array(Kiosk),
    fails: ['MerchantNotFoundException'],
  }),
  createKiosk: endpoint({
    method: 'POST',
    path: many,
    summary: 'Create the link of a wall display; only this response contains it',
    needs: 'settings.write',
    body: NewKiosk,
    hasSecret: true,
    ok: KioskOnce,
    status: 201,
    // A display may show every group, so only a user who sees every group may create one.
    fails: ['MerchantNotFoundException', 'GroupNotFound', 'Forbidden', 'KioskNameTaken', 'TooManyKiosks'],
  }),
  endKiosk: endpoint({
    method: 'DELETE',
    path: `${many}/{kioskId}`,
    summary: 'End the link of a wall display immediately',
    needs: 'settings.write',
    fails: ['MerchantNotFoundException', 'KioskNotFound'],
  }),
  getKiosk: kioskEndpoint({
    path: '/kiosk',
    summary: 'Get what the wall display with this secret shows',
    ok: ShownKiosk,
    fails: ended,
  }),
  getKioskDashboard: kioskEndpoint({
    path: '/kiosk/dashboard',
    summary: 'Get today’s figures of a wall display',
    ok: KioskDashboard,
    fails: ended,
  }),
  mapKiosk: kioskEndpoint({
    path: '/kiosk/map',
    summary: 'List map positions of a wall display’s points of sale, or clusters of them in an area',
    query: MapArea,
    ok: z.array(z.union([MapPoint, MapCluster])),
    fails: ended,
    timeOut: 'large',
  }),
}
