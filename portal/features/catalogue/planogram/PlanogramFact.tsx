import { useTranslation } from 'react-i18next'
import { planogramAssignments } from '#contract/catalogue/planogram-assignment.ts'
import type { Machine } from '#contract/machines/machine.ts'
import { AssignedFact } from '#portal/ui/assigned/AssignedFact.tsx'
import { PlaceLink } from '#portal/ui/value/PlaceLink.tsx'
import { PlanogramChoice } from './PlanogramChoice.tsx'
import { usePriceOffer } from './usePriceOffer.tsx'

/** The planogram of a machine, with a link to it, and its change. */
export function PlanogramFact({ machine }: { machine: Machine }) {
  const { t } = useTranslation('planogram')
  const { offer, dialog } = usePriceOffer()
  const { id: posId, merchantId, name, planogramId, planogramName } = machine
  return (
    <>
      <AssignedFact
        merchantId={merchantId}
        current={planogramId && planogramName ? { id: planogramId, name: planogramName } : undefined}
        placeOf={(id) => ({ to: '/manage/planograms/$planogramId', params: { planogramId: id } })}
        says={{
          none: t('assign.none'),
          change: t('assign.change'),
          title: t('assign.machine', { machine: name }),
          consequence: t('assign.consequence'),
          save: t('assign.save'),
          done: 'planogram:assign.done',
        }}
        Choice={PlanogramChoice}
        row={planogramAssignments.setMachinePlanogram}
        inputOf={(id) => ({ params: { merchantId, posId }, body: { planogramId: id } })}
        onDone={(id) => offer(id, [posId])}
        below={(close) => (
          <PlaceLink place={{ to: '/manage/planograms/create', search: { from: posId } }} onClick={close}>
            {t('assign.draft')}
          </PlaceLink>
        )}
      />
      {dialog}
    </>
  )
}
