import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import { NewCashDatabaseRule } from '#contract/updates/cash-database-rule.ts'
import { type FirmwareRule, NewFirmwareRule } from '#contract/updates/firmware-rule.ts'
import type { RuleKind } from '#contract/updates/rollout-kind.ts'
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

/** A rule as users create and edit it. `what` is the field of the firmware or database that it brings. */
const screensOf = (kind: RuleKind, schema: z.ZodObject, what: Readonly<Record<string, DrawField>>) => {
  const { words, param, list, page, get, create, update } = kinds[kind]
  return recordScreens<Omit<FirmwareRule, 'firmwareId'>>({
    words,
    schema,
    param,
    get,
    create,
    update,
    cards: cardsWith(what),
    placeOf: ({ id }) => ({ to: page, params: { [param]: id } }),
    list: { to: list },
    newIn: newRule,
  })
}

const firmware = screensOf('firmware', NewFirmwareRule, { firmwareId: draw(FirmwareField) })
const cashDatabase = screensOf('cashDatabase', NewCashDatabaseRule, { cashDatabaseId: draw(DatabaseField) })

export const CreateFirmware = firmware.Create
export const FirmwareDetails = firmware.Details
export const CreateCashDatabase = cashDatabase.Create
export const CashDatabaseDetails = cashDatabase.Details
