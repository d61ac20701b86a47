import { Button } from '@mantine/core'
import { IconDeviceTablet } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useMerchant } from '#portal/app/merchant.tsx'
import { useMay } from '#portal/app/session/useMay.ts'
import { EmptyState } from '#portal/ui/part/ErrorState.tsx'
import { PlaceLink } from '#portal/ui/value/PlaceLink.tsx'

/** In place of "all is well": there is no machine yet, and the way to the first one or who adds it. */
export default function NoMachines() {
  const { t } = useTranslation('first-steps')
  const { isAll, name } = useMerchant()
  const mayAdd = useMay({ needs: 'machine.associate' })
  return (
    <EmptyState
      icon={<IconDeviceTablet size={20} aria-hidden />}
      title={isAll ? t('none.title') : t('none.titleOf', { merchant: name })}
      text={t(mayAdd ? 'none.text' : 'none.ask')}
    >
      {mayAdd && (
        <Button<typeof PlaceLink> component={PlaceLink} place={{ to: '/associate' }}>
          {t('step.machine.go')}
        </Button>
      )}
    </EmptyState>
  )
}
