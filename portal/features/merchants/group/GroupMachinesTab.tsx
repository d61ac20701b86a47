import { useParams } from '@tanstack/react-router'
import { AssignedMachines } from '#portal/features/machines/assigned/AssignedMachines.tsx'
import { useGroup } from './useGroup.ts'

/** The machines of a group. */
export default function GroupMachinesTab() {
  const { groupId } = useParams({ strict: false }) as { groupId: string }
  const { data } = useGroup(groupId)
  return data ? <AssignedMachines kind="group" id={data.id} merchantId={data.merchantId} name={data.name} /> : null
}
