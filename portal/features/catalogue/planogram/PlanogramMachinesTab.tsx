import { planograms } from '#contract/catalogue/planogram.ts'
import { AssignedMachines } from '#portal/ui/assigned/AssignedMachines.tsx'
import { useRecord } from '#portal/ui/page/useRecord.ts'
import { usePriceOffer } from './usePriceOffer.tsx'

/** The machines with a planogram. */
export default function PlanogramMachinesTab() {
  const { data } = useRecord(planograms.getPlanogram, 'planogramId')
  const { offer, dialog } = usePriceOffer()
  if (!data) return null
  return (
    <>
      <AssignedMachines
        kind="planogram"
        id={data.id}
        merchantId={data.merchantId}
        name={data.name}
        onAdded={(machines) => offer(data.id, machines)}
      />
      {dialog}
    </>
  )
}
