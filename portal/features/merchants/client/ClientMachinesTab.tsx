import { AssignedMachines } from '#portal/features/machines/assigned/AssignedMachines.tsx'
import { useClient } from './useClient.ts'

/** The machines that stand at a client. */
export default function ClientMachinesTab() {
  const { data } = useClient()
  return data ? <AssignedMachines kind="client" id={data.id} merchantId={data.merchantId} name={data.name} /> : null
}
