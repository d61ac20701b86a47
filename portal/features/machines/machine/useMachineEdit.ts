import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import {
  type MachineEditOutcome,
  MachineFields,
  type MachineRow,
  type MachineRowEdit,
  machines,
} from '#contract/machines/machine.ts'
import { groups } from '#contract/merchants/group.ts'
import { call, queryOf } from '#portal/app/api.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import type { ListEdit, RowEdit, RowOutcome } from '#portal/ui/grid/types.ts'

/** The column of a refused value. */
const columnOf = { PosNameTaken: 'name', GroupRequired: 'groupId' } as const

/** Name, address and group of machines, edited as in a spreadsheet. */
export function useMachineEdit(): ListEdit<MachineRow> {
  const { t } = useTranslation(['machine', 'errors'])
  const merchant = useMerchant()
  const { data } = useQuery(queryOf(groups.listGroups, { params: { merchantId: merchant.id } }))
  return useMemo(() => {
    const byMerchant = Map.groupBy(data ?? [], ({ merchantId }) => merchantId)
    const optionsOf = ({ merchantId, groupId, groupName }: MachineRow) => {
      const groupOptions = (byMerchant.get(merchantId) ?? []).map(({ id, name }) => ({ value: id, label: name }))
      const isKnown = groupId === null || groupOptions.some(({ value }) => value === groupId)
      return isKnown ? groupOptions : [...groupOptions, { value: groupId, label: groupName ?? groupId }]
    }
    const outcomeOf = (outcome: MachineEditOutcome): RowOutcome<MachineRow> => {
      if (outcome.code === 'Saved') return { kind: 'saved', row: outcome.row }
      if (outcome.code !== 'EditConflict')
        return { kind: 'refused', column: columnOf[outcome.code], sentence: t(`errors:${outcome.code}`) }
      const { current, changedAt, changedBy } = outcome.facts
      return { kind: 'conflict', current, by: changedBy ?? undefined, at: changedAt ?? undefined }
    }
    return {
      columns: [
        { id: 'serial', name: t('machine:column.serial'), width: 150, value: ({ serial }) => serial },
        {
          id: 'name',
          name: t('machine:column.name'),
          value: ({ name }) => name,
          edit: { kind: 'text', schema: MachineFields.name },
        },
        {
          id: 'address',
          name: t('machine:column.address'),
          value: ({ address }) => address,
          edit: { kind: 'text', schema: MachineFields.address },
        },
        {
          id: 'groupId',
          name: t('machine:filter.group'),
          width: 200,
          value: ({ groupId }) => groupId,
          edit: { kind: 'select', schema: MachineFields.groupId, options: optionsOf },
        },
      ],
      nameOf: ({ name }) => name,
      save: async (edits: readonly RowEdit<MachineRow>[]) => {
        const rows = edits.map(({ row: { id, version }, values }) => ({ id, version, ...values })) as MachineRowEdit[]
        const answer = await call(machines.updateMachines, {
          params: { merchantId: merchant.id },
          body: { rows },
          // The rows are fixed: a machine moved out of the filtered groups can be moved back.
          isWhole: true,
        })
        return answer.rows.map(outcomeOf)
      },
    }
  }, [t, data, merchant.id])
}
