import { Button, Flex, Stack } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useGo } from '#portal/app/go.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import { Dialog } from '#portal/ui/dialog/Dialog.tsx'
import { MachineChoice } from './MachineChoice.tsx'

/** Asks for the machine whose report a new planogram starts with. */
export function FromMachineDialog({ close }: { close: () => void }) {
  const { t } = useTranslation(['planogram', 'ui'])
  const merchant = useMerchant()
  const go = useGo()
  const [posId, setPosId] = useState<string | null>(null)
  return (
    <Dialog onClose={close} title={t('planogram:from.title')} size="md">
      <Stack gap="part">
        <p>{t('planogram:from.text')}</p>
        <MachineChoice label={t('planogram:from.machine')} merchantId={merchant.id} value={posId} choose={setPosId} />
        <Flex gap="near">
          <Button
            disabled={!posId}
            onClick={() => void go({ to: '/manage/planograms/create', search: { from: posId ?? undefined } })}
          >
            {t('planogram:from.start')}
          </Button>
          <Button variant="default" onClick={close}>
            {t('ui:cancel')}
          </Button>
        </Flex>
      </Stack>
    </Dialog>
  )
}
