import { Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { merchantSettings } from '#contract/merchants/merchant-settings.ts'
import { queryOf } from '#portal/app/api.ts'
import { AddressMerchant, useMerchant } from '#portal/app/merchant.tsx'
import { formWidth } from '#portal/ui/form/FormScreen.tsx'
import { ScreenHeader } from '#portal/ui/page/ScreenHeader.tsx'
import { EmptyState, ErrorState } from '#portal/ui/part/ErrorState.tsx'
import { ScreenSkeleton } from '#portal/ui/part/ScreenSkeleton.tsx'
import { ApiTokens } from './ApiTokens.tsx'
import { SettingsForm } from './SettingsForm.tsx'
import { SignInCard } from './SignInCard.tsx'

/** A merchant's settings for all of its machines, how its users sign in, and the tokens of its integrations. */
export default function MerchantSettingsScreen() {
  return (
    <AddressMerchant>
      <Settings />
    </AddressMerchant>
  )
}

function Settings() {
  const { t } = useTranslation('settings')
  const { isAll, name } = useMerchant()
  return (
    <>
      <ScreenHeader title={t('title')} subtitle={isAll ? undefined : t('subtitle', { merchant: name })} />
      {isAll ? <EmptyState title={t('oneMerchant.title')} text={t('oneMerchant.text')} /> : <SettingsOfMerchant />}
    </>
  )
}

function SettingsOfMerchant() {
  const { id: merchantId } = useMerchant()
  const { data, error, refetch } = useQuery(queryOf(merchantSettings.getMerchantSettings, { params: { merchantId } }))
  if (error && !data) return <ErrorState error={error} retry={refetch} />
  if (!data) return <ScreenSkeleton />
  return (
    <Stack gap="md" maw={formWidth}>
      <SettingsForm key={merchantId} settings={data} />
      <SignInCard />
      <ApiTokens />
    </Stack>
  )
}
