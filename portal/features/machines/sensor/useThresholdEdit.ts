import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { z } from 'zod'
import {
  type SensorThreshold,
  SensorThresholdEdit,
  type SensorThresholdOutcome,
  sensorThresholds,
} from '#contract/machines/sensor-threshold.ts'
import { ruleOf, valueAt } from '#contract/rules/rule-of.ts'
import { call } from '#portal/app/api.ts'
import { useRuleSentence } from '#portal/ui/form/useRuleSentence.ts'
import type { ListEdit, RowEdit, RowOutcome } from '#portal/ui/grid/types.ts'
import { useSensorWords } from './useSensorWords.ts'

const { warning, critical } = SensorThresholdEdit.shape
/** Whether a sensor's value grows or falls with its dirt, as in the grid's cells. */
const Direction = z.enum(['grows', 'falls'])

const editOf = ({ row, values }: RowEdit<SensorThreshold>): SensorThresholdEdit => {
  const { valuesIncrease = row.valuesIncrease ? 'grows' : 'falls', ...limits } = values
  return { ...row, ...limits, valuesIncrease: valuesIncrease === 'grows' }
}

const outcomeOf = (outcome: SensorThresholdOutcome): RowOutcome<SensorThreshold> => {
  if (outcome.code === 'Saved') return { kind: 'saved', row: outcome.row }
  const { current, changedAt, changedBy } = outcome.facts
  return { kind: 'conflict', current, by: changedBy ?? undefined, at: changedAt ?? undefined }
}

/** Thresholds edited as in a spreadsheet. A row with inconsistent values is refused here, by the contract's own rule. */
export function useThresholdEdit(): ListEdit<SensorThreshold> {
  const { t } = useTranslation('sensor')
  const wordOf = useSensorWords()
  const sentenceOf = useRuleSentence()
  return useMemo(() => {
    const refusalOf = (edit: SensorThresholdEdit): RowOutcome<SensorThreshold> | undefined => {
      const [issue] = SensorThresholdEdit.safeParse(edit).error?.issues ?? []
      if (!issue) return undefined
      const sentence = sentenceOf(ruleOf(issue, valueAt(edit, issue.path)))
      return { kind: 'refused', column: String(issue.path[0]), sentence }
    }
    const directions = Direction.options.map((value) => ({ value, label: t(value) }))
    return {
      columns: [
        { id: 'submodule', name: t('column.submodule'), value: ({ submodule }) => wordOf('part', submodule) },
        { id: 'name', name: t('column.sensor'), value: ({ name }) => wordOf('name', name) },
        {
          id: 'valuesIncrease',
          name: t('column.grows'),
          value: ({ valuesIncrease }) => (valuesIncrease ? 'grows' : 'falls'),
          edit: { kind: 'select', schema: Direction, options: () => directions },
        },
        {
          id: 'warning',
          name: t('column.warning'),
          width: 140,
          value: (row) => row.warning,
          edit: { kind: 'number', schema: warning },
        },
        {
          id: 'critical',
          name: t('column.critical'),
          width: 140,
          value: (row) => row.critical,
          edit: { kind: 'number', schema: critical },
        },
      ],
      nameOf: ({ submodule, name }) => `${wordOf('part', submodule)}, ${wordOf('name', name)}`,
      save: async (edits) => {
        const thresholds = edits.map(editOf)
        const refusals = thresholds.map(refusalOf)
        const rows = thresholds.filter((_, index) => !refusals[index])
        const saved =
          rows.length > 0 ? (await call(sensorThresholds.updateSensorThresholds, { body: { rows } })).rows : []
        const outcomes = saved.map(outcomeOf)[Symbol.iterator]()
        return refusals.map((refusal) => refusal ?? (outcomes.next().value as RowOutcome<SensorThreshold>))
      },
    }
  }, [t, wordOf, sentenceOf])
}
