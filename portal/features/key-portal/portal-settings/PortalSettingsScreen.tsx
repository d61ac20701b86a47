import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { portalSettings } from '#contract/key-portal/portal-settings.ts'
import { queryOf } from '#portal/app/api.ts'
import { AddressMerchant, useMerchant } from '#portal/app/merchant.tsx'
import { ScreenSkeleton } from '#portal/app/shell/ScreenSkeleton.tsx'
import { EmptyState, ErrorState } from '#portal/ui/page/ErrorState.tsx'
import { ScreenHeader } from '#portal/ui/page/ScreenHeader.tsx'
import { PortalForm } from './PortalForm.tsx'

/** The customers' portal of a merchant. */
export default function PortalSettingsScreen() {
  return (
    <AddressMerchant>
      <Settings />
    </AddressMerchant>
  )
}

function Settings() {
  const { t } = useTranslation('portal-settings')
  const { isAll, name, id: merchantId } = useMerchant()
  const { data, error, refetch } = useQuery({
    ...queryOf(portalSettings.getPortalSettings, { params: { merchantId } }),
    enabled: !isAll,
  })
  return (
    <>
      <ScreenHeader title={t('title')} subtitle={isAll ? undefined : t('subtitle', { merchant: name })} />
      {isAll ? (
        <EmptyState title={t('oneMerchant.title')} text={t('oneMerchant.text')} />
      ) : error && !data ? (
        <ErrorState error={error} retry={refetch} />
      ) : data ? (
        <PortalForm key={merchantId} settings={data} />
      ) : (
        <ScreenSkeleton />
      )}
    </>
  )
}
