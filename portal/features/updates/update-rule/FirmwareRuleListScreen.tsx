import { useTranslation } from 'react-i18next'
import { type FirmwareRule, firmwareRules } from '#contract/updates/firmware-rule.ts'
import { ListScreen } from '#portal/ui/list/ListScreen.tsx'
import { kinds } from './kinds.ts'
import { columns, filters, order, toneOf } from './ruleColumns.tsx'

const { list, page } = kinds.firmware
const placeOf = ({ id }: FirmwareRule) => ({ to: page, params: { firmwareRuleId: id } })

/** Rules with their rollouts. */
export default function FirmwareRuleListScreen() {
  const { t } = useTranslation('firmware-rule')
  return (
    <ListScreen
      id="firmwareRules"
      words="firmware-rule"
      row={firmwareRules.listFirmwareRules}
      columns={columns}
      filters={filters}
      order={order}
      placeOf={placeOf}
      toneOf={toneOf}
      create={{ name: t('create'), needs: 'firmwareRule.write', does: { to: `${list}/create` } }}
      exports="firmwareRules"
    />
  )
}
