import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import classes from './Reconciliation.module.css'

const views = [
  { name: 'reads', to: '/devices/$posId/audits' },
  { name: 'days', to: '/devices/$posId/audits/days' },
] as const

/** The same merchant, with the other view's own filters. */
const keepMerchant = ({ merchant }: { merchant?: string }) => ({ merchant })

/** The audits of a machine read by read, or its days. */
export function ReadsOrDays({ posId }: { posId: string }) {
  const { t } = useTranslation('reconciliation')
  return (
    <nav className={classes.views} aria-label={t('view.name')}>
      {views.map(({ name, to }) => (
        <Link
          key={name}
          to={to as string}
          params={{ posId } as never}
          search={keepMerchant as never}
          activeOptions={{ exact: true, includeSearch: false }}
          activeProps={{ 'aria-current': 'page' }}
        >
          {t(`view.${name}`)}
        </Link>
      ))}
    </nav>
  )
}
