import { useTranslation } from 'react-i18next'
import type { Rollout } from '#contract/updates/rollout.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { Badge } from '#portal/ui/value/StatusBadge.tsx'
import classes from './UpdateRule.module.css'

/** The limits of the open cohort, and how near they are. */
export function RolloutLimits({ rollout }: { rollout: Rollout }) {
  const { t } = useTranslation('update-rule')
  const format = useFormat()
  return (
    <table className={classes.limits}>
      <thead>
        <tr>
          <th scope="col">{t('limit.measure')}</th>
          <th scope="col">{t('limit.now')}</th>
          <th scope="col">{t('limit.most')}</th>
          <th scope="col">{t('limit.verdict')}</th>
        </tr>
      </thead>
      <tbody>
        {rollout.limits.map(({ cause, count, allowed }) => (
          <tr key={cause}>
            <td>{t(`limit.${cause}`)}</td>
            <td>{format.number(count)}</td>
            <td>{format.number(allowed)}</td>
            <td>
              {count > allowed ? (
                <Badge tone="crit" mark="triangle">
                  {t('limit.over')}
                </Badge>
              ) : count > 0 && count === allowed ? (
                <Badge tone="warn" mark="triangle">
                  {t('limit.at')}
                </Badge>
              ) : (
                <Badge tone="ok" mark="check">
                  {t('limit.within')}
                </Badge>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
