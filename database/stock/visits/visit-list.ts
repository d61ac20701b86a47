import { sql } from 'kysely'
import type { VisitFilters, visitOrds } from '#contract/stock/visit-list.ts'
import type { Currency } from '#contract/vocabulary/world/currencies.ts'
import { anyOf, inPeriod, machinesFound, when } from '../../frame/conditions.ts'
import { orderOf, type Page, pageOf, type Sorted, totalsOf } from '../../frame/list.ts'
import { hiddenFrom, redactedName } from '../../frame/redacted-name.ts'
import type { TenantDb } from '../../frame/tenant.ts'
import { wasAt } from '../../sales/terms-of-day.ts'
import { collectedBy } from './visit-collection.ts'
import { handledPieces } from './visit-pieces.ts'

type Ord = (typeof visitOrds)[number]

/** The newest first by default. */
export const visitOrdering = orderOf<Ord>({
  by: {
    at: sql`visits.at`,
    posName: sql`lower(machines.name)`,
    merchant: sql`lower(merchants.name)`,
    round: sql`lower(rounds.name)`,
    loaded: sql`handled.loaded`,
    waste: sql`handled.waste`,
    cashTaken: sql`visits.cash_taken`,
    bagNumber: sql`lower(visits.bag_number)`,
    note: sql`lower(visits.note)`,
  },
  first: 'at',
  falling: ['at', 'loaded', 'waste', 'cashTaken'],
  full: ['at'],
  ties: sql`visits.id desc`,
})

/** Returns a function that starts a query on the matching visits, also those of deleted machines, with their pieces as `handled`. */
export async function visitsMatching(db: TenantDb, filters: VisitFilters) {
  const { search, groupIds, clientIds, posIds, technicianIds, routeIds, hasWaste, cashTaken, terms, ...period } =
    filters
  const isFound = await machinesFound(db, search)
  const inside = await inPeriod(db, 'visits', 'at', period)
  const row = {
    merchantId: sql`visits.merchant_id`,
    machineId: sql`visits.machine_id`,
    day: sql`(visits.at at time zone merchants.time_zone)::date`,
  }
  return () =>
    db
      .from('visits')
      .innerJoin('merchants', 'merchants.id', 'visits.merchant_id')
      .innerJoin('machines', (join) =>
        join.onRef('machines.merchant_id', '=', 'visits.merchant_id').onRef('machines.id', '=', 'visits.machine_id'),
      )
      .leftJoin('rounds', (join) =>
        join.onRef('rounds.merchant_id', '=', 'visits.merchant_id').onRef('rounds.id', '=', 'visits.round_id'),
      )
      .innerJoinLateral(handledPieces(db, 'visits').as('handled'), (join) => join.onTrue())
      .leftJoinLateral(collectedBy(db, 'visits').as('taken'), (join) => join.onTrue())
      .where(db.own('machines'))
      .where(inside)
      .where(isFound('visits.machine_id'))
      .where(anyOf('visits.machine_id', posIds, 'uuid'))
      .where(anyOf('visits.user_id', technicianIds, 'uuid'))
      .where(anyOf('rounds.route_id', routeIds, 'uuid'))
      .where(wasAt(db, { groupIds, clientIds, terms }, row))
      .where(when(hasWaste, (has) => sql<boolean>`(handled.waste > 0) = ${has}`))
      .where(when(cashTaken, (is) => sql<boolean>`visits.cash_taken = ${is}`))
}

/** What a list shows of costs: all, or nothing for readers who do not see products. */
const costOf = (seesCosts: boolean) => (seesCosts ? sql<number | null>`visits.cost` : sql<number | null>`null::bigint`)
const wastedOf = (seesCosts: boolean) =>
  seesCosts ? sql<number | null>`handled.wasted` : sql<number | null>`null::bigint`

/** What of a visit depends on its reader, as `visible`: the technician's name and the costs. */
export async function visibleOfVisit(db: TenantDb, seesInvisible: boolean, seesCosts: boolean) {
  const name = redactedName(sql`visits.user_id`, sql`visits.user_name`, await hiddenFrom(db, seesInvisible))
  return sql<{ by: string | null; cost: number | null; wasted: number | null }>`(
    select ${name} as by, ${costOf(seesCosts)} as cost, ${wastedOf(seesCosts)} as wasted)`.as('visible')
}

/** A page of visits with their totals. */
export async function listVisits(
  db: TenantDb,
  query: VisitFilters & Page & Sorted<Ord>,
  reader: { seesInvisible: boolean; seesCosts: boolean },
) {
  const matching = await visitsMatching(db, query)
  const visible = await visibleOfVisit(db, reader.seesInvisible, reader.seesCosts)
  const page = await pageOf(db, query, {
    matching,
    order: visitOrdering(query),
    select: (visits) =>
      visits
        .innerJoinLateral(visible, (join) => join.onTrue())
        .select(['visits.id', 'visits.merchant_id', 'visits.machine_id', 'visits.at', 'visits.cash_taken'])
        .select(['visits.bag_number', 'visits.note', 'merchants.name as merchant_name', 'merchants.time_zone'])
        .select(['machines.name as machine_name', 'machines.serial', 'rounds.id as round_id'])
        .select(['rounds.name as round_name', 'handled.loaded', 'handled.waste'])
        .select(['taken.counted', 'visible.by', 'visible.cost', 'visible.wasted'])
        .select(sql<Currency>`merchants.currency`.as('currency')),
  })
  const totals = await totalsOf(db, matching, {
    currency: sql`merchants.currency`,
    of: {
      loaded: sql`handled.loaded`,
      waste: sql`handled.waste`,
      counted: sql`taken.counted`,
      ...(reader.seesCosts && { cost: costOf(true), wasted: wastedOf(true) }),
    },
  })
  return { ...page, totals }
}
