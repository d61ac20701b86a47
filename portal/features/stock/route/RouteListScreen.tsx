import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { type RouteRow, routeColumns, routeOrds, routes } from '#contract/stock/route.ts'
import { ListScreen } from '#portal/ui/list/ListScreen.tsx'
import type { Say } from '#portal/ui/list/listProps.ts'
import { recordColumns } from '#portal/ui/list/recordColumns.tsx'
import type { Filter } from '#portal/ui/list/types.ts'
import { dayNames } from './dayNames.ts'

const order = { ord: 'name', ordType: 'ASC' } as const
const placeOf = ({ id }: RouteRow) => ({ to: '/devices/routes/$routeId', params: { routeId: id } })

const columns = recordColumns<RouteRow>(routeColumns, routeOrds, ({ t, format }: Say) => ({
  lines: ['days'],
  aside: 'stopCount',
  hidden: ['createdAt'],
  looks: {
    days: { cell: ({ days }) => dayNames(days, format.locale) },
    assigneeName: { cell: ({ assigneeName }) => assigneeName ?? t('route:nobody') },
  },
}))

const filters = ({ t }: Say): Filter[] => [{ key: 'search', kind: 'text', name: t('route:filter.search') }]

/** The merchant's routes: templates of rounds. */
export default function RouteListScreen() {
  const { t } = useTranslation('route')
  return (
    <ListScreen
      id="routes"
      words="route"
      row={routes.listRoutes}
      columns={columns}
      filters={filters}
      order={order}
      placeOf={placeOf}
      exports="routes"
      create={useMemo(
        () => ({ name: t('create'), needs: 'route.write' as const, does: { to: '/devices/routes/create' } }),
        [t],
      )}
    />
  )
}
