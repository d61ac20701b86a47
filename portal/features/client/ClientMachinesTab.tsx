import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { clients } from '#contract/client.ts'
import { queryOf } from '../../app/api.ts'
import { useMerchant } from '../../app/merchant.tsx'
import { AssignedMachines } from '../assigned/AssignedMachines.tsx'

/** The machines that stand at a client. */
export default function ClientMachinesTab() {
  const merchant = useMerchant()
  const { clientId } = useParams({ strict: false }) as { clientId: string }
  const { data } = useQuery(queryOf(clients.getClient, { params: { merchantId: merchant.id, clientId } }))
  return data ? <AssignedMachines kind="client" id={data.id} merchantId={data.merchantId} name={data.name} /> : null
}
