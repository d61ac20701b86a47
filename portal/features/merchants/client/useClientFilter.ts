import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { type Client, clients } from '#contract/merchants/client.ts'
import { call, queryOf } from '#portal/app/api.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import type { Filter, Option } from '#portal/ui/list/types.ts'

/** Clients that are offered at once; of more, those that come first by name. */
const mostOffered = 500
const mostFound = 100
const fresh = 5 * 60_000

/** A filter by one client, or by any of several. Of more than are offered, the others are found by name. */
export function useClientFilter(key: 'clientId' | 'clientIds' = 'clientId'): Filter {
  const { t } = useTranslation('shell')
  const { id: merchantId, isAll } = useMerchant()
  const { data } = useQuery({
    ...queryOf(clients.listClients, { params: { merchantId }, query: { size: mostOffered, ord: 'name' } }),
    staleTime: fresh,
  })
  return useMemo((): Filter => {
    const params = { merchantId }
    const optionOf = ({ id, name, merchantName }: Client): Option => ({
      value: id,
      label: isAll ? `${name} · ${merchantName}` : name,
    })
    const find: Filter['find'] = async (asked) => {
      if ('search' in asked) {
        const { items } = await call(clients.listClients, { params, query: { ...asked, size: mostFound, ord: 'name' } })
        return items.map(optionOf)
      }
      // One that is there no more is shown by its id, as a link with it was written.
      const named = await Promise.allSettled(
        asked.ids.map((clientId) => call(clients.getClient, { params: { merchantId, clientId } })),
      )
      return named.flatMap((one) => (one.status === 'fulfilled' ? [optionOf(one.value)] : []))
    }
    const options = data?.items.map(optionOf)
    const isMore = data !== undefined && data.total > data.items.length
    const kind = key === 'clientIds' ? 'multi' : 'select'
    return { key, kind, name: t('screens.client'), ...(options && { options }), ...(isMore && { find }) }
  }, [t, key, data, merchantId, isAll])
}
