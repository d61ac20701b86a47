import { useQuery } from '@tanstack/react-query'
import { groups } from '#contract/merchants/group.ts'
import { allMerchants } from '#contract/vocabulary/merchant.ts'
import { queryOf } from '#portal/app/api.ts'

/** A group by its id, whichever merchant the switcher shows. Its page and its tabs share the answer. */
export const useGroup = (groupId: string) =>
  useQuery(queryOf(groups.getGroup, { params: { merchantId: allMerchants, groupId } }))
