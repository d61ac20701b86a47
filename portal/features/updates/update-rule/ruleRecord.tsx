import { useTranslation } from 'react-i18next'
import { type CashDatabaseRule, cashDatabaseRules, NewCashDatabaseRule } from '#contract/updates/cash-database-rule.ts'
import { type FirmwareRule, firmwareRules, NewFirmwareRule } from '#contract/updates/firmware-rule.ts'
import { defaultCohorts } from '#contract/updates/rollout-plan.ts'
import { NumberField } from '#portal/ui/form/fields/NumberField.tsx'
import { type DrawField, text, yesOrNo } from '#portal/ui/form/record/RecordFields.tsx'
import { recordScreens } from '#portal/ui/form/record/RecordForm.tsx'
import { kinds } from './kinds.ts'
import { CohortsField, DatabaseField, FirmwareField, TargetField, VersionsField, WindowField } from './RuleFields.tsx'

const draw =
  (Field: DrawField): DrawField =>
  (field) => <Field {...field} />

const percent: DrawField = ({ values: _, merchantId: __, isNullable: ___, ...field }) => (
  <NumberField {...field} unit="%" min={0} max={100} />
)
const MinutesField: DrawField = ({ values: _, merchantId: __, isNullable: ___, ...field }) => {
  const { t } = useTranslation('update-rule')
  return <NumberField {...field} unit={t('minutes')} min={0} />
}
const minutes = draw(MinutesField)

const cardsWith = (what: Readonly<Record<string, DrawField>>) => ({
  what: { name: text, ...what, target: draw(TargetField), fromVersions: draw(VersionsField), allowDowngrade: yesOrNo },
  when: { installWindow: draw(WindowField) },
  cohorts: { cohorts: draw(CohortsField) },
  health: { goodPercent: percent, healthMinutes: minutes, silentMinutes: minutes },
  limits: { failedPercent: percent, silentPercent: percent, alarmedPercent: percent },
})

const newRule = () => ({
  target: { by: 'groups', groupIds: [] },
  installWindow: { from: '02:00', to: '05:00' },
  cohorts: [...defaultCohorts],
  goodPercent: 95,
  healthMinutes: 1440,
  silentMinutes: 60,
  failedPercent: 2,
  silentPercent: 2,
  alarmedPercent: 5,
})

/** A firmware rule as users create and edit it. */
const Firmware = recordScreens<FirmwareRule>({
  words: 'firmware-rule',
  schema: NewFirmwareRule,
  param: 'firmwareRuleId',
  cards: cardsWith({ firmwareId: draw(FirmwareField) }),
  get: firmwareRules.getFirmwareRule,
  create: firmwareRules.createFirmwareRule,
  update: firmwareRules.updateFirmwareRule,
  placeOf: ({ id }) => ({ to: kinds.firmware.page, params: { firmwareRuleId: id } }),
  list: { to: kinds.firmware.list },
  newIn: newRule,
})

/** The same of a cash database. */
const CashDatabase = recordScreens<CashDatabaseRule>({
  words: 'cash-database-rule',
  schema: NewCashDatabaseRule,
  param: 'cashDatabaseRuleId',
  cards: cardsWith({ cashDatabaseId: draw(DatabaseField) }),
  get: cashDatabaseRules.getCashDatabaseRule,
  create: cashDatabaseRules.createCashDatabaseRule,
  update: cashDatabaseRules.updateCashDatabaseRule,
  placeOf: ({ id }) => ({ to: kinds.cashDatabase.page, params: { cashDatabaseRuleId: id } }),
  list: { to: kinds.cashDatabase.list },
  newIn: newRule,
})

export const CreateFirmware = Firmware.Create
export const FirmwareDetails = Firmware.Details
export const CreateCashDatabase = CashDatabase.Create
export const CashDatabaseDetails = CashDatabase.Details
