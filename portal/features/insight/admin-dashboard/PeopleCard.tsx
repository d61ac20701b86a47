import { useTranslation } from 'react-i18next'
import type { PeopleCount } from '#contract/insight/admin-stats.ts'
import { roles } from '#contract/vocabulary/roles.ts'
import { Card } from '#portal/ui/page/Card.tsx'
import classes from './AdminDashboard.module.css'
import { Figure } from './Figure.tsx'

const statuses = ['active', 'invited', 'suspended'] as const satisfies readonly PeopleCount['status'][]

/** Users by role and by status. */
export function PeopleCard({ people }: { people: readonly PeopleCount[] | undefined }) {
  const { t } = useTranslation(['admin-dashboard', 'shell'])
  const countOf = (role: PeopleCount['role'], status: PeopleCount['status']) =>
    people?.find((one) => one.role === role && one.status === status)?.count
  return (
    <Card title={t('people.title')}>
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">{t('people.role')}</th>
            {statuses.map((status) => (
              <th key={status} scope="col">
                {t(`people.${status}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {roles.map((role) => (
            <tr key={role}>
              <th scope="row">{t(`shell:roles.${role}`)}</th>
              {statuses.map((status) => (
                <td key={status}>
                  <Figure
                    count={countOf(role, status)}
                    place={{ to: '/admin/users', search: { roles: role, statuses: status } }}
                    isSmall
                  />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Card>
  )
}
