import { useTranslation } from 'react-i18next'
import { useMerchant } from '#portal/app/merchant.tsx'
import { useMay } from '#portal/app/session/useMay.ts'
import { EmptyState } from '#portal/ui/part/ErrorState.tsx'
import { PlaceLink } from '#portal/ui/value/PlaceLink.tsx'

/** Replaces a screen that is not enabled for the merchant, and says who turns it on. */
export function NotEnabled({ label }: { label: string }) {
  const { t } = useTranslation(['shell', 'errors'])
  const { id, isAll } = useMerchant()
  const isProvider = useMay({ needs: 'merchant.admin' })
  return (
    <EmptyState title={t(`shell:screens.${label}`)} text={t('errors:FeatureNotEnabled')}>
      {isProvider && !isAll && (
        <PlaceLink place={{ to: '/admin/merchants/$merchantId/setting', params: { merchantId: id } }}>
          {t('shell:screens.merchantSetting')}
        </PlaceLink>
      )}
    </EmptyState>
  )
}
