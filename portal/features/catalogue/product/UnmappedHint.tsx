import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { productCodes } from '#contract/catalogue/product-code.ts'
import { queryOf } from '#portal/app/api.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import { PlaceLink } from '#portal/ui/value/PlaceLink.tsx'
import classes from './Product.module.css'

/** The number of machines' product codes without a product. */
export function UnmappedHint() {
  const { t } = useTranslation('product')
  const format = useFormat()
  const { id: merchantId } = useMerchant()
  const { data } = useQuery(queryOf(productCodes.listProductCodes, { params: { merchantId }, query: { size: 1 } }))
  const count = data?.unmapped ?? 0
  if (count === 0) return null
  return (
    <p className={classes.hint}>
      {t('unmapped', { count, number: format.number(count) })}
      <PlaceLink place={{ to: '/manage/products/codes', search: { isMapped: 'false' } }}>{t('map')}</PlaceLink>
    </p>
  )
}
