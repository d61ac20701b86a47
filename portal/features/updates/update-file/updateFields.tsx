import { useTranslation } from 'react-i18next'
import { z } from 'zod'
import type { ErrorCode } from '#contract/errors.ts'
import { UpdateUses } from '#contract/updates/firmware.ts'
import { deviceTypeNames, deviceTypes } from '#contract/vocabulary/device.ts'
import { peripherals } from '#contract/vocabulary/remote-command.ts'
import { MultiSelectField } from '#portal/ui/form/choices/MultiSelectField.tsx'
import { SelectField } from '#portal/ui/form/choices/SelectField.tsx'
import type { DrawField } from '#portal/ui/form/record/RecordFields.tsx'
import type { InUse } from '#portal/ui/page/DeleteButton.tsx'

const types = deviceTypes.map((value) => ({ value, label: deviceTypeNames[value] }))

/** The device types that a version is for. */
export const deviceTypesField: DrawField = ({ values: _, merchantId: __, isNullable: ___, ...field }) => (
  <MultiSelectField {...field} options={types} />
)

/** The machine or one of its peripherals. */
export const peripheralField: DrawField = ({ values: _, merchantId: __, isNullable: ___, ...field }) => (
  <PeripheralField {...field} />
)

function PeripheralField(field: Omit<Parameters<DrawField>[0], 'values' | 'merchantId' | 'isNullable'>) {
  const { t } = useTranslation(['remote-command', 'firmware'])
  const options = [
    { value: '', label: t('firmware:machineItself') },
    ...peripherals.map((value) => ({ value, label: t(`remote-command:peripheral.${value}`) })),
  ]
  return <SelectField {...field} options={options} keep={(value) => value || null} />
}

/** What keeps a version from being deleted. */
export const updateInUse = (code: ErrorCode): InUse => ({
  code,
  blockingOf: (problem, t) => {
    const { commands, rules } = UpdateUses.extend({ rules: z.array(z.string()) }).parse(problem)
    const notes = [
      commands > 0 && t('uses.commands', { number: commands }),
      rules.length > 0 && t('uses.rules', { names: rules.join(', ') }),
    ]
    return { blockers: [], note: notes.filter(Boolean).join(' · ') }
  },
})
