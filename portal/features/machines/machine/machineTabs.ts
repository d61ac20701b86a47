import type { Permission } from '#contract/access.ts'
import type { Feature } from '#contract/vocabulary/feature.ts'

export interface MachinePage {
  /** A screen with `tabOf`, by its address. */
  to: `/devices/$posId${string}`
  /** Key of its name among the screens. */
  name: string
  needs?: Permission
  feature?: Feature
}

/** The pages of a machine by purpose; each keeps its own address. A group shows the pages available to the user. */
export const machineTabs = [
  { group: 'overview', pages: [{ to: '/devices/$posId', name: 'overview' }] },
  {
    group: 'sales',
    pages: [
      { to: '/devices/$posId/transactions', name: 'transactions' },
      { to: '/devices/$posId/kpis', name: 'kpis' },
    ],
  },
  { group: 'alarms', pages: [{ to: '/devices/$posId/pos-alarms', name: 'alarms' }] },
  {
    group: 'audits',
    pages: [
      { to: '/devices/$posId/audits', name: 'audits' },
      { to: '/devices/$posId/audits/days', name: 'auditDays' },
      { to: '/devices/$posId/cash', name: 'cash' },
    ],
  },
  {
    group: 'stock',
    pages: [
      { to: '/devices/$posId/stock', name: 'stock', feature: 'productStock' },
      { to: '/devices/$posId/stock/movements', name: 'stockMovements', feature: 'productStock' },
      { to: '/devices/$posId/prices', name: 'prices', feature: 'vending' },
      { to: '/devices/$posId/prices/history', name: 'priceHistory', feature: 'vending' },
    ],
  },
  { group: 'commands', pages: [{ to: '/devices/$posId/remote-commands', name: 'commands' }] },
  {
    group: 'configuration',
    pages: [
      { to: '/devices/$posId/configs', name: 'configs', feature: 'remoteConfigurations' },
      { to: '/devices/$posId/custom-config', name: 'customConfig', feature: 'remoteConfigurations' },
    ],
  },
  {
    group: 'more',
    pages: [
      { to: '/devices/$posId/details', name: 'details' },
      { to: '/devices/$posId/notes', name: 'notes' },
      { to: '/devices/$posId/signal', name: 'signal', feature: 'network' },
      { to: '/devices/$posId/temperature', name: 'temperature' },
      { to: '/devices/$posId/pos-sensordirtyness', name: 'sensors', needs: 'sensor.read' },
    ],
  },
] as const satisfies readonly { group: string; pages: readonly MachinePage[] }[]
