import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { clients } from '#contract/merchants/client.ts'
import { allMerchants } from '#contract/vocabulary/merchant.ts'
import { queryOf } from '#portal/app/api.ts'

/** The client that the address names, whichever merchant the switcher shows. Its page and its tabs share the answer. */
export function useClient() {
  const { clientId } = useParams({ strict: false }) as { clientId: string }
  return useQuery(queryOf(clients.getClient, { params: { merchantId: allMerchants, clientId } }))
}
