import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { type Client, clients } from '#contract/client.ts'
import { call, queryOf } from '../../app/api.ts'
import { useMerchant } from '../../app/merchant.tsx'
import type { Filter, Option } from '../../ui/list/types.ts'

/** Clients that are offered at once; of more, those that come first by name. */
const mostOffered = 500
const mostFound = 100
const fresh = 5 * 60_000

/** A filter by client. Of more than are offered, the others are asked for by name. */
export function useClientFilter(): Filter {
  const { t } = useTranslation('machine-act')
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
    const options = data?.items.map(optionOf) ?? []
    const isMore = data !== undefined && data.total > options.length
    return { key: 'clientId', kind: 'select', name: t('filter.client'), options, ...(isMore && { find }) }
  }, [t, data, merchantId, isAll])
}
