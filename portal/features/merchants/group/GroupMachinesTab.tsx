import { groups } from '#contract/merchants/group.ts'
import { AssignedMachines } from '#portal/ui/assigned/AssignedMachines.tsx'
import { useRecord } from '#portal/ui/page/useRecord.ts'

/** The machines of a group. */
export default function GroupMachinesTab() {
  const { data } = useRecord(groups.getGroup, 'groupId')
  return data ? <AssignedMachines kind="group" id={data.id} merchantId={data.merchantId} name={data.name} /> : null
}
