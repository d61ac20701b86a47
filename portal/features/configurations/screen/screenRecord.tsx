import { useTranslation } from 'react-i18next'
import { type ScreenConfiguration, screenConfigurations } from '#contract/configurations/screen-configuration.ts'
import {
  defaultColours,
  NewScreenConfiguration,
  screenSizeNames,
  screenSizes,
} from '#contract/configurations/screen-content.ts'
import { languageNames, languages } from '#contract/vocabulary/world/languages.ts'
import { MultiSelectField } from '#portal/ui/form/choices/MultiSelectField.tsx'
import { SelectField } from '#portal/ui/form/choices/SelectField.tsx'
import { SwitchField } from '#portal/ui/form/choices/SwitchField.tsx'
import { type DrawField, text } from '#portal/ui/form/record/RecordFields.tsx'
import { recordScreens } from '#portal/ui/form/record/RecordForm.tsx'
import { ColoursField } from './ColoursField.tsx'
import { HoursField } from './HoursField.tsx'
import { IdleField } from './IdleField.tsx'
import { PagesField } from './PagesField.tsx'

const SizeField: DrawField = ({ values: _, merchantId: __, ...field }) => {
  const { t } = useTranslation('screen-configuration')
  const options = screenSizeNames.map((value) => ({
    value,
    label: `${t(`size.${value}`)} (${screenSizes[value].width} × ${screenSizes[value].height})`,
  }))
  return <SelectField {...field} options={options} />
}

const LanguagesField: DrawField = ({ values: _, merchantId: __, ...field }) => {
  const { t } = useTranslation(['screen-configuration', 'shell'])
  return (
    <MultiSelectField
      {...field}
      description={t('screen-configuration:hint.languages')}
      options={languages.map((value) => ({ value, label: languageNames[value] }))}
    />
  )
}

const PricesField: DrawField = ({ values: _, merchantId: __, isNullable: ___, maxLength: ____, ...field }) => {
  const { t } = useTranslation('screen-configuration')
  return <SwitchField {...field} description={t('hint.prices')} />
}

const draw =
  (Field: DrawField): DrawField =>
  (field) => <Field {...field} />

/** A screen configuration as users create and edit it. */
export const { Create, Details } = recordScreens<ScreenConfiguration>({
  words: 'screen-configuration',
  schema: NewScreenConfiguration,
  isWide: true,
  cards: {
    what: { name: text, size: draw(SizeField), languages: draw(LanguagesField), showPrices: draw(PricesField) },
    menu: { pages: draw(PagesField) },
    idle: { idle: draw(IdleField) },
    look: { colours: draw(ColoursField) },
    hours: { schedule: draw(HoursField) },
  },
  param: 'screenConfigurationId',
  get: screenConfigurations.getScreenConfiguration,
  create: screenConfigurations.createScreenConfiguration,
  update: screenConfigurations.updateScreenConfiguration,
  placeOf: ({ id }) => ({
    to: '/manage/screen-configuration/$screenConfigurationId',
    params: { screenConfigurationId: id },
  }),
  list: { to: '/manage/screen-configurations' },
  newIn: (merchant) => ({
    size: 'portrait10',
    showPrices: true,
    languages: [(merchant as { language?: string }).language ?? 'en'],
    colours: defaultColours,
    idle: { kind: 'none', fileIds: [], seconds: 8, after: 30 },
    pages: [{ titles: {}, buttons: [] }],
  }),
  valueText: (field, value, { t }) =>
    ['idle', 'pages', 'colours', 'schedule'].includes(field)
      ? t('screen-configuration:changed')
      : field === 'size'
        ? t(`screen-configuration:size.${value as ScreenConfiguration['size']}`)
        : undefined,
})
