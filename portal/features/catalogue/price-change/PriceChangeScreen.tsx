import { useTranslation } from 'react-i18next'
import { useMerchant } from '#portal/app/merchant.tsx'
import { ScreenHeader } from '#portal/ui/page/ScreenHeader.tsx'
import { ChangePrices } from './ChangePrices.tsx'

/** Changes prices of several machines, as previewed. */
export default function PriceChangeScreen() {
  const { t } = useTranslation('price-change')
  const merchant = useMerchant()
  return (
    <>
      <ScreenHeader title={t('title')} />
      {/* A choice of machines belongs to one merchant. */}
      <ChangePrices key={merchant.id} />
    </>
  )
}
