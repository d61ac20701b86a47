import { clients } from '#contract/merchants/client.ts'
import { AssignedMachines } from '#portal/ui/assigned/AssignedMachines.tsx'
import { useRecord } from '#portal/ui/page/useRecord.ts'

/** The machines of a client. */
export default function ClientMachinesTab() {
  const { data } = useRecord(clients.getClient, 'clientId')
  return data ? <AssignedMachines kind="client" id={data.id} merchantId={data.merchantId} name={data.name} /> : null
}
