import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Route, routes } from '#contract/stock/route.ts'
import { stopsOn } from '#domain/stock/route.ts'
import { queryOf } from '#portal/app/api.ts'
import { useAddressQuery } from '#portal/app/go.ts'
import { oneOf } from '#portal/app/search.ts'

/** As many as a merchant may choose from here; more are found on their own list. */
const mostListed = 200

interface Props {
  merchantId: string
  /** The round's day. */
  day: string
  start: (round: { routeId: string; name: string; assigneeId: string | null; posIds: string[] }) => void
  /** The round follows no route; its machines stay. */
  leave: () => void
}

/** Starts a new round from a route: its name, technician, and the machines of the day. The address may name the route. */
export function FromRoute({ merchantId, day, start, leave }: Props) {
  const { t } = useTranslation('round')
  const [routeId, choose] = useState(oneOf(useAddressQuery(), 'route') ?? null)
  const params = { merchantId }
  const listed = useQuery(queryOf(routes.listRoutes, { params, query: { ord: 'name', size: mostListed } }))
  const chosen = useQuery({
    ...queryOf(routes.getRoute, { params: { ...params, routeId: routeId ?? '' } }),
    enabled: routeId !== null,
  })
  const route: Route | undefined = routeId === null ? undefined : chosen.data
  useEffect(() => {
    if (!route) return
    const posIds = stopsOn(route.stopList, day).map(({ posId }) => posId)
    start({ routeId: route.id, name: route.name, assigneeId: route.assigneeId, posIds })
    // oxlint-disable-next-line react/exhaustive-deps -- for another route or day; later changes are the user's
  }, [route?.id, day])
  if (!listed.data || listed.data.items.length === 0) return null
  return (
    <Select
      mb="sm"
      label={t('plan.fromRoute')}
      data={listed.data.items.map(({ id, name }) => ({ value: id, label: name }))}
      value={routeId}
      searchable
      clearable
      onChange={(id) => {
        choose(id)
        if (id === null) leave()
      }}
    />
  )
}
