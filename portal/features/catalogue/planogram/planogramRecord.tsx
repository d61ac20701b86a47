import { useTranslation } from 'react-i18next'
import { NewPlanogram, type Planogram, type PlanogramLine, planograms } from '#contract/catalogue/planogram.ts'
import { PlanogramType, planogramTypes } from '#contract/vocabulary/catalogue/product.ts'
import { mergePlanograms, type Planned, selectionOfField, takePlanogram } from '#domain/catalogue/planogram-merge.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { useMerchants } from '#portal/app/merchant.tsx'
import { SelectField } from '#portal/ui/form/choices/SelectField.tsx'
import { type DrawField, longText, text } from '#portal/ui/form/record/RecordFields.tsx'
import { recordScreens } from '#portal/ui/form/record/RecordForm.tsx'
import type { RecordValues } from '#portal/ui/form/record/recordValues.ts'
import { lines } from './lines/LinesField.tsx'
import { useProductChoices } from './lines/useProductChoices.ts'

const planogramType: DrawField = (field) => <TypeField {...field} />
const TypeField: DrawField = ({ values: _, merchantId: __, ...field }) => {
  const { t } = useTranslation('vocabulary')
  const options = PlanogramType.options.map((value) => ({ value, label: t(`productType.${planogramTypes[value]}`) }))
  return <SelectField {...field} options={options} />
}

/** A selection in one line, for the comparison of two users' versions. */
function LinePart({ value, merchantId }: { value: unknown; merchantId: string }) {
  const { t } = useTranslation('planogram')
  const format = useFormat()
  const products = useProductChoices(merchantId)
  const currency = useMerchants().find(({ id }) => id === merchantId)?.currency
  if (!value) return t('lines.removed')
  const { productId, capacity, warningLevel, refillValue, prices } = value as PlanogramLine
  const product = productId ? products?.labelOf(productId) : t('front.noProduct')
  const pieces = [capacity, warningLevel, refillValue].map((one) => format.number(one)).join(' / ')
  const costs = Object.values(prices).map((price) => currency && format.money(price, currency))
  return [product, pieces, ...costs].filter(Boolean).join(' · ')
}

// A form's values are a planogram once they pass its schema; only then they are saved and merged.
const planned = (values: RecordValues) => values as Planned

/** A planogram as users create and edit it. */
export const { Create, Details } = recordScreens<Planogram>({
  words: 'planogram',
  schema: NewPlanogram,
  isWide: true,
  cards: { what: { name: text, planogramType, description: longText }, lines: { lines } },
  param: 'planogramId',
  get: planograms.getPlanogram,
  create: planograms.createPlanogram,
  update: planograms.updatePlanogram,
  placeOf: ({ id }) => ({ to: '/manage/planograms/$planogramId', params: { planogramId: id } }),
  list: { to: '/manage/planograms' },
  newIn: () => ({ planogramType: 'B' }),
  valueWords: { planogramType: (value) => `vocabulary:productType.${planogramTypes[value as 'A' | 'B']}` },
  merging: {
    merge: (base, draft, latest) => mergePlanograms(planned(base), planned(draft), planned(latest)),
    take: (values, conflicts) => takePlanogram(planned(values), conflicts),
    nameOf: (field, t) => {
      const selection = selectionOfField(field)
      return selection === undefined ? undefined : t('lines.changed', { selection })
    },
    Part: LinePart,
  },
})
