import { allMerchants } from '#contract/vocabulary/merchant.ts'
import { demoMerchants } from '#demo/operators/merchants.ts'

/** What the calls of one database are about. */
export interface Place {
  /** A machine with stock, sales and audits. */
  posId: string
  /** A rollout of all machines. */
  rolloutId: string
  /** The machines of the merchant. */
  machines: number
}

const merchantId = demoMerchants[0]?.id ?? ''
const dayMs = 86_400_000
const dayOf = (daysAgo: number) => new Date(Date.now() - daysAgo * dayMs).toISOString().slice(0, 10)
const last = (days: number) => `startDate=${dayOf(days)}&endDate=${dayOf(0)}`
const page = 'page=1&size=20'

/** The calls of the portal's screens, with the paths of the place. */
export function callsOf({ posId, rolloutId, machines }: Place): Record<string, string> {
  const one = `/merchants/${merchantId}`
  const all = `/merchants/${allMerchants}`
  const machine = `${one}/pos/${posId}`
  const kpis = `/distributors/${merchantId}`
  const sales = `${one}/transactions`
  const rollout = `${one}/firmware-rules/${rolloutId}/rollout`
  return {
    'dashboard of one merchant': `${one}/dashboard`,
    'dashboard of all merchants': `${all}/dashboard`,
    "merchants' dashboard": `${all}/merchants-dashboard?${page}`,
    map: `${one}/pos/map?width=1280&height=400`,
    'worst machines of the map': `${one}/pos/map?size=100`,
    'counts of machines': `${one}/pos/counts`,
    'machines by state': `${one}/pos/paged?${page}&ord=state`,
    'machines by name': `${one}/pos/paged?${page}&ord=name`,
    'machines by last sale': `${one}/pos/paged?${page}&ord=lastSaleAt`,
    'last page of machines': `${one}/pos/paged?size=20&page=${Math.min(500, Math.ceil(machines / 20))}`,
    'machines by a frequent word': `${one}/pos/paged?${page}&search=via`,
    'machines by a rare word': `${one}/pos/paged?${page}&search=00042`,
    'machines to choose from by a frequent word': `${one}/pos/paged?${page}&ord=name&search=via`,
    'machines of all merchants by state': `${all}/pos/paged?${page}&ord=state`,
    'open alarms': `${one}/pos/alarms?${page}&statuses=active&statuses=notification`,
    'number of blocking alarms': `${one}/pos/alarms?page=1&size=1&criticities=4&statuses=active`,
    groups: `${one}/groups/paged?${page}`,
    'stock by the first empty selection': `${one}/stock?${page}&ord=emptyAt`,
    'stock by lost sales': `${one}/stock?${page}&ord=lost`,
    'stock of all merchants': `${all}/stock?${page}`,
    'stock by a search': `${one}/stock?${page}&search=via`,
    rounds: `${one}/rounds?${page}`,
    'machines worth a visit': `${one}/rounds/candidates?day=${dayOf(-1)}`,
    'wrong prices': `${one}/wrong-prices?${page}`,
    collections: `${one}/collections?${page}`,
    'collections of a month': `${one}/collections?${page}&${last(30)}`,
    'cash of a machine': `${machine}/cash?${last(30)}`,
    'cash movements of a machine': `${machine}/movements/stats?${last(6)}`,
    'stock of a machine': `${machine}/stock?${page}`,
    'KPIs of a machine': `${machine}/kpis?days=30`,
    'timeline of a machine': `${machine}/timeline?size=20`,
    'cash acceptance': `${kpis}/cash-acceptance?days=30`,
    downtime: `${kpis}/downtime?days=30`,
    'faults by cycles': `${kpis}/mcbf?days=30`,
    'machines by KPIs': `${kpis}/pos?${page}&days=30`,
    'machines by blocked time': `${kpis}/pos?${page}&days=30&ord=blocked`,
    'merchants by KPIs': `${kpis}/merchants?${page}&days=30`,
    'firmware rules': `${one}/firmware-rules?${page}`,
    rollout,
    'machines of a rollout': `${rollout}/pos?${page}`,
    'running versions': `${one}/running-versions?kind=firmware`,
    'transactions of today': `${sales}/paged?${page}&${last(0)}`,
    'transactions of a week by type': `${sales}/paged?${page}&types=1&${last(6)}`,
    'transactions of a week by type and medium': `${sales}/paged?${page}&types=1&mediaTypes=1&${last(6)}`,
    'transactions of a week of a product': `${sales}/paged?${page}&products=Espresso&${last(6)}`,
    'transactions by a search': `${sales}/paged?${page}&search=via&${last(6)}`,
    'transactions of all merchants of a week by type': `${all}/transactions/paged?${page}&types=1&${last(6)}`,
    'statistics of a week': `${sales}/stats?${last(6)}`,
    'statistics of a month': `${sales}/stats?${last(30)}`,
    'products sold in a month': `${sales}/products?${last(30)}`,
    'media of a month': `${sales}/media-types?${last(30)}`,
    'statistics by machine': `${sales}/stats/pos?${page}&${last(30)}`,
    'report by products': `${one}/report?type=products&${last(30)}`,
    'report by machines': `${one}/report?type=machines&size=100&${last(30)}`,
    'machines report': `${all}/machines-report?${page}`,
    'remote commands': `${one}/remote-commands?page=1&size=100`,
    'reconciled days': `${one}/pos/audits/days?${page}&${last(6)}`,
    clients: `${one}/clients?${page}`,
    'statistics of machines': '/admin/stats/machines',
    'statistics of sales': '/admin/stats/sales',
    'statistics of alarms': '/admin/stats/alarms',
  }
}

/**
 * Milliseconds that a call may take at 10,200 machines, where reading each of them in a period takes longer than other calls: up to seven rows of
 * KPIs of each machine; products, costs and commissions of a hundred machines day by day, in the order of all.
 */
export const ownMs: Readonly<Record<string, number>> = {
  'machines by KPIs': 100,
  'machines by blocked time': 100,
  'report by machines': 200,
}
