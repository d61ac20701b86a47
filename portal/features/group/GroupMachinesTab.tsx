import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { groups } from '#contract/group.ts'
import { queryOf } from '../../app/api.ts'
import { useMerchant } from '../../app/merchant.tsx'
import { AssignedMachines } from '../assigned/AssignedMachines.tsx'

/** The machines of a group. */
export default function GroupMachinesTab() {
  const merchant = useMerchant()
  const { groupId } = useParams({ strict: false }) as { groupId: string }
  const { data } = useQuery(queryOf(groups.getGroup, { params: { merchantId: merchant.id, groupId } }))
  return data ? <AssignedMachines kind="group" id={data.id} merchantId={data.merchantId} name={data.name} /> : null
}
