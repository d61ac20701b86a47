import { useTranslation } from 'react-i18next'
import {
  holidayRules,
  NewNoVendProfile,
  type NoVendProfile,
  noVendProfiles,
} from '#contract/catalogue/no-vend-profile.ts'
import { SelectField } from '#portal/ui/form/choices/SelectField.tsx'
import { type DrawField, text } from '#portal/ui/form/record/RecordFields.tsx'
import { recordScreens } from '#portal/ui/form/record/RecordForm.tsx'
import { HolidaysField } from './HolidaysField.tsx'
import { PriceTablesField } from './PriceTablesField.tsx'
import { ProductsField } from './ProductsField.tsx'
import { SelectionsField } from './SelectionsField.tsx'
import { WindowsField } from './WindowsField.tsx'

const RuleField: DrawField = ({ values: _, merchantId: __, ...field }) => {
  const { t } = useTranslation('no-vend-profile')
  return <SelectField {...field} options={holidayRules.map((value) => ({ value, label: t(`rule.${value}`) }))} />
}

const draw =
  (Field: DrawField): DrawField =>
  (field) => <Field {...field} />

/** A no-vend profile as users create and edit it. */
export const { Create, Details } = recordScreens<NoVendProfile>({
  words: 'no-vend-profile',
  schema: NewNoVendProfile,
  cards: {
    what: {
      name: text,
      selections: draw(SelectionsField),
      productIds: draw(ProductsField),
      priceTables: draw(PriceTablesField),
    },
    when: { windows: draw(WindowsField) },
    holidays: { onHolidays: draw(RuleField), holidays: draw(HolidaysField) },
  },
  param: 'noVendProfileId',
  get: noVendProfiles.getNoVendProfile,
  create: noVendProfiles.createNoVendProfile,
  update: noVendProfiles.updateNoVendProfile,
  placeOf: ({ id }) => ({ to: '/manage/no-vend-profiles/$noVendProfileId', params: { noVendProfileId: id } }),
  list: { to: '/manage/no-vend-profiles' },
  newIn: () => ({ onHolidays: 'asUsual' }),
})
