import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { rounds } from '#contract/stock/round.ts'
import { stockPlaceKinds } from '#contract/vocabulary/stock.ts'
import { NewStockPlace, type StockPlace, stockPlaces } from '#contract/warehouse/stock-place.ts'
import { queryOf } from '#portal/app/api.ts'
import { useFeature } from '#portal/app/feature.ts'
import { SelectField } from '#portal/ui/form/choices/SelectField.tsx'
import { type DrawField, longText, text } from '#portal/ui/form/record/RecordFields.tsx'
import { recordScreens } from '#portal/ui/form/record/RecordForm.tsx'
import { RecordPage } from '#portal/ui/page/RecordPage.tsx'

const KindField: DrawField = ({ values: _, merchantId: __, ...field }) => {
  const { t } = useTranslation('vocabulary')
  return (
    <SelectField
      {...field}
      options={stockPlaceKinds.map((value) => ({ value, label: t(`stockPlaceKind.${value}`) }))}
    />
  )
}
// A warehouse has none.
const licencePlate: DrawField = (field) => field.values.kind === 'van' && text(field)

/** The users who may drive a van. */
const DriverField: DrawField = ({ values, merchantId, ...field }) => {
  const { t } = useTranslation('stock-place')
  const isVan = values.kind === 'van'
  const hasRounds = useFeature('productStock')
  const users = useQuery({
    ...queryOf(rounds.listRoundAssignees, { params: { merchantId: merchantId ?? '' } }),
    enabled: isVan && hasRounds && merchantId !== undefined,
  })
  if (!isVan || !hasRounds) return null
  const names = (users.data ?? []).map(({ id, name }) => ({ value: id, label: name }))
  return (
    <SelectField
      {...field}
      description={t('hint.driverId')}
      options={[{ value: '', label: t('noDriver') }, ...names]}
      keep={(id) => id || null}
    />
  )
}

/** A warehouse or van as users create and edit it. */
export const { Create, Details } = recordScreens<StockPlace>({
  words: 'stock-place',
  schema: NewStockPlace,
  cards: { place: { name: text, kind: KindField, licencePlate, driverId: DriverField, address: text, note: longText } },
  param: 'stockPlaceId',
  get: stockPlaces.getStockPlace,
  create: stockPlaces.createStockPlace,
  update: stockPlaces.updateStockPlace,
  placeOf: ({ id }) => ({ to: '/stock-places/$stockPlaceId', params: { stockPlaceId: id } }),
  list: { to: '/stock-places' },
  newIn: () => ({ kind: 'warehouse' }),
  valueWords: { kind: (value) => `vocabulary:stockPlaceKind.${value}` },
})

const tabs = {
  stock: '/stock-places/$stockPlaceId',
  stockMovements: '/stock-places/$stockPlaceId/movements',
  details: '/stock-places/$stockPlaceId/details',
}

/** A warehouse or van: what it holds, what entered and left it, and its details. */
export function Page() {
  const { t } = useTranslation('vocabulary')
  return (
    <RecordPage
      get={stockPlaces.getStockPlace}
      param="stockPlaceId"
      words="stock-place"
      remove={stockPlaces.deleteStockPlace}
      inUse={{ code: 'StockPlaceInUse', blockingOf: (_, say) => ({ blockers: [], note: say('delete.holds') }) }}
      list="/stock-places"
      subtitle={({ kind, licencePlate, address }) => [t(`stockPlaceKind.${kind}`), licencePlate, address]}
      tabs={tabs}
    />
  )
}
