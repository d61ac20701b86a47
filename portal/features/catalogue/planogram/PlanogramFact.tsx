import { Button, Flex, Stack } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { roleMay } from '#contract/access.ts'
import { planogramAssignments } from '#contract/catalogue/planogram-assignment.ts'
import type { Machine } from '#contract/machines/machine.ts'
import { useCommand } from '#portal/app/api.ts'
import { useSession } from '#portal/app/session/useSession.ts'
import { Dialog } from '#portal/ui/dialog/Dialog.tsx'
import { PlaceLink } from '#portal/ui/value/PlaceLink.tsx'
import { PlanogramChoice } from './PlanogramChoice.tsx'
import { usePriceOffer } from './usePriceOffer.tsx'

/** The planogram of a machine, with a link to it, and its change. */
export function PlanogramFact({ machine }: { machine: Machine }) {
  const { t } = useTranslation('planogram')
  const { me } = useSession()
  const [isOpen, setOpen] = useState(false)
  const { offer, dialog } = usePriceOffer()
  const { planogramId, planogramName } = machine
  if (!me || !roleMay(me.role, 'planogram.write')) return planogramName ?? t('assign.none')
  return (
    <Flex component="span" rowGap="hair" columnGap="xs" wrap="wrap" align="center" display="inline-flex">
      {planogramId ? (
        <PlaceLink place={{ to: '/manage/planograms/$planogramId', params: { planogramId } }}>
          {planogramName}
        </PlaceLink>
      ) : (
        t('assign.none')
      )}
      <Button variant="subtle" size="compact-xs" onClick={() => setOpen(true)}>
        {t('assign.change')}
      </Button>
      {isOpen && <ChangeDialog machine={machine} close={() => setOpen(false)} offer={offer} />}
      {dialog}
    </Flex>
  )
}

interface ChangeProps {
  machine: Machine
  close: () => void
  offer: ReturnType<typeof usePriceOffer>['offer']
}

function ChangeDialog({ machine, close, offer }: ChangeProps) {
  const { t } = useTranslation(['planogram', 'ui'])
  const { id: posId, merchantId, name, planogramId = null, planogramName } = machine
  const [chosen, choose] = useState(planogramId)
  const assign = useCommand(planogramAssignments.setMachinePlanogram, {
    says: 'planogram:assign.done',
    onDone: () => {
      close()
      offer(chosen, [posId])
    },
  })
  return (
    <Dialog onClose={close} title={t('planogram:assign.machine', { machine: name })} size="md">
      <Stack gap="part">
        <p>{t('planogram:assign.consequence')}</p>
        <PlanogramChoice
          merchantId={merchantId}
          chosen={planogramId && planogramName ? { id: planogramId, name: planogramName } : undefined}
          choose={choose}
        />
        <PlaceLink place={{ to: '/manage/planograms/create', search: { from: posId } }} onClick={close}>
          {t('planogram:assign.draft')}
        </PlaceLink>
        <Flex gap="near">
          <Button
            loading={assign.isPending}
            disabled={chosen === planogramId}
            onClick={() =>
              assign.mutate({ params: { merchantId, posId }, body: { planogramId: chosen }, isWhole: true })
            }
          >
            {t('planogram:assign.save')}
          </Button>
          <Button variant="default" onClick={close}>
            {t('ui:cancel')}
          </Button>
        </Flex>
      </Stack>
    </Dialog>
  )
}
