import { useTranslation } from 'react-i18next'
import { type CashDatabaseRule, cashDatabaseRules } from '#contract/updates/cash-database-rule.ts'
import { ListScreen } from '#portal/ui/list/ListScreen.tsx'
import { kinds } from './kinds.ts'
import { columns, filters, order, toneOf } from './ruleColumns.tsx'

const { list, page } = kinds.cashDatabase
const placeOf = ({ id }: CashDatabaseRule) => ({ to: page, params: { cashDatabaseRuleId: id } })

/** Rules with their rollouts. */
export default function CashDatabaseRuleListScreen() {
  const { t } = useTranslation('cash-database-rule')
  return (
    <ListScreen
      id="cashDatabaseRules"
      words="cash-database-rule"
      row={cashDatabaseRules.listCashDatabaseRules}
      columns={columns}
      filters={filters}
      order={order}
      placeOf={placeOf}
      toneOf={toneOf}
      create={{ name: t('create'), needs: 'cashDatabaseRule.write', does: { to: `${list}/create` } }}
      exports="cashDatabaseRules"
    />
  )
}
