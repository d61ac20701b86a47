import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { portalSettings } from '#contract/key-portal/portal-settings.ts'
import { queryOf } from '#portal/app/api.ts'
import { AddressMerchant, useMerchant } from '#portal/app/merchant.tsx'
import { OneMerchantPage } from '#portal/ui/page/OneMerchantPage.tsx'
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
  const query = useQuery({
    ...queryOf(portalSettings.getPortalSettings, { params: { merchantId } }),
    enabled: !isAll,
  })
  return (
    <OneMerchantPage
      words="portal-settings"
      title={t('title')}
      subtitle={t('subtitle', { merchant: name })}
      query={query}
    >
      {(settings) => <PortalForm key={merchantId} settings={settings} />}
    </OneMerchantPage>
  )
}
