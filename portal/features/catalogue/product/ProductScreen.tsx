import { Stack } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { ProductBlockers, products } from '#contract/catalogue/product.ts'
import { Columns } from '#portal/ui/page/Columns.tsx'
import type { InUse } from '#portal/ui/page/DeleteButton.tsx'
import { RecordPage } from '#portal/ui/page/RecordPage.tsx'
import { useRecord } from '#portal/ui/page/useRecord.ts'
import { PictureCard } from './PictureCard.tsx'
import classes from './Product.module.css'
import { Details } from './productRecord.tsx'
import { productTypeName } from './productTypeName.ts'

const placed =
  (to: string, param: string) =>
  ({ id, name }: { id: string; name: string }) => ({ id, name, place: { to, params: { [param]: id } } })
const placedPlanogram = placed('/manage/planograms/$planogramId', 'planogramId')
const placedStockPlace = placed('/stock-places/$stockPlaceId', 'stockPlaceId')
const placedProfile = placed('/manage/no-vend-profiles/$noVendProfileId', 'noVendProfileId')

const inUse: InUse = {
  code: 'ProductInPlanograms',
  blockingOf: (facts) => {
    const { planograms, firstPlanograms, profiles, firstProfiles, stockPlaces, firstStockPlaces } =
      ProductBlockers.parse(facts)
    return {
      blockers: [
        { what: 'planograms', count: planograms, first: firstPlanograms.map(placedPlanogram) },
        { what: 'profiles', count: profiles, first: firstProfiles.map(placedProfile) },
        { what: 'stockPlaces', count: stockPlaces, first: firstStockPlaces.map(placedStockPlace) },
      ],
    }
  },
}

/** A product: what users fill in, and its picture. */
export default function ProductScreen() {
  const { t } = useTranslation('vocabulary')
  return (
    <RecordPage
      get={products.getProduct}
      param="productId"
      words="product"
      remove={products.deleteProduct}
      inUse={inUse}
      list="/manage/products"
      subtitle={({ code, productType }) => [code, productTypeName(t, productType)]}
    >
      <Columns of="minmax(0, 720px) minmax(240px, 300px)" from="md" gap="md" align="start">
        <Details />
        <Picture />
      </Columns>
    </RecordPage>
  )
}

function Picture() {
  const { data: product } = useRecord(products.getProduct, 'productId')
  if (!product) return null
  return (
    <Stack gap="md" className={classes.aside}>
      <PictureCard key={product.id} product={product} />
    </Stack>
  )
}
