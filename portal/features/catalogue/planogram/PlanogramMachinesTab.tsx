import { planograms } from '#contract/catalogue/planogram.ts'
import { AssignedMachines } from '#portal/features/machines/assigned/AssignedMachines.tsx'
import { useRecord } from '#portal/ui/page/useRecord.ts'

/** The machines with a planogram. */
export default function PlanogramMachinesTab() {
  const { data } = useRecord(planograms.getPlanogram, 'planogramId')
  return data ? <AssignedMachines kind="planogram" id={data.id} merchantId={data.merchantId} name={data.name} /> : null
}
